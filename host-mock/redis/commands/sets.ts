/** Sets. Source: Redis `t_set.c`. The order of a reply's members is that of their adding. */
import { command, type CommandTable } from "../command.ts";
import { RedisSet, type Keyspace } from "../keyspace.ts";
import { array, bulks, integer } from "../reply.ts";

type Combine = (sets: readonly ReadonlySet<string>[]) => string[];

const empty: ReadonlySet<string> = new Set();

const difference: Combine = ([first = empty, ...rest]) =>
  [...first].filter((member) => !rest.some((set) => set.has(member)));
const intersection: Combine = ([first = empty, ...rest]) =>
  [...first].filter((member) => rest.every((set) => set.has(member)));
const union: Combine = (sets) => [...new Set(sets.flatMap((set) => [...set]))];

function setsOf(keys: Keyspace, names: readonly string[]): ReadonlySet<string>[] {
  return names.map((name) => keys.members(name) ?? empty);
}

function combined(combine: Combine) {
  return command(-2, (keys, names) => bulks(combine(setsOf(keys, names))));
}

function stored(combine: Combine) {
  return command(-3, (keys, [destination = "", ...names]) => {
    const members = combine(setsOf(keys, names));
    keys.delete(destination);
    if (members.length > 0) keys.set(destination, new RedisSet(members));
    return integer(members.length);
  });
}

export const setCommands: CommandTable = {
  sadd: command(-3, (keys, [key = "", ...members]) => {
    const set = keys.make(key, RedisSet);
    const before = set.size;
    for (const member of members) set.add(member);
    return integer(set.size - before);
  }),
  srem: command(-3, (keys, [key = "", ...members]) => {
    const set = keys.members(key);
    const removed = members.filter((member) => set?.delete(member) ?? false).length;
    keys.dropIfEmpty(key);
    return integer(removed);
  }),
  scard: command(2, (keys, [key = ""]) => integer(keys.members(key)?.size ?? 0)),
  sismember: command(3, (keys, [key = "", member = ""]) =>
    integer(keys.members(key)?.has(member) ?? false),
  ),
  smismember: command(-3, (keys, [key = "", ...members]) => {
    const set = keys.members(key);
    return array(members.map((member) => integer(set?.has(member) ?? false)));
  }),
  smembers: command(2, (keys, [key = ""]) => bulks(keys.members(key) ?? [])),
  sdiff: combined(difference),
  sinter: combined(intersection),
  sunion: combined(union),
  sdiffstore: stored(difference),
  sinterstore: stored(intersection),
  sunionstore: stored(union),
};
