import { describe, expect, test } from "vitest";
import {
  always,
  loadScenario,
  MockEnvoy,
  property,
  runScenario,
  sometimes,
  type Leadership,
  type MockEnvoyOptions,
} from "../../../host-mock/index.ts";
import "../../../host-mock/testing/index.ts";
import { buildGuest } from "../../support/build-guest.ts";

const reporter = await buildGuest({ entry: "examples/metrics-reporter/assembly/plugin.ts" });

function run(options: Partial<MockEnvoyOptions> = {}): MockEnvoy {
  const envoy = new MockEnvoy({
    plugins: [
      {
        name: "metrics-reporter",
        wasm: reporter.bytes,
        configuration: { collector: "collector", leaseMs: 15_000, tickMs: 3000, reportMs: 3000 },
      },
    ],
    clusters: { collector: { status: 204 } },
    ...options,
  });
  envoy.advance("10s");
  return envoy;
}

function leadership(vm: string, term: bigint, fromS: number, untilS: number): Leadership {
  const thread = vm.replace(/#.*/, "");
  const span = { fromNs: fromS * 1e9, untilNs: untilS * 1e9 };
  return { thread, vm, plugin: "p", context: 1, id: vm, term, ...span, end: "expired" };
}

/** What the matcher says when it fails. */
function failure(check: () => void): string {
  try {
    check();
  } catch (error) {
    return (error as Error).message;
  }
  return "it passed";
}

describe("on a run of the mock", () => {
  test("a healthy election passes, and its opposites fail", () => {
    const envoy = run({ concurrency: 2, alsoCalls: ["proxy_set_shared_data"] });
    const { leader, history } = envoy.election("metrics-reporter");
    envoy.thread(leader!.thread).crash();
    envoy.advance("30s");

    expect(history).toHaveSingleWinner();
    expect(envoy).toHaveSingleWinner("metrics-reporter");
    expect(envoy).toHaveGrowingTerms();
    expect(envoy).toHaveSomebodyLed();
    expect(envoy).toHaveLeaderWithin("18s");
    expect(envoy).not.toHaveLeaderWithin("1s");
    expect(envoy).toHavePairedCallbacks();
    expect(envoy).toHaveNoForeignWrite();
    expect(envoy).toHaveNoStaleEffect({ cluster: "collector", header: "x-leader-term" });
    expect(envoy).toHaveCalled("collector", { atLeast: 3 });
    expect(envoy).not.toHaveCalled("collector", { atMost: 1 });
    expect(envoy).not.toHaveCalled("elsewhere");
    expect(envoy).toHaveStarted();
    expect(envoy).not.toHaveTrapped();
    expect(envoy).not.toHaveLogged("proxy-wasm-as.election");
    expect(failure(() => expect(envoy).not.toHaveSingleWinner())).toContain(
      "did not expect a single winner",
    );
  });

  test("a trap is seen", () => {
    const envoy = run();
    envoy.thread("main").trapNext("proxy_on_tick");
    envoy.advance("10s");

    expect(envoy).toHaveTrapped({ atMost: 1 });
    expect(failure(() => expect(envoy).not.toHaveTrapped())).toContain(
      "did not expect traps: 1 trap",
    );
  });

  test("sets that nobody kept prove nothing, and paired callbacks need somebody who led", () => {
    const unkept = run();
    const nobody = run({
      allowRefusedStart: true,
      plugins: [{ name: "metrics-reporter", wasm: reporter.bytes, configuration: { leaseMs: 1 } }],
    });

    expect(failure(() => expect(unkept).toHaveNoForeignWrite())).toContain(
      "name proxy_set_shared_data in alsoCalls",
    );
    for (const check of [
      () => expect(nobody).toHavePairedCallbacks(),
      () => expect(nobody).not.toHavePairedCallbacks(),
    ])
      expect(failure(check)).toContain("nobody was ever elected");
  });

  test("a rule of one's own is judged, on an envoy and on a scenario's run", () => {
    const envoy = run();
    const reports = property("reports", ({ calls }) =>
      sometimes(calls.length > 0, "no call was sent"),
    );
    const leads = property("nobody leads", ({ turns }) =>
      always([...turns.values()].flat().map(({ vm, atNs }) => ({ atNs, detail: `${vm} leads` }))),
    );
    const scenario = runScenario(loadScenario("examples/metrics-reporter/scenarios/day17.yaml"), {
      properties: [reports, leads],
    });

    expect(envoy).toHold(reports);
    expect(envoy).not.toHold(leads);
    expect(scenario).toHold(reports);
    expect(failure(() => expect(envoy).toHold(leads))).toMatch(
      /^expected nobody leads: \S+#1 leads/,
    );
    expect(failure(() => expect(envoy).not.toHold(reports))).toBe("did not expect reports");
    expect(scenario.ok).toBe(false);
    expect(scenario.verdicts.filter(({ property }) => /reports|leads/.test(property))).toEqual([
      expect.objectContaining({ property: "reports", ok: true, implied: false, subject: "" }),
      expect.objectContaining({ property: "nobody leads", ok: false, expected: "holds" }),
    ]);
  });

  test("a violation comes with the last host calls, or with how to have them", () => {
    const rule = property("nobody leads", ({ turns }) =>
      always([...turns.values()].flat().map(({ vm, atNs }) => ({ atNs, detail: `${vm} leads` }))),
    );
    const kept = run({ alsoCalls: ["proxy_set_shared_data"] });

    expect(failure(() => expect(kept).toHold(rule))).toMatch(
      /\n {2}last host calls of \S+ up to [\d.]+ s:\n {4}[\d.]+ s proxy_set_shared_data\(key="/,
    );
    expect(failure(() => expect(run()).toHold(rule))).toContain(
      'for the last host calls: alsoCalls: ["proxy_get_shared_data", "proxy_set_shared_data"]',
    );
  });

  test("a plugin that refused to start has not started", () => {
    const envoy = run({
      allowRefusedStart: true,
      plugins: [{ name: "metrics-reporter", wasm: reporter.bytes, configuration: { leaseMs: 1 } }],
    });

    expect(envoy).not.toHaveStarted();
  });

  test("a run of two plugins wants the name of one", () => {
    const envoy = run({
      plugins: ["a", "b"].map((name) => ({
        name,
        wasm: reporter.bytes,
        configuration: { collector: "collector", leaseMs: 15_000 },
      })),
    });

    expect(envoy).toHaveSingleWinner("b");
    expect(failure(() => expect(envoy).toHaveSingleWinner())).toBe(
      "which plugin? name one of a, b",
    );
  });
});

describe("on a history", () => {
  const good = [leadership("main#1", 1n, 1, 5), leadership("worker_0#1", 2n, 8, 20)];
  const two = [leadership("main#1", 2n, 1, 9), leadership("worker_0#1", 1n, 8, 20)];

  test("two leaders at once fail, and are named", () => {
    expect(good).toHaveSingleWinner();
    expect(two).not.toHaveSingleWinner();
    expect(failure(() => expect(two).toHaveSingleWinner())).toBe(
      "expected a single winner: main#1 (term 2) and worker_0#1 (term 1) both lead from 8 s to 9 s",
    );
  });

  test("a falling term fails", () => {
    expect(good).toHaveGrowingTerms();
    expect(two).not.toHaveGrowingTerms();
  });

  test("a gap longer than the bound fails, the bound itself does not", () => {
    expect(good).toHaveLeaderWithin("3s");
    expect(good).not.toHaveLeaderWithin("2999ms");
    expect(() => expect(good).toHaveLeaderWithin("3")).toThrow(/unit/);
  });

  test("an empty history proves nothing, with or without not", () => {
    const nobody: Leadership[] = [];

    expect(nobody).not.toHaveSomebodyLed();
    for (const check of [
      () => expect(nobody).toHaveSingleWinner(),
      () => expect(nobody).not.toHaveSingleWinner(),
      () => expect(nobody).toHaveGrowingTerms(),
      () => expect(nobody).not.toHaveGrowingTerms(),
      () => expect(nobody).toHaveLeaderWithin("5s"),
      () => expect(nobody).not.toHaveLeaderWithin("5s"),
    ]) {
      expect(failure(check)).toContain("nobody was ever elected");
    }
  });
});
