import { kindOf, requireKeys, requireText } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import type { Reply } from "../redis/reply.ts";
import { RedisServer, type RedisConnection } from "../redis/server.ts";
import { fromLatin1, latin1, lossyUtf8, utf8 } from "../state/bytes.ts";
import { parseDuration } from "../time/duration.ts";
import { requireFailure } from "./cluster.ts";
import {
  redisFailures,
  type RedisAnswer,
  type RedisFailure,
  type RedisHandle,
  type RedisOptions,
} from "./redis-options.ts";

const keys = ["password", "user", "delay", "fail", "commands"];

/** A cluster's one Redis server, and how far away it is. */
export class RedisCluster implements RedisHandle {
  readonly name: string;
  readonly server: RedisServer;
  readonly delayNs: number;
  #failure: RedisFailure | null;

  /** E_OPTION for an option of a wrong type, duration or failure, or a command that the server refuses. */
  constructor(name: string, options: RedisOptions, nowMs: () => number) {
    requireKeys(`cluster ${name}: redis`, options, keys);
    const { password, user, fail, commands = [] } = options;
    requireText(`cluster ${name}: password`, password);
    requireText(`cluster ${name}: user`, user);
    requireCommands(name, commands);
    this.name = name;
    this.server = new RedisServer({
      nowMs,
      ...(password === undefined ? {} : { password }),
      ...(user === undefined ? {} : { user }),
    });
    this.delayNs = parseDuration(options.delay ?? "0ms", `cluster ${name}: delay`);
    this.#failure =
      fail === undefined ? null : requireFailure(`cluster ${name}`, fail, redisFailures);
    for (const words of commands) this.#prepare(words);
  }

  get failure(): RedisFailure | null {
    return this.#failure;
  }

  set failure(failure: RedisFailure | null) {
    this.#failure =
      failure === null ? null : requireFailure(`cluster ${this.name}`, failure, redisFailures);
  }

  command(...words: readonly string[]): RedisAnswer {
    const wrong: unknown = words.find((word: unknown) => typeof word !== "string");
    if (words.length === 0 || words.some((word: unknown) => typeof word !== "string")) {
      const what = words.length === 0 ? "no word" : `${kindOf(wrong)} among its words`;
      throw new MockHostError("E_OPTION", `cluster ${this.name}: command is given ${what}`, {
        remedy: 'give texts: command("GET", "key")',
      });
    }
    return answerOf(this.#admin().run(words.map((word) => latin1(utf8(word)))));
  }

  #prepare(words: readonly string[]): void {
    const answer = this.command(...words);
    if (answer === null || typeof answer !== "object" || !("error" in answer)) return;
    const what = `cluster ${this.name}: ${words.join(" ")} is answered ${answer.error}`;
    throw new MockHostError("E_OPTION", what, { remedy: "give commands that Redis carries out" });
  }

  #admin(): RedisConnection {
    return this.server.connect(true);
  }
}

function requireCommands(cluster: string, commands: unknown): void {
  const refuse = (what: string): never => {
    throw new MockHostError("E_OPTION", `cluster ${cluster}: commands${what}`, {
      remedy: 'give lists of words: [["SET", "key", "value"]]',
    });
  };
  if (!Array.isArray(commands)) refuse(` is ${kindOf(commands)}`);
  for (const [index, words] of (commands as readonly unknown[]).entries()) {
    if (!Array.isArray(words)) refuse(`[${index}] is ${kindOf(words)}`);
    const all = words as readonly unknown[];
    if (all.length === 0) refuse(`[${index}] is an empty list`);
    const wrong = all.findIndex((word) => typeof word !== "string");
    if (wrong >= 0) refuse(`[${index}] has ${kindOf(all[wrong])} among its words`);
  }
}

function answerOf(reply: Reply): RedisAnswer {
  switch (reply.kind) {
    case "status":
      return reply.text;
    case "error":
      return { error: shown(reply.text) };
    case "integer":
      return exact(reply.value);
    case "bulk":
      return reply.text === null ? null : shown(reply.text);
    case "array":
      return reply.items === null ? null : reply.items.map(answerOf);
  }
}

/** A number where it holds every digit, else a bigint. */
function exact(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function shown(text: string): string {
  return lossyUtf8(fromLatin1(text));
}
