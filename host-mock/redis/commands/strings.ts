/** Strings and numbers. Source: Redis `t_string.c`. */
import { command, span, type CommandTable } from "../command.ts";
import { decimalSum } from "../decimal.ts";
import type { Keyspace } from "../keyspace.ts";
import { added, floatOf, indexOf, int64Min, integerOf } from "../numbers.ts";
import { bulk, bulks, integer, nil, ok, RedisError, syntaxError, type Reply } from "../reply.ts";

interface SetFlags {
  readonly when: "NX" | "XX" | null;
  readonly expiresMs: number | null;
  readonly keepsExpiry: boolean;
  readonly returnsOld: boolean;
}

const expiryOptions: Readonly<Record<string, { unitMs: number; isAbsolute: boolean }>> = {
  EX: { unitMs: 1000, isAbsolute: false },
  PX: { unitMs: 1, isAbsolute: false },
  EXAT: { unitMs: 1000, isAbsolute: true },
  PXAT: { unitMs: 1, isAbsolute: true },
};

function expiryOf(keys: Keyspace, given: string, option: string, name: string): number {
  const { unitMs, isAbsolute } = expiryOptions[option]!;
  const asked = integerOf(given);
  if (asked <= 0n || asked > 2n ** 63n / BigInt(unitMs))
    throw new RedisError(`ERR invalid expire time in '${name}' command`);
  return Number(asked) * unitMs + (isAbsolute ? 0 : keys.nowMs);
}

function setFlags(keys: Keyspace, options: readonly string[]): SetFlags {
  let when: SetFlags["when"] = null;
  let expiresMs: number | null = null;
  let keepsExpiry = false;
  let returnsOld = false;
  for (let at = 0; at < options.length; at++) {
    const option = options[at]!.toUpperCase();
    if ((option === "NX" || option === "XX") && (when ?? option) === option) when = option;
    else if (option === "GET") returnsOld = true;
    else if (option === "KEEPTTL" && expiresMs === null) keepsExpiry = true;
    else if (
      option in expiryOptions &&
      !keepsExpiry &&
      expiresMs === null &&
      at + 1 < options.length
    )
      expiresMs = expiryOf(keys, options[++at]!, option, "set");
    else throw new RedisError(syntaxError);
  }
  return { when, expiresMs, keepsExpiry, returnsOld };
}

function set(keys: Keyspace, [key = "", value = "", ...options]: readonly string[]): Reply {
  const { when, expiresMs, keepsExpiry, returnsOld } = setFlags(keys, options);
  const old = returnsOld ? bulk(keys.string(key) ?? null) : nil;
  const isWanted = when === null || keys.has(key) === (when === "XX");
  if (!isWanted) return returnsOld ? old : nil;
  keys.set(key, value, keepsExpiry);
  if (expiresMs !== null) keys.expireAt(key, expiresMs);
  return returnsOld ? old : ok;
}

function setWithExpiry(option: string, name: string) {
  return command(4, (keys, [key = "", given = "", value = ""]) => {
    const expiresMs = expiryOf(keys, given, option, name);
    keys.set(key, value);
    keys.expireAt(key, expiresMs);
    return ok;
  });
}

function increase(keys: Keyspace, key: string, by: bigint): Reply {
  const sum = added(integerOf(keys.string(key) ?? "0"), by);
  keys.set(key, String(sum), true);
  return integer(sum);
}

function setMany(keys: Keyspace, pairs: readonly string[], name: string): void {
  if (pairs.length % 2 !== 0)
    throw new RedisError(`ERR wrong number of arguments for '${name}' command`);
  for (let at = 0; at < pairs.length; at += 2) keys.set(pairs[at]!, pairs[at + 1]!);
}

export const stringCommands: CommandTable = {
  get: command(2, (keys, [key = ""]) => bulk(keys.string(key) ?? null)),
  set: command(-3, set),
  setex: setWithExpiry("EX", "setex"),
  psetex: setWithExpiry("PX", "psetex"),
  setnx: command(3, (keys, [key = "", value = ""]) => {
    if (keys.has(key)) return integer(0);
    keys.set(key, value);
    return integer(1);
  }),
  getset: command(3, (keys, [key = "", value = ""]) => {
    const old = bulk(keys.string(key) ?? null);
    keys.set(key, value);
    return old;
  }),
  getdel: command(2, (keys, [key = ""]) => {
    const old = bulk(keys.string(key) ?? null);
    keys.delete(key);
    return old;
  }),
  mget: command(-2, (keys, names) =>
    bulks(
      names.map((name) => {
        const value = keys.get(name);
        return typeof value === "string" ? value : null;
      }),
    ),
  ),
  mset: command(-3, (keys, pairs) => {
    setMany(keys, pairs, "mset");
    return ok;
  }),
  msetnx: command(-3, (keys, pairs) => {
    const isTaken = pairs.some((key, at) => at % 2 === 0 && keys.has(key));
    if (isTaken && pairs.length % 2 === 0) return integer(0);
    setMany(keys, pairs, "msetnx");
    return integer(1);
  }),
  append: command(3, (keys, [key = "", tail = ""]) => {
    const value = (keys.string(key) ?? "") + tail;
    keys.set(key, value, true);
    return integer(value.length);
  }),
  strlen: command(2, (keys, [key = ""]) => integer((keys.string(key) ?? "").length)),
  getrange: command(4, (keys, [key = "", start = "", stop = ""]) => {
    const [first, last] = [indexOf(start), indexOf(stop)];
    const value = keys.string(key) ?? "";
    return bulk(value.slice(...span(first, last, value.length)));
  }),
  incr: command(2, (keys, [key = ""]) => increase(keys, key, 1n)),
  decr: command(2, (keys, [key = ""]) => increase(keys, key, -1n)),
  incrby: command(3, (keys, [key = "", by = ""]) => increase(keys, key, integerOf(by))),
  decrby: command(3, (keys, [key = "", given = ""]) => {
    const by = integerOf(given);
    // The lowest number has no opposite.
    if (by === int64Min) throw new RedisError("ERR decrement would overflow");
    return increase(keys, key, -by);
  }),
  incrbyfloat: command(3, (keys, [key = "", by = ""]) => {
    const value = keys.string(key) ?? "0";
    floatOf(value);
    floatOf(by);
    const sum = decimalSum(value, by);
    keys.set(key, sum, true);
    return bulk(sum);
  }),
};
