import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import {
  drawPlan,
  MockEnvoy,
  parseScenario,
  pausePointsOf,
  planScenario,
  runPlan,
  runScenario,
  shrinkPlan,
  type FaultPlan,
  type FaultRates,
  type PlannedFault,
} from "../../../host-mock/index.ts";
import { parseDuration } from "../../../host-mock/time/duration.ts";
import { buildGuest, root } from "../../support/build-guest.ts";

const threads = ["main", "worker_0", "worker_1", "worker_2"];
const names = {
  threads,
  plugins: ["p"],
  clusters: ["collector"],
  keys: ["higress_wasm_vm_lease:p"],
  configurations: { p: [{ lease: 9000 }, { lease: 12000 }] },
};

const rates: Required<FaultRates> = {
  crash: "40s",
  pause: "20s",
  trap: "90s",
  refuse: "20s",
  delay_calls: "60s",
  lost_answers: "60s",
  late_answers: "60s",
  duplicated_calls: "60s",
  late_ticks: "60s",
  bunched_ticks: "60s",
  fail_allocation: "30s",
  cas_storm: "60s",
  wall_clock: "60s",
  reconfigure: "90s",
  wipe: "120s",
};

const planned = (seed: number, more: Partial<Parameters<typeof drawPlan>[0]> = {}): FaultPlan =>
  drawPlan({ seed, duration: "5m", calm: "1m", rates, ...names, ...more });

const msOf = (text: string | undefined): number =>
  text === undefined ? 0 : parseDuration(text) / 1e6;

/** When the last thing that a fault does is over. */
function endMs(fault: PlannedFault): number {
  const words = fault as unknown as Record<string, string | undefined>;
  const lastMs = Math.max(msOf(words["for"]), msOf(words["restart_after"]));
  return msOf(fault.at) + msOf(words["within"]) + lastMs;
}

describe("drawPlan", () => {
  test("equal seeds draw equal plans, other seeds others", () => {
    expect(planned(7)).toEqual(planned(7));
    expect(planned(8).faults).not.toEqual(planned(7).faults);
  });

  test("leaving a kind out changes nothing of the others", () => {
    const without = planned(7, { rates: { ...rates, crash: undefined } });

    expect(without.faults).toEqual(planned(7).faults.filter((fault) => fault.do !== "crash"));
  });

  test("each kind comes about as often as its rate says", () => {
    const faults = Array.from({ length: 40 }, (_, seed) => planned(seed).faults).flat();

    for (const [kind, mean] of Object.entries(rates)) {
      const count = faults.filter((fault) => fault.do === kind).length;
      const wanted = (40 * 240_000) / msOf(mean);
      expect(count, kind).toBeGreaterThan(0.7 * wanted);
      expect(count, kind).toBeLessThan(1.3 * wanted);
    }
  });

  test("in the order of their instants, whole milliseconds, and all over when the calm begins", () => {
    for (let seed = 0; seed < 40; seed++) {
      const { faults, calmFrom } = planned(seed);
      const instants = faults.map(({ at }) => msOf(at));

      expect(calmFrom).toBe("4m");
      expect(instants).toEqual([...instants].sort((one, other) => one - other));
      for (const fault of faults) {
        expect(Number.isInteger(msOf(fault.at))).toBe(true);
        expect(endMs(fault), JSON.stringify(fault)).toBeLessThanOrEqual(240_000);
      }
    }
  });

  test.each([
    [{ calm: "5m" }, /the calm begins before the first fault may/],
    [{ clusters: [] }, /faults of the kind delay_calls need clusters/],
    [{ keys: [] }, /faults of the kind cas_storm need keys/],
    [{ threads: [] }, /need threads/],
    [{ rates: { crash: "often" } }, /"often" is no duration/],
  ])("%j is refused", (more, message) => {
    expect(() => planned(1, more)).toThrow(message);
  });
});

