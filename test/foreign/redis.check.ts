/**
 * The Redis model against a real redis-server: the recorded transcripts hold for both. Debian's package
 * `redis-server` (7.0) is installed when it is not there. RECORD=1 writes the transcripts anew from the real server.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Reply } from "../../host-mock/redis/reply.ts";
import { decodeReply, encodeCommand } from "../../host-mock/redis/resp.ts";
import { redisProgram } from "./toolchains.ts";
import { transcripts, withReplies } from "../host-mock/redis/transcript.ts";

const folder = mkdtempSync(join(tmpdir(), "redis-check-"));
const socketPath = join(folder, "redis.sock");
let server: ChildProcess;

beforeAll(async () => {
  const flags = ["--port", "0", "--save", "", "--unixsocket", socketPath, "--dir", folder];
  server = spawn(redisProgram(folder), flags, { stdio: "ignore" });
  const failed = new Promise<never>((_, reject) => {
    server.on("error", (cause) => {
      reject(new Error("redis-server cannot be run", { cause }));
    });
    server.on("exit", (code) => {
      reject(new Error(`redis-server ended with ${String(code)} before it listened`));
    });
  });
  await Promise.race([failed, listening()]);
  server.removeAllListeners("exit");
});

afterAll(() => {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function listening(): Promise<void> {
  for (;;) {
    try {
      (await opened()).destroy();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function opened(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    socket.once("connect", () => {
      resolve(socket);
    });
    socket.once("error", reject);
  });
}

/** One client's commands, one after another; the server is empty before. */
async function repliesTo(commands: readonly (readonly string[])[]): Promise<Reply[]> {
  const socket = await opened();
  const replies: Reply[] = [];
  const wanted = [["FLUSHALL"], ["SCRIPT", "FLUSH"], ...commands];
  let received = "";
  socket.write(Buffer.from(wanted.map(encodeCommand).join(""), "latin1"));
  for await (const chunk of socket) {
    received += (chunk as Buffer).toString("latin1");
    for (let read = decodeReply(received); read !== undefined; read = decodeReply(received)) {
      replies.push(read.reply);
      received = received.slice(read.end);
    }
    if (replies.length >= wanted.length) break;
  }
  socket.destroy();
  return replies.slice(2);
}

describe("a real redis-server", () => {
  it.each(transcripts)("answers as the transcript of $name says", async (transcript) => {
    const text = withReplies(transcript, await repliesTo(transcript.commands));

    if (process.env["RECORD"] === "1") writeFileSync(transcript.path, text);
    expect(text).toBe(transcript.text);
  });
});
