/** Sorted sets. Source: Redis `t_zset.c`. */
import { command, span, type Command, type CommandTable } from "../command.ts";
import type { Keyspace } from "../keyspace.ts";
import { floatOf, indexOf, integerOf, scoreBound, scoreText } from "../numbers.ts";
import { bulk, bulks, integer, nil, RedisError, syntaxError, type Reply } from "../reply.ts";
import { SortedSet, type Scored } from "../sorted-set.ts";

const nan = "ERR resulting score is not a number (NaN)";

interface AddFlags {
  readonly flags: ReadonlySet<string>;
  readonly pairs: readonly string[];
}

function addFlags(words: readonly string[]): AddFlags {
  const first = words.findIndex(
    (word) => !["NX", "XX", "GT", "LT", "CH", "INCR"].includes(word.toUpperCase()),
  );
  const split = first < 0 ? words.length : first;
  const flags = new Set(words.slice(0, split).map((word) => word.toUpperCase()));
  const pairs = words.slice(split);
  if (pairs.length === 0 || pairs.length % 2 !== 0) throw new RedisError(syntaxError);
  if (flags.has("NX") && flags.has("XX"))
    throw new RedisError("ERR XX and NX options at the same time are not compatible");
  const isBounded = flags.has("GT") || flags.has("LT");
  if ((isBounded && flags.has("NX")) || (flags.has("GT") && flags.has("LT")))
    throw new RedisError("ERR GT, LT, and/or NX options at the same time are not compatible");
  if (flags.has("INCR") && pairs.length > 2)
    throw new RedisError("ERR INCR option supports a single increment-element pair");
  return { flags, pairs };
}

/** The score a member gets, or undefined when the flags leave it alone. */
function scoreFor(flags: ReadonlySet<string>, old: number | undefined, given: number) {
  if (old === undefined) return flags.has("XX") ? undefined : given;
  if (flags.has("NX")) return undefined;
  const score = flags.has("INCR") ? old + given : given;
  if (Number.isNaN(score)) throw new RedisError(nan);
  if (flags.has("GT") && score <= old) return undefined;
  return flags.has("LT") && score >= old ? undefined : score;
}

function add(keys: Keyspace, key: string, { flags, pairs }: AddFlags): Reply {
  const scores = pairs.filter((_, at) => at % 2 === 0).map((text) => floatOf(text));
  const isThere = keys.sorted(key) !== undefined;
  if (!isThere && flags.has("XX")) return flags.has("INCR") ? nil : integer(0);
  const set = keys.make(key, SortedSet);
  let added = 0;
  let changed = 0;
  let last: number | undefined;
  for (const [index, given] of scores.entries()) {
    const member = pairs[2 * index + 1]!;
    const old = set.score(member);
    const score = scoreFor(flags, old, given);
    last = score;
    if (score === undefined) continue;
    if (old === undefined) added++;
    else if (old !== score) changed++;
    set.set(member, score);
  }
  keys.dropIfEmpty(key);
  if (flags.has("INCR")) return last === undefined ? nil : bulk(scoreText(last));
  return integer(flags.has("CH") ? added + changed : added);
}

function shown(found: readonly Scored[], withScores: boolean): Reply {
  if (!withScores) return bulks(found.map(({ member }) => member));
  return bulks(found.flatMap(({ member, score }) => [member, scoreText(score)]));
}

interface RangeOptions {
  readonly withScores: boolean;
  readonly limit: readonly [offset: number, count: number] | null;
  readonly words: ReadonlySet<string>;
}

function rangeOptions(options: readonly string[], known: readonly string[]): RangeOptions {
  const words = new Set<string>();
  let limit: RangeOptions["limit"] = null;
  for (let at = 0; at < options.length; at++) {
    const option = options[at]!.toUpperCase();
    if (option === "LIMIT" && known.includes(option) && at + 2 < options.length) {
      limit = [indexOf(options[at + 1]!), indexOf(options[at + 2]!)];
      at += 2;
    } else if (option !== "LIMIT" && known.includes(option)) words.add(option);
    else throw new RedisError(syntaxError);
  }
  return { withScores: words.has("WITHSCORES"), limit, words };
}

function limited(found: readonly Scored[], limit: RangeOptions["limit"]): readonly Scored[] {
  if (limit === null) return found;
  const [offset, count] = limit;
  if (offset < 0) return [];
  return found.slice(offset, count < 0 ? undefined : offset + count);
}

