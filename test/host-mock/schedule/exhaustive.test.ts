import { describe, expect, test } from "vitest";
import { searchExhaustively } from "../../../host-mock/schedule/exhaustive.ts";
import type { SearchOptions } from "../../../host-mock/schedule/search-options.ts";
import { GraphWorld } from "./support/graph-world.ts";
import { schedulesOf } from "./support/oracle.ts";
import { Counters, LeaseRace, LostUpdate, Philosophers } from "./support/toy-worlds.ts";

const all: SearchOptions = { stopAtViolation: false };

/** n! / (k! (n − k)!) */
function choose(n: number, k: number): number {
  return k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k;
}

describe("every schedule, one by one", () => {
  test("is each interleaving of two agents with two steps once", () => {
    const world = new LostUpdate(2);

    const result = searchExhaustively(world, { ...all, merging: false });

    expect(schedulesOf(world).texts).toEqual(["aabb", "abab", "abba", "baab", "baba", "bbaa"]);
    expect(result).toMatchObject({
      strategy: "exhaustive",
      schedules: 6,
      states: null,
      // The tree's edges: 2 + 4 + 6 + 6.
      steps: 18,
      depth: 4,
      complete: true,
      cutBy: null,
      // All but aabb and bbaa.
      violations: { "all counted": 4 },
      missed: [],
    });
  });

  test.each([
    [2, 3, 20],
    [3, 2, 90],
    [3, 3, 1680],
    [4, 2, 2520],
  ])(
    "of %i agents with %i steps are %i, as many as orders of their steps",
    (agents, steps, count) => {
      const result = searchExhaustively(new Counters(agents, steps), { merging: false });

      expect(result).toMatchObject({ schedules: count, complete: true, depth: agents * steps });
    },
  );

  test("of agents that never meet is one when sleep sets leave out what only swaps neighbours", () => {
    const result = searchExhaustively(new Counters(3, 4), { merging: false, sleepSets: true });

    expect(result).toMatchObject({ schedules: 1, steps: 5 ** 3 - 1, complete: true });
  });

  test("ends at its first violation when it is not told to go on", () => {
    const result = searchExhaustively(new LostUpdate(2), { merging: false });

    expect(result).toMatchObject({
      schedules: 2,
      complete: false,
      cutBy: "violation",
      violations: { "all counted": 1 },
      violation: { property: "all counted", schedule: [0, 1, 0, 1], text: "a b a b" },
    });
  });

  test("is cut where one is longer than the bound", () => {
    const result = searchExhaustively(new Counters(2, 5), { merging: false, maxDepth: 9 });

    expect(result).toMatchObject({ schedules: 0, complete: false, cutBy: "depth", depth: 9 });
  });
});

