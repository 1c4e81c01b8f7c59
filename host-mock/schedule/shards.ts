import { MockHostError } from "../errors.ts";
import { shown } from "../did-you-mean.ts";
import { BreadthFirst } from "./breadth-first.ts";
import { exclude, requireCount } from "./options.ts";
import type { SearchResult } from "./result.ts";
import type { SearchOptions } from "./search-options.ts";
import type { World } from "./world.ts";

/** Which part of a search: 1 … count. */
export interface Shard {
  readonly index: number;
  readonly count: number;
  /** How many states a shard gets to go on from, at least, if there are that many; default 64. */
  readonly share?: number;
}

const shareDefault = 64;
const shardMax = 10_000;

/** The shard of a text as `2/8`. E_OPTION for anything else. */
export function parseShard(text: string): Shard {
  const match = /^([1-9][0-9]*)\/([1-9][0-9]*)$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (match !== null && index <= count && count <= shardMax) return { index, count };
  throw new MockHostError("E_OPTION", `the shard is ${shown(text)}`, {
    remedy: `write I/N, with I from 1 to N and N at most ${shardMax}`,
  });
}

/**
 * One of `count` parts of an exhaustive search; `mergeShards` joins their results.
 *
 * Every shard searches breadth-first, level by level, until a level has 64 states (`share`) for each shard; that level is the
 * frontier. Its states have the same order on every machine. A shard goes on from those whose place in this order,
 * from 0, is `index − 1` modulo `count`, and leaves the others' alone for good: their shards go on from there. What is
 * behind the frontier is reached by several shards where paths meet, so shards overlap.
 *
 * `fingerprint` says what is searched (the world, its options); shards of different searches are not joined.
 */
export function searchShard(
  world: World,
  shard: Shard,
  fingerprint: string,
  options: SearchOptions = {},
): SearchResult {
  if (options.merging === false)
    exclude("shard", "merging: false", "a search is split by its distinct states");
  const { index, count } = parseShard(`${shard.index}/${shard.count}`);
  const { share = shareDefault } = shard;
  requireCount("share", share, 1);
  const search = new BreadthFirst(world, options);
  while (!search.isOver && search.frontierCount < share * count) search.advance();
  const common = search.counts;
  const wasCut = search.isOver && search.frontierCount > 0;
  const frontierCount = wasCut ? null : search.frontierCount;
  if (!search.isOver) search.keepShare(index - 1, count);
  while (!search.isOver) search.advance();
  return { ...search.result(), shard: { index, count, frontierCount, fingerprint, common } };
}
