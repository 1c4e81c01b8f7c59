import { describe, expect, test } from "vitest";
import { searchExhaustively } from "../../../host-mock/schedule/exhaustive.ts";
import { replaySchedule } from "../../../host-mock/schedule/replay.ts";
import { parseSchedule } from "../../../host-mock/schedule/schedule-text.ts";
import { LeaseRace, LostUpdate, Philosophers } from "./support/toy-worlds.ts";

describe("a replay", () => {
  test.each([
    ["lost update", new LostUpdate(3)],
    ["stale write", new LostUpdate(3, true)],
    ["deadlock", new Philosophers(4)],
    ["race", new LeaseRace(3, { isAtomic: false, time: 1, crashes: 1 })],
    ["time", new LeaseRace(3, { isAtomic: true, time: 1, crashes: 1 })],
  ])("of the printed text of a %s violates the same, step by step", (_, world) => {
    for (const symmetry of [false, true]) {
      const violation = searchExhaustively(world, { symmetry }).violation!;

      const replay = replaySchedule(world, parseSchedule(world, violation.text));

      expect(replay.violation).toEqual(violation);
      expect(replay.views).toEqual(violation.steps);
    }
  });

  test("shows every step, also behind a violation", () => {
    const world = new LeaseRace(3, { isAtomic: false, time: 0, crashes: 0 });

    const replay = replaySchedule(world, parseSchedule(world, "a b a b c"));

    expect(replay).toMatchObject({
      strategy: "replay",
      schedules: 1,
      steps: 5,
      depth: 5,
      complete: false,
      cutBy: "schedules",
      violations: { "single winner": 1 },
      missed: ["led after a crash"],
      isEnded: true,
      violation: { text: "a b a b", property: "single winner" },
    });
    expect(replay.views.map(({ vm }) => vm)).toEqual(["a", "b", "a", "b", "c"]);
  });

  test("judges the end only where the schedule ends", () => {
    const world = new LostUpdate(2);

    expect(replaySchedule(world, [0, 1, 1])).toMatchObject({ violation: null, isEnded: false });
    expect(replaySchedule(world, [0, 1, 1, 0])).toMatchObject({
      violation: { property: "all counted" },
      isEnded: true,
    });
  });

  test("names the step that cannot happen and what could", () => {
    const world = new LeaseRace(2, { isAtomic: true, time: 1, crashes: 0 });

    expect(() => replaySchedule(world, parseSchedule(world, "a*3"))).toThrow(
      "step 3 of the schedule: a cannot happen; possible there: b, time",
    );
    expect(() => replaySchedule(world, parseSchedule(world, "a*2 b time b"))).toThrow(
      "step 5 of the schedule: b cannot happen; nothing can: a schedule ends there",
    );
  });
});
