import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { searchExhaustively } from "../../../host-mock/schedule/exhaustive.ts";
import { mergeShards } from "../../../host-mock/schedule/merge.ts";
import { replaySchedule } from "../../../host-mock/schedule/replay.ts";
import type { SearchResult } from "../../../host-mock/schedule/result.ts";
import type { SearchOptions } from "../../../host-mock/schedule/search-options.ts";
import { parseShard, searchShard } from "../../../host-mock/schedule/shards.ts";
import type { World } from "../../../host-mock/schedule/world.ts";
import { randomPrograms, RandomWorld } from "./support/random-world.ts";
import { Counters, LostUpdate } from "./support/toy-worlds.ts";

interface Split {
  readonly count: number;
  readonly share?: number;
}

function shardsOf(world: World, split: Split, options: SearchOptions = {}): SearchResult[] {
  return Array.from({ length: split.count }, (_, at) =>
    searchShard(world, { ...split, index: at + 1 }, "test", options),
  );
}

describe("a search in shards", () => {
  test("covers the whole one, with states counted at most once a shard", () => {
    const world = new Counters(4, 9);
    const whole = searchExhaustively(world);

    const shards = shardsOf(world, { count: 3 });
    const merged = mergeShards(shards);

    expect(merged).toMatchObject({ complete: true, cutBy: null, depth: 36, isUpperBound: true });
    expect(merged.states).toBeGreaterThanOrEqual(whole.states!);
    for (const { states, steps, shard } of shards) {
      expect(states).toBeLessThan(whole.states!);
      expect(steps).toBeLessThan(whole.steps);
      expect(shard).toMatchObject({ count: 3, fingerprint: "test" });
    }
    // Level 9 is the first of at least 192: 220 ways to write 9 as a sum of four.
    expect(shards[0]!.shard!.frontierCount).toBe(220);
    // What all have in common: the levels up to there, choose(9 + 4, 4) states.
    expect(shards[0]!.shard!.common.states).toBe(715);
  });

  test.prop(
    [
      randomPrograms(true),
      fc.record({ count: fc.integer({ min: 1, max: 4 }), share: fc.integer({ min: 1, max: 5 }) }),
      fc.record({
        symmetry: fc.boolean(),
        sleepSets: fc.boolean(),
        stopAtViolation: fc.boolean(),
      }),
    ],
    { numRuns: 500 },
  )("finds what the whole one finds", (about, split, options) => {
    const world = new RandomWorld(about);
    const whole = searchExhaustively(world, options);

    const merged = mergeShards(shardsOf(world, split, options).reverse());

    expect(merged.complete).toBe(whole.complete);
    expect(merged.cutBy).toBe(whole.cutBy);
    expect(merged.violation?.schedule.length).toBe(whole.violation?.schedule.length);
    if (options.stopAtViolation && whole.violation !== null) return;
    expect(Object.keys(merged.violations).sort()).toEqual(Object.keys(whole.violations).sort());
    expect(merged.missed).toEqual(whole.missed);
    expect(merged.states).toBeGreaterThanOrEqual(whole.states!);
    for (const [name, count] of Object.entries(whole.violations))
      expect(merged.violations[name]).toBeGreaterThanOrEqual(count);
    if (split.count === 1)
      expect(merged).toMatchObject({ states: whole.states, steps: whole.steps });
  });

  test("of which some are missing is not complete", () => {
    const [first, , third] = shardsOf(new Counters(4, 9), { count: 3 });

    expect(mergeShards([first!, third!])).toMatchObject({ complete: false, cutBy: "shard" });
  });

  test("of which one was cut is not complete, wherever it was cut", () => {
    const world = new Counters(4, 9);
    const [first, second] = shardsOf(world, { count: 2 });
    const late = searchShard(world, { index: 2, count: 2 }, "test", { maxStates: 2000 });
    const early = searchShard(world, { index: 2, count: 2 }, "test", { maxStates: 100 });

    expect(early.shard!.frontierCount).toBe(null);
    for (const cut of [late, early])
      expect(mergeShards([first!, cut])).toMatchObject({ complete: false, cutBy: "states" });
    expect(mergeShards([second!, first!]).complete).toBe(true);
  });

  test("shows the shortest violation of all", () => {
    const world = new LostUpdate(4, true);
    const shards = shardsOf(world, { count: 3, share: 2 });

    const merged = mergeShards(shards);

    expect(merged).toMatchObject({ complete: false, cutBy: "violation" });
    const lengths = shards.map(({ violation }) => violation!.schedule.length);
    expect(merged.violation!.schedule).toHaveLength(4);
    expect(Math.min(...lengths)).toBe(4);
    expect(replaySchedule(world, merged.violation!.schedule).violation).toEqual(merged.violation);
  });
});

describe("merge refuses", () => {
  const world = new Counters(3, 9);
  const [first, second] = shardsOf(world, { count: 2 }) as [SearchResult, SearchResult];
  const other = searchShard(world, { index: 2, count: 2 }, "something else");
  const third = searchShard(world, { index: 3, count: 3 }, "test");
  const elsewhere = searchShard(world, { index: 2, count: 2, share: 3 }, "test");

  test.each<[string, SearchResult[], string]>([
    ["nothing", [], "there is no result to join; give those of all shards"],
    [
      "a whole search",
      [first, searchExhaustively(world)],
      "result 2 is not a shard's; join results of searches run with --shard",
    ],
    [
      "shards of different searches",
      [first, other],
      "shard 2/2 searched something else than shard 1/2; join the shards of one search",
    ],
    [
      "shards of different numbers",
      [first, second, third],
      "shard 3/3 and shard 1/2 are given together",
    ],
    [
      "a shard twice",
      [second, first, second],
      "shard 2/2 is given twice; give each shard's result once",
    ],
    [
      "shards that were split otherwise",
      [first, elsewhere],
      "shard 2/2 split the search elsewhere",
    ],
  ])("%s", (_, results, message) => {
    expect(() => mergeShards(results)).toThrow(message);
  });
});

describe("a shard's name", () => {
  test("is its number and how many there are", () => {
    expect(parseShard("2/8")).toEqual({ index: 2, count: 8 });
  });

  test.each(["0/3", "4/3", "1", "1/", "a/b", "1/20000", " 1/2"])("is not %j", (text) => {
    expect(() => parseShard(text)).toThrow(
      `the shard is ${JSON.stringify(text)}; write I/N, with I from 1 to N and N at most 10000`,
    );
  });

  test("needs merging", () => {
    expect(() =>
      searchShard(new Counters(2, 2), { index: 1, count: 2 }, "test", { merging: false }),
    ).toThrow("shard and merging: false are given together");
  });
});
