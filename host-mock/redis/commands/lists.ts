/** Lists. Source: Redis `t_list.c`. */
import { command, span, type CommandTable } from "../command.ts";
import { RedisList, type Keyspace } from "../keyspace.ts";
import { indexOf, integerOf } from "../numbers.ts";
import {
  bulk,
  bulks,
  integer,
  nil,
  nilArray,
  ok,
  RedisError,
  syntaxError,
  type Reply,
} from "../reply.ts";

function push(isLeft: boolean, mustExist: boolean) {
  return command(-3, (keys, [key = "", ...values]) => {
    const found = keys.list(key);
    if (found === undefined && mustExist) return integer(0);
    const { items } = found ?? keys.make(key, RedisList);
    if (isLeft) for (const value of values) items.unshift(value);
    else items.push(...values);
    return integer(items.length);
  });
}

function pop(isLeft: boolean) {
  return command(-2, (keys, [key = "", count, ...more]) => {
    const name = isLeft ? "lpop" : "rpop";
    if (more.length > 0)
      throw new RedisError(`ERR wrong number of arguments for '${name}' command`);
    if (count !== undefined && (!/^\d+$/.test(count) || integerOf(count) < 0n))
      throw new RedisError("ERR value is out of range, must be positive");
    const items = keys.list(key)?.items;
    if (items === undefined) return count === undefined ? nil : nilArray;
    const wanted = Math.min(items.length, count === undefined ? 1 : indexOf(count));
    const taken = isLeft ? items.splice(0, wanted) : items.splice(items.length - wanted).reverse();
    keys.dropIfEmpty(key);
    return count === undefined ? bulk(taken[0] ?? null) : bulks(taken);
  });
}

/** Up to |count| of them from the left, from the right when negative, all when 0. */
function removeItems(keys: Keyspace, key: string, count: number, value: string): Reply {
  const items = keys.list(key)?.items ?? [];
  const places = items.flatMap((item, at) => (item === value ? [at] : []));
  const wanted = count === 0 ? places : count > 0 ? places.slice(0, count) : places.slice(count);
  for (const at of wanted.reverse()) items.splice(at, 1);
  keys.dropIfEmpty(key);
  return integer(wanted.length);
}

export const listCommands: CommandTable = {
  lpush: push(true, false),
  rpush: push(false, false),
  lpushx: push(true, true),
  rpushx: push(false, true),
  lpop: pop(true),
  rpop: pop(false),
  llen: command(2, (keys, [key = ""]) => integer(keys.list(key)?.items.length ?? 0)),
  lindex: command(3, (keys, [key = "", index = ""]) => {
    const at = indexOf(index);
    return bulk(keys.list(key)?.items.at(at) ?? null);
  }),
  lset: command(4, (keys, [key = "", index = "", value = ""]) => {
    const items = keys.list(key)?.items;
    if (items === undefined) throw new RedisError("ERR no such key");
    const at = indexOf(index);
    const place = at < 0 ? items.length + at : at;
    if (items[place] === undefined) throw new RedisError("ERR index out of range");
    items[place] = value;
    return ok;
  }),
  lrange: command(4, (keys, [key = "", start = "", stop = ""]) => {
    const [first, last] = [indexOf(start), indexOf(stop)];
    const items = keys.list(key)?.items ?? [];
    return bulks(items.slice(...span(first, last, items.length)));
  }),
  ltrim: command(4, (keys, [key = "", start = "", stop = ""]) => {
    const [first, last] = [indexOf(start), indexOf(stop)];
    const items = keys.list(key)?.items;
    if (items === undefined) return ok;
    const [from, to] = span(first, last, items.length);
    items.splice(to);
    items.splice(0, from);
    keys.dropIfEmpty(key);
    return ok;
  }),
  lrem: command(4, (keys, [key = "", count = "", value = ""]) =>
    removeItems(keys, key, indexOf(count), value),
  ),
  linsert: command(5, (keys, [key = "", where = "", pivot = "", value = ""]) => {
    const side = where.toUpperCase();
    if (side !== "BEFORE" && side !== "AFTER") throw new RedisError(syntaxError);
    const items = keys.list(key)?.items;
    if (items === undefined) return integer(0);
    const at = items.indexOf(pivot);
    if (at < 0) return integer(-1);
    items.splice(side === "BEFORE" ? at : at + 1, 0, value);
    return integer(items.length);
  }),
};
