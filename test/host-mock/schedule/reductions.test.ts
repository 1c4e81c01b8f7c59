import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { searchExhaustively } from "../../../host-mock/schedule/exhaustive.ts";
import { replaySchedule } from "../../../host-mock/schedule/replay.ts";
import type { SearchResult } from "../../../host-mock/schedule/result.ts";
import type { SearchOptions } from "../../../host-mock/schedule/search-options.ts";
import { countByName, schedulesOf, truthOf } from "./support/oracle.ts";
import { randomPrograms, RandomWorld } from "./support/random-world.ts";
import { LostUpdate } from "./support/toy-worlds.ts";

const all: SearchOptions = { stopAtViolation: false };
const some = fc.boolean();

/** Two that only read commute. */
class ReadsCommute extends LostUpdate {
  override independent(state: Int32Array, at: number, choice: number): number {
    const reads = (agent: number): boolean => state[this.local(at, agent)] === 0;
    if (!reads(choice)) return 0;
    let mask = 0;
    for (let other = 0; other < this.agentCount; other++)
      if (other !== choice && reads(other)) mask |= 1 << other;
    return mask;
  }
}

function reachedGoals(world: RandomWorld, result: SearchResult): readonly string[] {
  return world.goals.filter((goal) => !result.missed.includes(goal));
}

describe("on random systems whose schedules all end", () => {
  test.prop([randomPrograms(false)], { numRuns: 300 })(
    "plain enumeration runs each schedule once",
    (about) => {
      const world = new RandomWorld(about);
      const { texts, masks } = schedulesOf(world);

      const result = searchExhaustively(world, { ...all, merging: false });

      expect(new Set(texts).size).toBe(texts.length);
      expect(result).toMatchObject({ schedules: texts.length, complete: true });
      expect(result.violations).toEqual(countByName(world.properties, masks));
      expect(result.violation?.schedule.length ?? null).toBe(truthOf(world, false).shortest);
    },
  );

  test.prop([randomPrograms(false), fc.nat({ max: 4 }), some], { numRuns: 300 })(
    "a preemption bound keeps just the schedules within it, with and without merging",
    (about, preemptions, symmetry) => {
      const world = new RandomWorld(about);
      const { texts, masks } = schedulesOf(world, preemptions);

      const plain = searchExhaustively(world, { ...all, merging: false, preemptions });
      const merged = searchExhaustively(world, { ...all, preemptions, symmetry });

      expect(plain).toMatchObject({ schedules: texts.length, complete: true });
      expect(plain.violations).toEqual(countByName(world.properties, masks));
      expect(Object.keys(merged.violations)).toEqual(Object.keys(plain.violations));
      expect(merged.violation?.schedule.length).toBe(plain.violation?.schedule.length);
      expect(merged.missed).toEqual(plain.missed);
    },
  );

  test.prop([randomPrograms(false)], { numRuns: 300 })(
    "sleep sets without merging find the same violations in no more schedules",
    (about) => {
      const world = new RandomWorld(about);
      const plain = searchExhaustively(world, { ...all, merging: false, beyondViolations: true });

      const slept = searchExhaustively(world, { ...all, merging: false, sleepSets: true });

      expect(slept.schedules).toBeLessThanOrEqual(plain.schedules!);
      expect(Object.keys(slept.violations)).toEqual(Object.keys(plain.violations));
      expect(slept.violation?.schedule.length).toBe(plain.violation?.schedule.length);
      expect(slept.missed).toEqual(plain.missed);
    },
  );
});

describe.each([false, true])("on random systems (with loops: %s)", (loops) => {
  test.prop([randomPrograms(loops), some], { numRuns: 300 })(
    "merging sees each state once and counts it by what it violates",
    (about, beyondViolations) => {
      const world = new RandomWorld(about);
      const truth = truthOf(world, beyondViolations);

      const result = searchExhaustively(world, { ...all, beyondViolations });

      expect(result).toMatchObject({ states: truth.states, complete: true });
      expect(result.violations).toEqual(truth.violations);
      expect(result.violation?.schedule.length ?? null).toBe(truth.shortest);
      expect(reachedGoals(world, result)).toEqual(truth.goals);
    },
  );

  test.prop([randomPrograms(loops), some], { numRuns: 300 })(
    "symmetry sees each class of states once, violates the same, and shows a schedule of the agents themselves",
    (about, beyondViolations) => {
      const world = new RandomWorld(about);
      const truth = truthOf(world, beyondViolations);

      const result = searchExhaustively(world, { ...all, beyondViolations, symmetry: true });

      expect(result).toMatchObject({ states: truth.classes, complete: true });
      expect(Object.keys(result.violations)).toEqual(Object.keys(truth.violations));
      expect(result.violation?.schedule.length ?? null).toBe(truth.shortest);
      expect(reachedGoals(world, result)).toEqual(truth.goals);
      if (result.violation !== null) {
        const again = replaySchedule(world, result.violation.schedule);
        expect(again.violation?.schedule).toEqual(result.violation.schedule);
      }
    },
  );

  test.prop([randomPrograms(loops), some], { numRuns: 600 })(
    "sleep sets see all states, violate the same, and make no more steps than states need",
    (about, symmetry) => {
      const world = new RandomWorld(about);
      const truth = truthOf(world, true);

      const result = searchExhaustively(world, { ...all, sleepSets: true, symmetry });

      expect(result).toMatchObject({
        states: symmetry ? truth.classes : truth.states,
        complete: true,
      });
      expect(Object.keys(result.violations)).toEqual(Object.keys(truth.violations));
      expect(result.violation?.schedule.length ?? null).toBe(truth.shortest);
      expect(reachedGoals(world, result)).toEqual(truth.goals);
      expect(result.steps).toBeLessThanOrEqual(
        searchExhaustively(world, { ...all, beyondViolations: true, symmetry }).steps,
      );
    },
  );

  test.prop([randomPrograms(loops), some, some], { numRuns: 300 })(
    "a search that stops at a violation stops at a shortest one, whatever is left out",
    (about, symmetry, sleepSets) => {
      const world = new RandomWorld(about);
      const { shortest } = truthOf(world, false);

      const result = searchExhaustively(world, { symmetry, sleepSets });

      expect(result.violation?.schedule.length ?? null).toBe(shortest);
      expect(result.complete).toBe(shortest === null);
      expect(result.cutBy).toBe(shortest === null ? null : "violation");
    },
  );
});

describe("four agents that read and write have", () => {
  const world = new ReadsCommute(4);

  test.each([
    // 8! / 2⁴ orders.
    [{ merging: false }, { schedules: 2520, states: null, steps: 7364 }],
    // 4! orders of the writes, and each read somewhere before its own write: 1 · 2 · 3 · 4.
    [
      { merging: false, sleepSets: true },
      { schedules: 576, states: null, steps: 1803 },
    ],
    [{}, { schedules: null, states: 755, steps: 1156 }],
    [{ sleepSets: true }, { schedules: null, states: 755, steps: 1095 }],
    [{ symmetry: true }, { schedules: null, states: 63, steps: 102 }],
    [
      { symmetry: true, sleepSets: true },
      { schedules: null, states: 63, steps: 102 },
    ],
  ])("with %j: %j", (options, counts) => {
    const result = searchExhaustively(world, { ...all, ...options });

    expect(result).toMatchObject({ ...counts, complete: true });
  });

  test("755 states of 63 kinds, counted by a set of texts", () => {
    expect(truthOf(world, true)).toMatchObject({ states: 755, classes: 63 });
  });
});
