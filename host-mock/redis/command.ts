import type { Keyspace } from "./keyspace.ts";
import type { Reply } from "./reply.ts";

/** What a command works on. */
export interface Session {
  readonly keys: Keyspace;
}

export interface Command {
  /** Words of the command, its name included; negative: at least so many. */
  readonly arity: number;
  /** `args` come without the name. A `RedisError` thrown is the reply. */
  run(session: Session, args: readonly string[]): Reply;
}

export type CommandTable = Readonly<Record<string, Command>>;

/** One entry of a table. */
export function command(
  arity: number,
  run: (keys: Keyspace, args: readonly string[]) => Reply,
): Command {
  return { arity, run: (session, args) => run(session.keys, args) };
}

/** Items `[start, stop]` of a list of that length, counted from its end when negative. */
export function span(start: number, stop: number, length: number): [from: number, to: number] {
  const from = Math.max(0, start < 0 ? length + start : start);
  const to = Math.min(length, (stop < 0 ? length + stop : stop) + 1);
  return from < to ? [from, to] : [0, 0];
}
