import { MockHostError } from "../errors.ts";
import type { CutBy, SearchResult, ShardInfo } from "./result.ts";

interface ShardResult extends SearchResult {
  readonly shard: ShardInfo;
}

/**
 * One result of the results of a search's shards, in any order. The violation is the shortest of all; where shards are
 * missing the result is cut by "shard", else by what cut the first one that is not complete. Shards overlap, so that
 * `states`, `steps` and `violations` are upper bounds of what one search would count (`isUpperBound`); what all have in
 * common before their split is counted once.
 *
 * E_OPTION for what is no shard, for shards of different searches, and for one given twice.
 */
export function mergeShards(results: readonly SearchResult[]): SearchResult {
  const shards = requireShards(results);
  const first = shards[0]!;
  const { count } = first.shard;
  const { common } = (shards.find(({ shard }) => shard.frontierCount !== null) ?? first).shard;
  const sum = (of: (result: ShardResult) => number, shared: number): number =>
    shards.reduce((total, result) => total + of(result) - Math.min(shared, of(result)), shared);
  const names = new Set(shards.flatMap(({ violations }) => Object.keys(violations)));
  const violations = [...names].map((name) => {
    const shared = common.violations[name] ?? 0;
    return [name, sum((result) => result.violations[name] ?? 0, shared)] as const;
  });
  const cutBy: CutBy | null =
    shards.find((result) => result.cutBy === "violation")?.cutBy ??
    (shards.length < count ? "shard" : null) ??
    shards.find((result) => result.cutBy !== null)?.cutBy ??
    null;
  return {
    strategy: first.strategy,
    seed: first.seed,
    schedules: null,
    states: sum(({ states }) => states ?? 0, common.states),
    steps: sum(({ steps }) => steps, common.steps),
    depth: Math.max(...shards.map(({ depth }) => depth)),
    complete: cutBy === null && shards.every(({ complete }) => complete),
    cutBy,
    violations: Object.fromEntries(violations),
    missed: first.missed.filter((goal) => shards.every(({ missed }) => missed.includes(goal))),
    violation: shortest(shards),
    isUpperBound: true,
  };
}

function shortest(shards: readonly ShardResult[]): SearchResult["violation"] {
  let found: SearchResult["violation"] = null;
  for (const { violation } of shards) {
    if (violation === null) continue;
    if (found === null || violation.schedule.length < found.schedule.length) found = violation;
  }
  return found;
}

/** In the order of their numbers. */
function requireShards(results: readonly SearchResult[]): ShardResult[] {
  if (results.length === 0) refuse("there is no result to join", "give those of all shards");
  const shards = results.map((result, at): ShardResult => {
    const { shard } = result;
    if (shard !== undefined) return { ...result, shard };
    return refuse(`result ${at + 1} is not a shard's`, "join results of searches run with --shard");
  });
  shards.sort((one, other) => one.shard.index - other.shard.index);
  const first = shards[0]!.shard;
  shards.forEach(({ shard }, at) => {
    const name = `shard ${shard.index}/${shard.count}`;
    if (shard.count !== first.count)
      refuse(`${name} and shard ${first.index}/${first.count} are given together`, split);
    if (shard.fingerprint !== first.fingerprint)
      refuse(`${name} searched something else than shard ${first.index}/${first.count}`, split);
    if (shard.index === shards[at - 1]?.shard.index)
      refuse(`${name} is given twice`, "give each shard's result once");
  });
  requireOneSplit(shards);
  return shards;
}

const split = "join the shards of one search: same file, same options, same number of shards";

/** Where a search was split follows from what was searched; shards that were cut before cannot say it. */
function requireOneSplit(shards: readonly ShardResult[]): void {
  const whole = shards.filter(({ shard }) => shard.frontierCount !== null);
  for (const { shard } of whole) {
    const { frontierCount, common } = whole[0]!.shard;
    if (shard.frontierCount === frontierCount && shard.common.states === common.states) continue;
    refuse(
      `shard ${shard.index}/${shard.count} split the search elsewhere than the others`,
      "run all shards with the same version and the same module",
    );
  }
}

function refuse(what: string, remedy: string): never {
  throw new MockHostError("E_OPTION", what, { remedy });
}
