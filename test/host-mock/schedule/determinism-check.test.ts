import { describe, expect, test } from "vitest";
import { checkDeterminism } from "../../../host-mock/schedule/determinism-check.ts";
import type { StepView } from "../../../host-mock/schedule/world.ts";
import { LeaseRace } from "./support/toy-worlds.ts";

const bounds = { isAtomic: true, time: 1, crashes: 1 };
let made = 0;

/** Keeps a number outside its state. */
class Forgetful extends LeaseRace {
  steps = 0;

  // Describes honestly.
  override describe(...step: Parameters<LeaseRace["describe"]>): StepView {
    return new LeaseRace(this.agentCount, bounds).describe(...step);
  }

  override step(...args: Parameters<LeaseRace["step"]>): number {
    const violated = super.step(...args);
    const [, , choice, into, at] = args;
    if (++this.steps > 3 && choice < this.agentCount) into[this.local(at, choice)] = 3;
    return violated;
  }
}

/** Differs from every other of its kind. */
class Personal extends LeaseRace {
  readonly number = made++;

  override reached(): number {
    return this.number % 2;
  }
}

describe("a determinism check", () => {
  test("of an honest world finds nothing, and says how much it looked at", () => {
    const check = checkDeterminism(() => new LeaseRace(2, bounds), { seed: 1, count: 50 });

    expect(check).toEqual({ schedules: 50, steps: check.steps, difference: null });
    expect(check.steps).toBeGreaterThan(150);
  });

  test("finds the first step that comes out otherwise when it is run again", () => {
    const check = checkDeterminism(() => new Forgetful(2, bounds), { schedules: [[0, 0, 2]] });

    expect(check).toMatchObject({
      schedules: 1,
      difference: {
        run: "again",
        schedule: [0],
        text: "a",
        step: 1,
        what: "number 4 of the state",
      },
    });
  });

  test("finds that two worlds made alike are not, at the beginning", () => {
    const check = checkDeterminism(() => new Personal(2, bounds), { seed: 1, count: 5 });

    expect(check).toMatchObject({
      schedules: 1,
      difference: {
        run: "other world",
        step: 0,
        text: "",
        what: "the goals reached",
        first: [],
        second: ["somebody led"],
      },
    });
  });

  test.each(["describe", "choices", "judgeEnd"] as const)("finds a world whose %s lies", (liar) => {
    const lying = (): LeaseRace => {
      const world = new LeaseRace(2, bounds);
      const isLiar = made++ % 2 === 1;
      if (!isLiar) return world;
      if (liar === "choices") world.choices = () => 1;
      if (liar === "judgeEnd") world.judgeEnd = () => 1;
      const { describe } = world;
      if (liar === "describe")
        world.describe = (...step) => ({ ...describe.apply(world, step), leaders: ["nobody"] });
      return world;
    };
    made = 0;

    const { difference } = checkDeterminism(lying, { schedules: [[0, 0, 1, 2, 3]] });

    const what = {
      describe: "the step",
      choices: "what can happen then",
      judgeEnd: "what the end violates",
    };
    expect(difference?.what).toBe(what[liar]);
  });
});