describe("merged states", () => {
  test.each([
    [2, 3],
    [3, 4],
    [4, 5],
  ])("of %i agents that make %i steps are as many as there are counts", (agents, steps) => {
    const world = new Counters(agents, steps);
    const states = (steps + 1) ** agents;

    const result = searchExhaustively(world);

    expect(result).toEqual({
      strategy: "exhaustive",
      seed: null,
      schedules: null,
      states,
      // From each state one by each agent that is not done.
      steps: agents * steps * (steps + 1) ** (agents - 1),
      depth: agents * steps,
      complete: true,
      cutBy: null,
      violations: {},
      missed: [],
      violation: null,
    });
  });

  test.each([
    [2, 3],
    [3, 4],
    [4, 5],
  ])("of %i alike agents with %i steps are multisets of counts", (agents, steps) => {
    const result = searchExhaustively(new Counters(agents, steps), { symmetry: true });

    expect(result).toMatchObject({ states: choose(agents + steps, agents), complete: true });
  });

  test.each([
    [2, 3],
    [3, 4],
    [4, 5],
  ])("of %i agents with %i steps are each reached by one step with sleep sets", (agents, steps) => {
    const states = (steps + 1) ** agents;

    const result = searchExhaustively(new Counters(agents, steps), { sleepSets: true });

    expect(result).toMatchObject({ states, steps: states - 1, complete: true });
  });

  test("are more than a chunk and a segment of the table hold, and none is lost or doubled", () => {
    const result = searchExhaustively(new Counters(4, 20));

    expect(result).toMatchObject({ states: 21 ** 4, steps: 4 * 20 * 21 ** 3, complete: true });
  });

  test("show a shortest violation first", () => {
    const result = searchExhaustively(new LostUpdate(3));

    expect(result).toMatchObject({
      complete: false,
      cutBy: "violation",
      violations: { "all counted": 1 },
      violation: { property: "all counted", shrinkCount: 0 },
    });
    expect(result.violation!.schedule).toHaveLength(6);
  });

  test("show a violation on the way before a longer one at an end", () => {
    const result = searchExhaustively(new LostUpdate(3, true));

    expect(result.violation).toMatchObject({ property: "no stale write", text: "a b a b" });
    expect(result.violation!.steps.map(({ vm }) => vm)).toEqual(["a", "b", "a", "b"]);
  });

  test("show a deadlock where each has taken one fork", () => {
    const result = searchExhaustively(new Philosophers(3), all);

    expect(result).toMatchObject({
      complete: true,
      violations: { "everybody eats": 1 },
      violation: { text: "a b c" },
    });
  });

  test("show none where one of them takes the other fork first", () => {
    const result = searchExhaustively(new Philosophers(3, true), all);

    expect(result).toMatchObject({ complete: true, violations: {}, violation: null });
  });

  test("find two leaders by time and by a race, and none where the lease is compared", () => {
    const race = new LeaseRace(2, { isAtomic: false, time: 0, crashes: 0 });
    const late = new LeaseRace(2, { isAtomic: true, time: 1, crashes: 0 });
    const safe = new LeaseRace(2, { isAtomic: true, time: 0, crashes: 1 });

    expect(searchExhaustively(race).violation?.text).toBe("a b a b");
    expect(searchExhaustively(late).violation?.text).toBe("a*2 time b*2");
    expect(searchExhaustively(safe)).toMatchObject({ complete: true, violation: null, missed: [] });
  });

  test("name the goals that were never reached", () => {
    const world = new LeaseRace(2, { isAtomic: true, time: 0, crashes: 0 });

    expect(searchExhaustively(world).missed).toEqual(["led after a crash"]);
  });
});

describe("a violation", () => {
  test.each([true, false])(
    "at the end of a schedule comes before a longer one on the way (stopping: %s)",
    (stopAtViolation) => {
      // Seen first is a·a; b is shorter by a step.
      const edges = { 0: { 0: [1], 1: [2] }, 1: { 0: [3, 1] } } as const;
      const world = new GraphWorld(2, edges, { 2: 2 });

      const result = searchExhaustively(world, { stopAtViolation });

      expect(result).toMatchObject({
        violations: stopAtViolation ? { Q: 1 } : { P: 1, Q: 1 },
        violation: { property: "Q", text: "b" },
      });
    },
  );

  test("may be at the beginning already, where nothing can happen", () => {
    const result = searchExhaustively(new GraphWorld(1, {}, { 0: 1 }));

    expect(result).toMatchObject({ states: 1, depth: 0, violation: { schedule: [], text: "" } });
  });

  test("counts a state once for each property, however often it is reached", () => {
    const edges = { 0: { 0: [1, 1], 1: [1, 3], 2: [1, 2] } } as const;

    const merged = searchExhaustively(new GraphWorld(3, edges), all);
    const plain = searchExhaustively(new GraphWorld(3, edges), { ...all, merging: false });

    expect(merged.violations).toEqual({ P: 1, Q: 1 });
    expect(plain.violations).toEqual({ P: 2, Q: 2 });
  });

  test("hides what is behind it, unless another way there violates nothing", () => {
    const hidden = { 0: { 0: [1, 1] }, 1: { 0: [2, 2] } } as const;
    const open = { 0: { 0: [1, 1], 1: [3] }, 1: { 0: [2, 2] }, 3: { 1: [1] } } as const;

    expect(searchExhaustively(new GraphWorld(2, hidden), all)).toMatchObject({
      states: 2,
      violations: { P: 1 },
    });
    expect(
      searchExhaustively(new GraphWorld(2, hidden), { ...all, beyondViolations: true }),
    ).toMatchObject({ states: 3, violations: { P: 1, Q: 1 } });
    expect(searchExhaustively(new GraphWorld(2, open), all)).toMatchObject({
      states: 4,
      violations: { P: 1, Q: 1 },
    });
  });

  test("that is not there when its schedule is run again is a fault of the world, said so", () => {
    const world = new GraphWorld(1, { 0: { 0: [1] } });
    let steps = 0;
    world.change = (state, at) => {
      state[at] = 1;
      return steps++ === 0 ? 1 : 0;
    };

    expect(() => searchExhaustively(world)).toThrow(
      'P is violated in the search and not when "a" is run again',
    );
  });
});

