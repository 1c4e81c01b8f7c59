import { describe, expect, test } from "vitest";
import {
  runStrategy,
  strategies,
  strategyNames,
  type StrategyName,
  type StrategyOptions,
} from "../../../host-mock/schedule/strategies.ts";
import { Counters, LeaseRace, LostUpdate } from "./support/toy-worlds.ts";

describe("strategies by name", () => {
  test.each<[StrategyName, StrategyOptions, object]>([
    ["exhaustive", {}, { schedules: null, cutBy: "violation" }],
    ["random", { seed: 3 }, { seed: 3, cutBy: "violation" }],
    ["pct", {}, { seed: 1, cutBy: "violation" }],
    ["round-robin", {}, { seed: null, schedules: 1, violation: { text: "b a*2 b" } }],
    ["fixed", { schedule: "a b a b", shrink: false }, { violation: { text: "a b a b" } }],
  ])("%s finds the lost update", (name, options, found) => {
    const result = runStrategy(new LostUpdate(2), name, options);

    expect(result).toMatchObject({ strategy: name, ...found });
    expect(result.violation!.property).toBe("all counted");
  });

  test("sample a thousand schedules unless told otherwise", () => {
    expect(runStrategy(new Counters(2, 2), "random").schedules).toBe(1000);
    expect(runStrategy(new Counters(2, 2), "pct", { schedules: 7 }).schedules).toBe(7);
  });

  test("each take the options that their row names", () => {
    const values: StrategyOptions = {
      ...{ maxSteps: 1e6, shouldStop: () => false, onProgress: () => undefined },
      ...{ stopAtViolation: false, beyondViolations: true, symmetry: false, sleepSets: false },
      ...{ merging: true, isMidway: () => true, preemptions: 3, maxStates: 1e6, maxBytes: 1e9 },
      ...{ maxDepth: 99, shrink: true, seed: 2, schedules: 5, depth: 2, turn: 2 },
      schedule: "a*2 time b*2",
    };
    const world = new LeaseRace(2, { isAtomic: true, time: 1, crashes: 0 });

    for (const name of strategyNames) {
      const { options } = strategies[name];
      const given = Object.fromEntries(options.map((option) => [option, values[option]]));
      expect(given).not.toMatchObject({ unknown: expect.anything() as unknown });
      expect(Object.values(given)).not.toContain(undefined);
      expect(runStrategy(world, name, given).strategy).toBe(name);
    }
    const taken = new Set<string>(strategyNames.flatMap((name) => strategies[name].options));
    expect(Object.keys(values).filter((option) => !taken.has(option))).toEqual([]);
  });

  test.each<[string, StrategyOptions, string]>([
    [
      "randon",
      {},
      'strategy is "randon" (did you mean random?); write one of exhaustive, random, pct, round-robin, fixed',
    ],
    ["random", { symmetry: true }, 'strategy random has no option "symmetry"'],
    ["fixed", {}, "strategy fixed is given no schedule; name the choices"],
    ["exhaustive", { seed: 1 }, 'strategy exhaustive has no option "seed"'],
  ])("refuse %s with %j", (name, options, message) => {
    expect(() => runStrategy(new Counters(2, 2), name as StrategyName, options)).toThrow(message);
  });
});