describe("a plan that runs", () => {
  let wasm: Uint8Array;
  let wasmPath: string;
  let recipe: Uint8Array;
  let recipePath: string;

  beforeAll(async () => {
    ({ bytes: wasm, path: wasmPath } = await buildGuest({
      entry: "test/guests/elect-candidate/plugin.guest.ts",
    }));
    const args = ["--exportStart", "_initialize", "--optimizeLevel", "3", "--use", "abort="];
    ({ bytes: recipe, path: recipePath } = await buildGuest({
      entry: "test/guests/wasm-go-recipe/plugin.guest.ts",
      config: false,
      args,
    }));
  });

  const plugins = () => [{ name: "p", wasm, configuration: { lease: 9000 }, rootId: "plain" }];

  function run(plan: FaultPlan): MockEnvoy {
    const envoy = new MockEnvoy({
      concurrency: 3,
      plugins: plugins(),
      clusters: { collector: {} },
      pausePoints: pausePointsOf(plan.faults),
    });
    runPlan(envoy, plan);
    return envoy.advance(plan.duration);
  }

  test("every kind of fault strikes, several kinds before a host call, and what cannot happen is skipped", () => {
    const envoys = Array.from({ length: 12 }, (_, seed) => run(planned(seed)));

    const faults = envoys.flatMap(({ trace }) => trace.filter(({ event }) => event === "fault"));
    const applied = faults.filter(({ status }) => status === "applied");
    expect(faults.filter(({ status }) => status === "not_applied")).toEqual([]);
    expect(faults.some(({ status }) => status === "skipped")).toBe(true);
    for (const kind of Object.keys(rates))
      expect(applied.filter(({ name }) => name === kind).length, kind).toBeGreaterThan(3);
    for (const kind of ["crash", "pause", "trap"])
      expect(
        applied.filter(({ name, args }) => name === kind && "call" in args).length,
      ).toBeGreaterThan(2);
  });

  test("in the calm all threads live and nobody stands still", () => {
    for (let seed = 0; seed < 12; seed++) {
      const envoy = run(planned(seed));

      expect(envoy.threads.map(({ alive, isPaused }) => [alive, isPaused])).toEqual(
        threads.map(() => [true, false]),
      );
      expect(envoy.leader("p")).not.toBeNull();
    }
  });

  test("written into a scenario file it happens again, event for event", () => {
    const plan = planned(5);
    const plugin = { name: "p", wasm: wasmPath, configuration: { lease: 9000 }, root_id: "plain" };
    const frame = { name: "again", concurrency: 3, clusters: { collector: {} } };
    const text = planScenario({ ...frame, plugins: [plugin] }, plan);

    const again = runScenario(parseScenario(join(root, "again.yaml"), text));

    const of = (events: MockEnvoy["trace"]) =>
      events
        .filter(({ event, name }) => event !== "fault" && name !== "run_ended")
        .map(({ atNs, vm, event, name, args }) => [atNs, vm, event, name, args]);
    expect(of(again.events)).toEqual(of(run(plan).trace));
    expect(text).toContain("  - { at: ");
  });

  test("shrinks to the fewest and simplest faults that still fail, as a scenario that shows it", () => {
    const rivals = (plan: FaultPlan): MockEnvoy => {
      const envoy = new MockEnvoy({
        concurrency: 3,
        plugins: [{ name: "p", wasm: recipe, witness: "lease" }],
        pausePoints: pausePointsOf(plan.faults),
      });
      runPlan(envoy, plan);
      return envoy.advance(plan.duration);
    };
    const fails = (plan: FaultPlan): boolean => {
      const { history } = rivals(plan).election("p");
      return history.some((one) =>
        history.some(
          (other) => other.vm !== one.vm && other.fromNs > one.fromNs && other.fromNs < one.untilNs,
        ),
      );
    };
    const plans = Array.from({ length: 20 }, (_, seed) =>
      drawPlan({
        seed,
        duration: "3m",
        calm: "1m",
        threads,
        plugins: ["p"],
        rates: { crash: "40s", pause: "8s", wall_clock: "60s" },
      }),
    );
    const plan = plans.find(fails)!;
    expect(plan).toBeDefined();

    const shrunk = shrinkPlan(plan, fails);

    expect(shrunk.isMinimal).toBe(true);
    expect(shrunk.plan.faults.length).toBeLessThanOrEqual(3);
    expect(shrunk.plan.faults.length).toBeGreaterThan(0);
    for (const [at] of shrunk.plan.faults.entries())
      expect(fails({ ...plan, faults: shrunk.plan.faults.toSpliced(at, 1) })).toBe(false);
    const text = planScenario(
      {
        name: "two lead",
        concurrency: 3,
        plugins: [{ name: "p", wasm: recipePath, witness: "lease" }],
        properties: [{ check: "single_winner", plugin: "p" }],
      },
      shrunk.plan,
    );
    const shown = runScenario(parseScenario(join(root, "two-lead.yaml"), text));
    expect(shown.verdicts.find(({ property }) => property === "single_winner")).toMatchObject({
      holds: false,
    });
  });

  test("the tries are bounded, and what was cut off says so", () => {
    const plan = planned(1);

    const fails = ({ faults }: FaultPlan): boolean => faults.includes(plan.faults[0]!);
    const shrunk = shrinkPlan(plan, fails, { triesMax: 3 });

    expect(shrunk).toMatchObject({ tryCount: 3, isMinimal: false });
    expect(shrunk.plan.faults.length).toBeLessThan(plan.faults.length);
  });

  test("nothing is left of a plan whose faults do not matter", () => {
    expect(shrinkPlan(planned(1), () => true).plan.faults).toEqual([]);
  });

  test("the event faults draws by the seed of the run, and what follows is calm", () => {
    const scenario = (seed: number) => {
      const value = {
        name: "random faults",
        seed,
        concurrency: 3,
        duration: "5m",
        plugins: [{ name: "p", wasm: wasmPath, root_id: "plain", configuration: { lease: 9000 } }],
        clusters: { collector: { status: 204 } },
        events: [
          {
            at: "10s",
            do: "faults",
            until: "4m",
            rates: {
              crash: "30s",
              pause: "15s",
              refuse: "20s",
              cas_storm: "40s",
              reconfigure: "90s",
            },
            keys: names.keys,
            configurations: names.configurations,
          },
        ],
        properties: [
          { check: "single_winner", plugin: "p" },
          { check: "leader_within", plugin: "p", bound: "15s", from: "4m" },
        ],
      };
      return runScenario(parseScenario(join(root, "random.json"), JSON.stringify(value)));
    };

    const [one, other] = [scenario(1), scenario(2)];

    expect(one.ok && other.ok, JSON.stringify(one.verdicts)).toBe(true);
    const kinds = (run: typeof one) => run.facts.faults.map(({ name, atNs }) => `${name} ${atNs}`);
    expect(kinds(one)).not.toEqual(kinds(other));
    expect(one.facts.faults.every(({ atNs }) => atNs >= 10e9 && atNs <= 240e9)).toBe(true);
    expect(one.facts.faults[0]).toMatchObject({ name: "faults", status: "applied" });
  });
});