function byIndex(isReverse: boolean): Command {
  return command(-4, (keys, [key = "", start = "", stop = "", ...rest]) => {
    const options = rangeOptions(
      rest,
      isReverse ? ["WITHSCORES"] : ["WITHSCORES", "REV", "BYSCORE", "LIMIT"],
    );
    const isTurned = isReverse || options.words.has("REV");
    if (options.words.has("BYSCORE"))
      return inScores(keys, key, isTurned ? [stop, start] : [start, stop], isTurned, options);
    if (options.limit !== null)
      throw new RedisError(
        "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX",
      );
    const [first, last] = [indexOf(start), indexOf(stop)];
    const ordered = keys.sorted(key)?.ordered() ?? [];
    const all = isTurned ? [...ordered].reverse() : ordered;
    return shown(all.slice(...span(first, last, all.length)), options.withScores);
  });
}

function inScores(
  keys: Keyspace,
  key: string,
  bounds: readonly [min: string, max: string],
  isReverse: boolean,
  options: RangeOptions,
): Reply {
  const [min, max] = [scoreBound(bounds[0]), scoreBound(bounds[1])];
  const found = keys.sorted(key)?.between(min, max) ?? [];
  return shown(limited(isReverse ? found.reverse() : found, options.limit), options.withScores);
}

function byScore(isReverse: boolean): Command {
  return command(-4, (keys, [key = "", one = "", other = "", ...rest]) => {
    const options = rangeOptions(rest, ["WITHSCORES", "LIMIT"]);
    return inScores(keys, key, isReverse ? [other, one] : [one, other], isReverse, options);
  });
}

function rank(isReverse: boolean): Command {
  return command(3, (keys, [key = "", member = ""]) => {
    const ordered = keys.sorted(key)?.ordered() ?? [];
    const at = ordered.findIndex((entry) => entry.member === member);
    if (at < 0) return nil;
    return integer(isReverse ? ordered.length - 1 - at : at);
  });
}

function removed(keys: Keyspace, key: string, found: readonly Scored[]): Reply {
  const set = keys.sorted(key);
  for (const { member } of found) set?.delete(member);
  keys.dropIfEmpty(key);
  return integer(found.length);
}

function popped(isMax: boolean): Command {
  return command(-2, (keys, [key = "", count = "1"]) => {
    const wanted = Number(integerOf(count));
    if (wanted < 0) throw new RedisError("ERR value is out of range, must be positive");
    const ordered = keys.sorted(key)?.ordered() ?? [];
    const taken = (isMax ? [...ordered].reverse() : ordered).slice(0, wanted);
    removed(keys, key, taken);
    return shown(taken, true);
  });
}

export const sortedSetCommands: CommandTable = {
  zadd: command(-4, (keys, [key = "", ...words]) => add(keys, key, addFlags(words))),
  zincrby: command(4, (keys, [key = "", by = "", member = ""]) =>
    add(keys, key, { flags: new Set(["INCR"]), pairs: [by, member] }),
  ),
  zcard: command(2, (keys, [key = ""]) => integer(keys.sorted(key)?.size ?? 0)),
  zscore: command(3, (keys, [key = "", member = ""]) => {
    const score = keys.sorted(key)?.score(member);
    return score === undefined ? nil : bulk(scoreText(score));
  }),
  zrank: rank(false),
  zrevrank: rank(true),
  zcount: command(4, (keys, [key = "", min = "", max = ""]) => {
    const [low, high] = [scoreBound(min), scoreBound(max)];
    return integer(keys.sorted(key)?.between(low, high).length ?? 0);
  }),
  zrange: byIndex(false),
  zrevrange: byIndex(true),
  zrangebyscore: byScore(false),
  zrevrangebyscore: byScore(true),
  zrem: command(-3, (keys, [key = "", ...members]) => {
    const set = keys.sorted(key);
    const count = members.filter((member) => set?.delete(member) ?? false).length;
    keys.dropIfEmpty(key);
    return integer(count);
  }),
  zremrangebyscore: command(4, (keys, [key = "", min = "", max = ""]) => {
    const [low, high] = [scoreBound(min), scoreBound(max)];
    return removed(keys, key, keys.sorted(key)?.between(low, high) ?? []);
  }),
  zremrangebyrank: command(4, (keys, [key = "", start = "", stop = ""]) => {
    const [first, last] = [indexOf(start), indexOf(stop)];
    const ordered = keys.sorted(key)?.ordered() ?? [];
    return removed(keys, key, ordered.slice(...span(first, last, ordered.length)));
  }),
  zpopmin: popped(false),
  zpopmax: popped(true),
};
