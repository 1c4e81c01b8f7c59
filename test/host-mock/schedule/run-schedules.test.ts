import { describe, expect, test } from "vitest";
import { FixedSchedule } from "../../../host-mock/schedule/fixed.ts";
import { Pct } from "../../../host-mock/schedule/pct.ts";
import { RandomWalk } from "../../../host-mock/schedule/random-walk.ts";
import { RoundRobin } from "../../../host-mock/schedule/round-robin.ts";
import { runSchedules } from "../../../host-mock/schedule/run-schedules.ts";
import { scheduleText } from "../../../host-mock/schedule/schedule-text.ts";
import type { Strategy, Turn } from "../../../host-mock/schedule/strategy.ts";
import type { World } from "../../../host-mock/schedule/world.ts";
import { Counters, LeaseRace, LostUpdate } from "./support/toy-worlds.ts";

/** The schedules that a strategy draws up, as text. */
function drawn(world: World, strategy: Strategy, schedules: number): string[] {
  const made: number[][] = [];
  const recorder: Strategy = {
    name: strategy.name,
    seed: strategy.seed,
    begin: (schedule) => {
      const goesOn = strategy.begin(schedule);
      if (goesOn) made.push([]);
      return goesOn;
    },
    next: (turn: Turn) => {
      const choice = strategy.next(turn);
      if (choice >= 0) made.at(-1).push(choice);
      return choice;
    },
  };
  runSchedules(world, recorder, { schedules, stopAtViolation: false });
  return made.map((schedule) => scheduleText(world, schedule));
}

describe("a run of schedules", () => {
  test("counts what it made and never says that it saw everything", () => {
    const result = runSchedules(new Counters(2, 3), new RandomWalk(1), { schedules: 10 });

    expect(result).toEqual({
      strategy: "random",
      seed: 1,
      schedules: 10,
      states: null,
      steps: 60,
      depth: 6,
      complete: false,
      cutBy: "schedules",
      violations: {},
      missed: [],
      violation: null,
    });
  });

  test("stops at the first violation, shrunk", () => {
    const result = runSchedules(new LostUpdate(3), new RandomWalk(1), { schedules: 100 });

    expect(result).toMatchObject({
      complete: false,
      cutBy: "violation",
      violations: { "all counted": 1 },
    });
    // One agent does all it has to in the middle of another's.
    expect(result.violation!.text.split(" ")).toHaveLength(4);
    expect(result.violation!.shrinkCount).toBeGreaterThan(0);
  });

  test("counts violating schedules when it goes on, in the share they have among all", () => {
    const options = { schedules: 2000, stopAtViolation: false };

    const result = runSchedules(new LostUpdate(2), new RandomWalk(3), options);

    // aabb and bbaa are fine: each is drawn by two even choices.
    expect(result.cutBy).toBe("schedules");
    expect(result.violations["all counted"]! / 2000).toBeCloseTo(0.5, 1);
    expect(result.missed).toEqual([]);
  });

  test("is cut by steps, by time, and by a schedule that is too long", () => {
    const world = new Counters(2, 5);
    const walk = new RandomWalk(1);

    expect(runSchedules(world, walk, { maxSteps: 25 })).toMatchObject({
      schedules: 2,
      steps: 25,
      cutBy: "steps",
    });
    expect(runSchedules(world, walk, { shouldStop: () => true })).toMatchObject({
      steps: 4096,
      cutBy: "time",
    });
    expect(runSchedules(world, walk, { maxDepth: 9, schedules: 3 })).toMatchObject({
      schedules: 3,
      steps: 27,
      cutBy: "depth",
    });
  });

  test("names a strategy that chooses what cannot happen", () => {
    const wrong: Strategy = { name: "wrong", seed: null, begin: () => true, next: () => 3 };

    expect(() => runSchedules(new Counters(2, 1), wrong)).toThrow(
      "wrong chose 3, which cannot happen",
    );
  });
});

