import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { searchExhaustively } from "../../../host-mock/schedule/exhaustive.ts";
import { RandomWalk } from "../../../host-mock/schedule/random-walk.ts";
import { replaySchedule } from "../../../host-mock/schedule/replay.ts";
import { runSchedules } from "../../../host-mock/schedule/run-schedules.ts";
import { parseSchedule } from "../../../host-mock/schedule/schedule-text.ts";
import { shrunkViolation } from "../../../host-mock/schedule/shrink.ts";
import type { World } from "../../../host-mock/schedule/world.ts";
import { randomPrograms, RandomWorld } from "./support/random-world.ts";
import { LeaseRace, LostUpdate } from "./support/toy-worlds.ts";

function shrunk(world: World, text: string, maxTries?: number): { text: string; tries: number } {
  const { violation } = replaySchedule(world, parseSchedule(world, text));
  const result = shrunkViolation(world, violation!, maxTries === undefined ? {} : { maxTries });
  return { text: result.text, tries: result.shrinkCount };
}

describe("shrinking", () => {
  const late = new LeaseRace(3, { isAtomic: true, time: 2, crashes: 2 });

  test("drops steps and faults that the violation does not need", () => {
    expect(shrunk(late, "b*2 crash:b time a*2 time c*2").text).toBe("b*2 time a*2");
  });

  test("makes fewer switches of as many steps", () => {
    expect(shrunk(new LostUpdate(2), "a b a b").text).toBe("b a*2 b");
    expect(shrunk(new LostUpdate(3), "a b c a b c").text.split(" ")).toHaveLength(4);
  });

  test("counts its tries and stops at their bound", () => {
    const all = shrunk(late, "b*2 crash:b time a*2 time c*2");
    const few = shrunk(late, "b*2 crash:b time a*2 time c*2", 1);
    const none = shrunk(late, "b*2 crash:b time a*2 time c*2", 0);

    expect(all.tries).toBeGreaterThan(1);
    expect(few.tries).toBe(1);
    expect(none).toEqual({ text: "b*2 crash:b time a*2 time c*2", tries: 0 });
  });

  test("stops when told so", () => {
    const world = new LostUpdate(2);
    const { violation } = replaySchedule(world, [0, 1, 0, 1]);

    const result = shrunkViolation(world, violation!, { shouldStop: () => true });

    expect(result).toEqual(violation);
  });

  test.prop([randomPrograms(true), fc.nat({ max: 1000 })], { numRuns: 300 })(
    "keeps the property, never makes it longer, and never beats the shortest there is",
    (about, seed) => {
      const world = new RandomWorld(about);
      const options = { schedules: 20, maxDepth: 60, shrink: false };
      const { violation } = runSchedules(world, new RandomWalk(seed), options);
      if (violation === null) return;

      const result = shrunkViolation(world, violation);

      const again = replaySchedule(world, result.schedule);
      expect(again.violations[violation.property]).toBeGreaterThan(0);
      expect(result.property).toBe(violation.property);
      expect(result.schedule.length).toBeLessThanOrEqual(violation.schedule.length);
      expect(result.schedule.length).toBeGreaterThanOrEqual(
        searchExhaustively(world).violation!.schedule.length,
      );
    },
  );
});
