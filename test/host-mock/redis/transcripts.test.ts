import { describe, expect, it } from "vitest";
import { RedisServer } from "../../../host-mock/redis/server.ts";
import { transcripts, withReplies } from "./transcript.ts";

describe("the Redis model", () => {
  it.each(transcripts)("answers as a real Redis 7.0 did: $name", (transcript) => {
    const connection = new RedisServer({ nowMs: () => 1_767_225_600_000 }).connect();

    const replies = transcript.commands.map((command) => connection.run(command));

    expect(withReplies(transcript, replies)).toBe(transcript.text);
  });
});
