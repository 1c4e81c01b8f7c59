/** Hashes. Source: Redis `t_hash.c`. */
import { command, type CommandTable } from "../command.ts";
import { decimalSum } from "../decimal.ts";
import { RedisHash, type Keyspace } from "../keyspace.ts";
import { added, floatOf, integerOf, tryFloat, tryInteger } from "../numbers.ts";
import { bulk, bulks, integer, ok, RedisError } from "../reply.ts";

function setFields(keys: Keyspace, key: string, pairs: readonly string[], name: string): number {
  if (pairs.length % 2 !== 0)
    throw new RedisError(`ERR wrong number of arguments for '${name}' command`);
  const hash = keys.make(key, RedisHash);
  const before = hash.size;
  for (let at = 0; at < pairs.length; at += 2) hash.set(pairs[at]!, pairs[at + 1]!);
  return hash.size - before;
}

export const hashCommands: CommandTable = {
  hset: command(-4, (keys, [key = "", ...pairs]) => integer(setFields(keys, key, pairs, "hset"))),
  hmset: command(-4, (keys, [key = "", ...pairs]) => {
    setFields(keys, key, pairs, "hmset");
    return ok;
  }),
  hsetnx: command(4, (keys, [key = "", field = "", value = ""]) => {
    if (keys.hash(key)?.has(field) === true) return integer(0);
    keys.make(key, RedisHash).set(field, value);
    return integer(1);
  }),
  hget: command(3, (keys, [key = "", field = ""]) => bulk(keys.hash(key)?.get(field) ?? null)),
  hmget: command(-3, (keys, [key = "", ...fields]) => {
    const hash = keys.hash(key);
    return bulks(fields.map((field) => hash?.get(field) ?? null));
  }),
  hgetall: command(2, (keys, [key = ""]) => bulks([...(keys.hash(key) ?? [])].flat())),
  hkeys: command(2, (keys, [key = ""]) => bulks(keys.hash(key)?.keys() ?? [])),
  hvals: command(2, (keys, [key = ""]) => bulks(keys.hash(key)?.values() ?? [])),
  hlen: command(2, (keys, [key = ""]) => integer(keys.hash(key)?.size ?? 0)),
  hexists: command(3, (keys, [key = "", field = ""]) =>
    integer(keys.hash(key)?.has(field) ?? false),
  ),
  hdel: command(-3, (keys, [key = "", ...fields]) => {
    const hash = keys.hash(key);
    const removed = fields.filter((field) => hash?.delete(field) ?? false).length;
    keys.dropIfEmpty(key);
    return integer(removed);
  }),
  hincrby: command(4, (keys, [key = "", field = "", by = ""]) => {
    const step = integerOf(by);
    const value = tryInteger(keys.hash(key)?.get(field) ?? "0");
    if (value === undefined) throw new RedisError("ERR hash value is not an integer");
    const sum = added(value, step);
    keys.make(key, RedisHash).set(field, String(sum));
    return integer(sum);
  }),
  hincrbyfloat: command(4, (keys, [key = "", field = "", by = ""]) => {
    floatOf(by);
    const value = keys.hash(key)?.get(field) ?? "0";
    if (tryFloat(value) === undefined) throw new RedisError("ERR hash value is not a float");
    const sum = decimalSum(value, by);
    keys.make(key, RedisHash).set(field, sum);
    return bulk(sum);
  }),
};
