/** Keys and their expiry. Source: Redis `db.c`, `expire.c`. */
import { command, type CommandTable } from "../command.ts";
import type { Keyspace } from "../keyspace.ts";
import { RedisHash, RedisList, RedisSet } from "../keyspace.ts";
import { globMatches } from "../glob.ts";
import { integerOf } from "../numbers.ts";
import { array, bulk, bulks, integer, ok, RedisError, syntaxError, type Reply } from "../reply.ts";

const secondsMax = 2n ** 63n / 1000n;

/** `EXPIRE` and its kin: `unitMs` of what was given, from `baseMs` on. */
function expire(unitMs: bigint, isAbsolute: boolean) {
  return command(-3, (keys, [key = "", given = "", ...flags]) => {
    const asked = integerOf(given);
    const words = flags.map((flag) => flag.toUpperCase());
    const unknown = words.findIndex((flag) => !["NX", "XX", "GT", "LT"].includes(flag));
    if (unknown >= 0) throw new RedisError(`ERR Unsupported option ${flags[unknown]!}`);
    if (words.includes("NX") && words.some((flag) => flag !== "NX"))
      throw new RedisError("ERR NX and XX, GT or LT options at the same time are not compatible");
    if (words.includes("GT") && words.includes("LT"))
      throw new RedisError("ERR GT and LT options at the same time are not compatible");
    const name = `${unitMs === 1n ? "p" : ""}expire${isAbsolute ? "at" : ""}`;
    if (unitMs !== 1n && (asked > secondsMax || asked < -secondsMax))
      throw new RedisError(`ERR invalid expire time in '${name}' command`);
    const dueMs = Number(asked * unitMs) + (isAbsolute ? 0 : keys.nowMs);
    const current = keys.expiry(key);
    if (current === undefined || !isWanted(words, current, dueMs)) return integer(0);
    keys.expireAt(key, dueMs);
    return integer(1);
  });
}

function isWanted(flags: readonly string[], current: number, dueMs: number): boolean {
  return flags.every((flag) => {
    if (flag === "NX") return current === Infinity;
    if (flag === "XX") return current !== Infinity;
    return flag === "GT" ? dueMs > current : dueMs < current;
  });
}

function timeToLive(unitMs: number) {
  return command(2, (keys, [key = ""]) => {
    const expiresMs = keys.expiry(key);
    if (expiresMs === undefined) return integer(-2);
    if (expiresMs === Infinity) return integer(-1);
    const leftMs = Math.max(0, expiresMs - keys.nowMs);
    return integer(unitMs === 1 ? leftMs : Math.floor((leftMs + 500) / 1000));
  });
}

function typeName(keys: Keyspace, key: string): string {
  const value = keys.get(key);
  if (value === undefined) return "none";
  if (typeof value === "string") return "string";
  if (value instanceof RedisHash) return "hash";
  if (value instanceof RedisList) return "list";
  return value instanceof RedisSet ? "set" : "zset";
}

function rename(keys: Keyspace, from: string, to: string): void {
  const value = keys.get(from);
  if (value === undefined) throw new RedisError("ERR no such key");
  if (from === to) return;
  const expiresMs = keys.expiry(from)!;
  keys.delete(from);
  keys.set(to, value);
  if (expiresMs !== Infinity) keys.expireAt(to, expiresMs);
}

const remove = command(-2, (keys, names) =>
  integer(names.filter((name) => keys.delete(name)).length),
);

/** All keys in one step: the cursor is 0 again. */
function scan(keys: Keyspace, [cursor = "", ...options]: readonly string[]): Reply {
  if (!/^\d+$/.test(cursor)) throw new RedisError("ERR invalid cursor");
  let pattern = "*";
  let type: string | undefined;
  for (let at = 0; at < options.length; at += 2) {
    const value = options[at + 1];
    const option = options[at]!.toUpperCase();
    if (value === undefined) throw new RedisError(syntaxError);
    if (option === "MATCH") pattern = value;
    else if (option === "TYPE") type = value.toLowerCase();
    else if (option !== "COUNT") throw new RedisError(syntaxError);
    else if (integerOf(value) < 1n) throw new RedisError(syntaxError);
  }
  const found = keys
    .keys()
    .filter(
      (key) => globMatches(pattern, key) && (type ?? typeName(keys, key)) === typeName(keys, key),
    );
  return array([bulk("0"), bulks(found)]);
}

export const keyCommands: CommandTable = {
  del: remove,
  unlink: remove,
  exists: command(-2, (keys, names) => integer(names.filter((name) => keys.has(name)).length)),
  expire: expire(1000n, false),
  pexpire: expire(1n, false),
  expireat: expire(1000n, true),
  pexpireat: expire(1n, true),
  ttl: timeToLive(1000),
  pttl: timeToLive(1),
  persist: command(2, (keys, [key = ""]) => {
    const expiresMs = keys.expiry(key);
    if (expiresMs === undefined || expiresMs === Infinity) return integer(0);
    keys.expireAt(key, Infinity);
    return integer(1);
  }),
  type: command(2, (keys, [key = ""]) => ({ kind: "status", text: typeName(keys, key) })),
  keys: command(2, (keys, [pattern = ""]) =>
    bulks(keys.keys().filter((key) => globMatches(pattern, key))),
  ),
  scan: command(-2, scan),
  rename: command(3, (keys, [from = "", to = ""]) => {
    rename(keys, from, to);
    return ok;
  }),
  renamenx: command(3, (keys, [from = "", to = ""]) => {
    if (!keys.has(from)) throw new RedisError("ERR no such key");
    if (keys.has(to)) return integer(0);
    rename(keys, from, to);
    return integer(1);
  }),
  dbsize: command(1, (keys) => integer(keys.size)),
  flushdb: command(-1, (keys) => {
    keys.clear();
    return ok;
  }),
};
