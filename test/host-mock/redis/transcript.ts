/**
 * Sessions with a Redis server as text: `> command` in inline syntax, then its reply. They were recorded from a real
 * Redis 7.0; the model has to answer the same, and a real server too (test/foreign/redis.check.ts).
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Reply } from "../../../host-mock/redis/reply.ts";
import { decodeCommands } from "../../../host-mock/redis/resp.ts";

const folder = join(import.meta.dirname, "transcripts");

export interface Transcript {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly commands: readonly (readonly string[])[];
}

export const transcripts: readonly Transcript[] = readdirSync(folder)
  .sort()
  .map((file) => {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    const lines = text.split("\n").filter((line) => line.startsWith("> "));
    const commands = lines.map((line) => decodeCommands(`${line.slice(2)}\n`).commands[0] ?? []);
    return { name: file.replace(/\.txt$/, ""), path, text, commands };
  });

/** The transcript's text with these replies. */
export function withReplies({ text }: Transcript, replies: readonly Reply[]): string {
  let next = 0;
  const shownLines = text.split("\n").flatMap((line) => {
    if (line.startsWith("> ")) return [line, shown(replies[next++]!)];
    return line === "" || line.startsWith("# ") ? [line] : [];
  });
  return shownLines.join("\n");
}

function shown(reply: Reply): string {
  switch (reply.kind) {
    case "status":
      return `+${reply.text}`;
    case "error":
      return `-${reply.text}`;
    case "integer":
      return `:${String(reply.value)}`;
    case "bulk":
      return reply.text === null ? "(nil)" : JSON.stringify(reply.text);
    case "array":
      return reply.items === null ? "(nil array)" : `[${reply.items.map(shown).join(", ")}]`;
  }
}