describe("fixed", () => {
  test("runs the given choices and no others", () => {
    const world = new LostUpdate(2);

    expect(drawn(world, new FixedSchedule(world, [0, 1, 1]), 5)).toEqual(["a b*2"]);
  });

  test("finds what the given schedule violates", () => {
    const world = new LostUpdate(2);
    const strategy = new FixedSchedule(world, [0, 1, 1, 0]);

    const result = runSchedules(world, strategy, { shrink: false });

    expect(result).toMatchObject({ schedules: 1, steps: 4, violation: { text: "a b*2 a" } });
  });

  test("names the step that cannot happen, and what could", () => {
    const world = new LostUpdate(2);
    const run = (schedule: readonly number[]): unknown =>
      runSchedules(world, new FixedSchedule(world, schedule), { stopAtViolation: false });

    expect(() => run([0, 0, 0, 1])).toThrow(
      "step 3 of the schedule: a cannot happen; possible there: b",
    );
    expect(() => run([0, 0, 1, 1, 1])).toThrow(
      "step 5 of the schedule: b cannot happen; nothing can: a schedule ends there",
    );
    expect(() => run([0, 9])).toThrow("step 2 of the schedule: there is no choice 9");
  });
});

describe("round robin", () => {
  const world = new Counters(3, 4);

  test("takes the agents in turn", () => {
    expect(drawn(world, new RoundRobin(world), 5)).toEqual([Array(4).fill("a b c").join(" ")]);
  });

  test("gives each several steps when told so", () => {
    expect(drawn(world, new RoundRobin(world, { turn: 3 }), 1)).toEqual(["a*3 b*3 c*3 a b c"]);
  });

  test("lets time pass and faults happen only where no agent can go on", () => {
    const lease = new LeaseRace(2, { isAtomic: true, time: 1, crashes: 1 });

    expect(drawn(lease, new RoundRobin(lease), 1)).toEqual(["a b a b time crash:a"]);
  });
});

describe("random", () => {
  test("draws the same schedules from the same seed, each as likely as its steps", () => {
    const world = new LostUpdate(2);
    const first = drawn(world, new RandomWalk(7), 400);

    expect(drawn(world, new RandomWalk(7), 400)).toEqual(first);
    expect(drawn(world, new RandomWalk(8), 400)).not.toEqual(first);
    expect(new Set(first).size).toBe(6);
    expect(first.filter((text) => text === "a*2 b*2").length / 400).toBeCloseTo(1 / 4, 1);
    expect(first.filter((text) => text === "a b*2 a").length / 400).toBeCloseTo(1 / 8, 1);
  });

  test("draws the hundredth schedule without those before it", () => {
    const world = new Counters(3, 4);
    const walk = new RandomWalk(7);
    const only: Strategy = {
      name: "random",
      seed: 7,
      begin: (schedule) => walk.begin(schedule + 99),
      next: (turn) => walk.next(turn),
    };

    expect(drawn(world, only, 1)[0]).toBe(drawn(world, new RandomWalk(7), 100)[99]);
  });
});

describe("pct", () => {
  test("with depth 1 runs the agents one after the other, in any order", () => {
    const world = new Counters(3, 4);

    const texts = drawn(world, new Pct(world, 1, { depth: 1 }), 200);

    expect(new Set(texts).size).toBe(6);
    expect(texts).toContain("b*4 a*4 c*4");
  });

  test("with depth 2 turns back once at most, and measures in the first schedule", () => {
    const world = new Counters(2, 4);

    const texts = drawn(world, new Pct(world, 1, { depth: 2 }), 300);

    // One change of priority cuts one agent's steps in two, or begins with the other.
    expect(["a*4 b*4", "b*4 a*4"]).toContain(texts[0]);
    expect(new Set(texts)).toEqual(
      new Set([
        ...["a*4 b*4", "a b*4 a*3", "a*2 b*4 a*2", "a*3 b*4 a"],
        ...["b*4 a*4", "b a*4 b*3", "b*2 a*4 b*2", "b*3 a*4 b"],
      ]),
    );
  });

  test("finds a violation that needs one change of priority as often as the paper promises", () => {
    const world = new LostUpdate(2);
    const options = { schedules: 2000, stopAtViolation: false };

    const found = runSchedules(world, new Pct(world, 5, { depth: 2 }), options);
    const none = runSchedules(world, new Pct(world, 5, { depth: 1 }), options);

    // 1 / (n · k^(d − 1)), n = 2, k = 4.
    expect(found.violations["all counted"]! / 2000).toBeGreaterThan(1 / 8);
    expect(none.violations).toEqual({});
  });

  test("draws the same from the same seed", () => {
    const world = new LeaseRace(3, { isAtomic: true, time: 2, crashes: 1 });

    expect(drawn(world, new Pct(world, 4), 50)).toEqual(drawn(world, new Pct(world, 4), 50));
    expect(drawn(world, new Pct(world, 4), 50)).not.toEqual(drawn(world, new Pct(world, 5), 50));
  });
});