describe("preemptions", () => {
  test("none: the agents run one after the other", () => {
    const bounded = { ...all, preemptions: 0 };

    const result = searchExhaustively(new Counters(3, 4), { ...bounded, merging: false });
    const merged = searchExhaustively(new LostUpdate(3), bounded);

    expect(result).toMatchObject({ schedules: 6, complete: true });
    expect(merged).toMatchObject({ complete: true, violations: {} });
  });

  test("one: each schedule of two agents that turns back once at most", () => {
    // ab and ba, and for each place in the middle of the first one's four steps one that is cut in two.
    const result = searchExhaustively(new Counters(2, 4), { merging: false, preemptions: 1 });

    expect(result).toMatchObject({ schedules: 2 + 2 * 3, complete: true });
  });

  test("are enough at one to lose an update", () => {
    const result = searchExhaustively(new LostUpdate(2), { preemptions: 1 });

    expect(result.violation?.text).toBe("a b*2 a");
  });

  test("are none where an agent is between two things it does", () => {
    // Two steps belong together: a switch after the second is free.
    const isMidway = (state: Int32Array, at: number, agent: number): boolean =>
      state[at + agent]! % 2 === 1;
    const options = { merging: false, preemptions: 0, isMidway };

    const result = searchExhaustively(new Counters(2, 4), options);

    // Orders of two pairs each.
    expect(result).toMatchObject({ schedules: 6, complete: true });
  });

  test("are not counted when time passes in between", () => {
    const world = new LeaseRace(2, { isAtomic: true, time: 1, crashes: 0 });

    const result = searchExhaustively(world, { preemptions: 0 });

    expect(result.violation?.text).toBe("a*2 time b*2");
  });
});

describe("bounds", () => {
  const world = new Counters(4, 9);

  test("of states are kept exactly", () => {
    expect(searchExhaustively(world, { maxStates: 5000 })).toMatchObject({
      states: 5000,
      complete: false,
      cutBy: "states",
    });
  });

  test("of steps are kept exactly", () => {
    expect(searchExhaustively(world, { maxSteps: 12345 })).toMatchObject({
      steps: 12345,
      complete: false,
      cutBy: "steps",
    });
  });

  test("equal to what there is cut nothing", () => {
    const bounds = { maxStates: 10_000, maxSteps: 36_000 };

    expect(searchExhaustively(world, bounds)).toMatchObject({ complete: true, cutBy: null });
  });

  test("of time are asked for every few thousand steps, and progress is told as often", () => {
    const told: number[] = [];
    let asked = 0;
    const result = searchExhaustively(world, {
      shouldStop: () => ++asked === 3,
      onProgress: ({ steps, states }) => told.push(steps, states!),
    });

    expect(result).toMatchObject({ steps: 3 * 4096, complete: false, cutBy: "time" });
    expect(told).toHaveLength(6);
    expect(told.at(-1)).toBe(result.states);
  });

  test("of memory cut", () => {
    const result = searchExhaustively(world, { maxBytes: 1000 });

    expect(result).toMatchObject({ steps: 4096, complete: false, cutBy: "memory" });
  });

  test.each<[SearchOptions, string]>([
    [{ maxStates: 0 }, "maxStates is 0; give a whole number of at least 1"],
    [{ maxSteps: 1.5 }, "maxSteps is 1.5; give a whole number of at least 1"],
    [{ preemptions: -1 }, "preemptions is -1; give a whole number of at least 0"],
    [
      { sleepSets: true, preemptions: 1 },
      "sleepSets and preemptions are given together; leave one out: a sleeping step may be the one within the bound",
    ],
    [
      { merging: false, symmetry: true },
      "symmetry and merging: false are given together; leave one out: without merging nothing is compared",
    ],
    [
      { merging: false, maxStates: 9 },
      "maxStates and merging: false are given together; leave one out: without merging no states are kept",
    ],
  ])("%j is refused", (options, message) => {
    expect(() => searchExhaustively(world, options)).toThrow(message);
  });
});
