/** Scenarios C1 to C4 and C7 to C11: clocks that jump, and time that passes inside a pass. */
import { describe, expect, it } from "vitest";
import type { TraceEvent } from "../../host-mock/index.ts";
import { get, pass, set, stateOf, stopBefore } from "./support/commands.ts";
import {
  electing,
  failover,
  go,
  goPair,
  history,
  latest,
  leader,
  leaseKey,
  monoMs,
  ours,
  plugin,
  record,
  running,
  said,
  second,
  startUnixMs,
  useElections,
} from "./support/elections.ts";

useElections();

describe("a wall clock that jumps", () => {
  it.each(["+600s", "-600s"])("C1: a step of %s under a living leader does nothing", (by) => {
    const envoy = electing().advance("20s");
    const before = leader(envoy);
    const callbacks = said(envoy, /^(started|stopped|leader)/).length;

    envoy.shiftWallClock(by);
    envoy.advance("10m");

    expect(history(envoy)).toHaveLength(1);
    expect(leader(envoy).term).toBe(before.term);
    expect(said(envoy, /^(started|stopped|leader)/)).toHaveLength(callbacks);
  });

  it("C2: a step back by 600 s does not delay a dead leader's heir, whose term still grows", () => {
    const envoy = electing().advance("20s");
    const dead = leader(envoy);

    envoy.shiftWallClock("-600s");
    envoy.thread(dead.thread).crash();
    envoy.advance("19s");

    expect(leader(envoy).thread).not.toBe(dead.thread);
    expect(leader(envoy).term! > dead.term!).toBe(true);
    expect(envoy).toHaveLeaderWithin(failover);
  });

  it("C3: a step forward by 61 s makes a second wasm-go leader beside the first", () => {
    const envoy = goPair();
    const isSingleBefore = history(envoy).length === 1;

    envoy.shiftWallClock("+61s");
    envoy.thread("main").pause("2s");
    envoy.advance("4s");

    expect(isSingleBefore).toBe(true);
    expect(history(envoy).map(({ thread }) => thread)).toEqual(["main", "worker_0"]);
    expect(history(envoy)).not.toHaveSingleWinner();
  });

  it("C4: a step back by 100 s leaves a dead wasm-go leader without an heir for 160 s", () => {
    const envoy = goPair();
    envoy.thread("main").crash();
    const diedNs = envoy.nowNs;

    envoy.shiftWallClock("-100s");
    envoy.advance("4m");

    expect(latest(envoy).thread).toBe("worker_0");
    expect(latest(envoy).fromNs - diedNs).toBeGreaterThan(157 * second);
    expect(latest(envoy).fromNs - diedNs).toBeLessThanOrEqual(165 * second);
  });

  it("C9: beside wasm-go, a step forward by 61 s ends IsLeader before wasm-go claims", () => {
    const plugins = [ours(plugin, { make: "wasm-go", lease: 60_000, retry: -1 }), go("go")];
    const envoy = running(plugins).start();
    const led: boolean[] = [];
    for (let s = 0; s < 30; s += 3) {
      led.push(pass(envoy, "worker_0").leads);
      envoy.advance("3s");
    }
    const goBefore = said(envoy, /wasm-go leads/).length;

    envoy.shiftWallClock("+61s");
    const ledAfter = [stateOf(envoy, "worker_0").leads];
    for (let i = 0; i < 600; i++) {
      envoy.advance("100ms");
      const ask = i % 30 === 29 ? pass : stateOf;
      ledAfter.push(ask(envoy, "worker_0").leads);
    }

    expect(led).not.toContain(false);
    expect(goBefore).toBe(0);
    expect(said(envoy, /wasm-go leads/).length).toBeGreaterThan(10);
    expect(ledAfter).not.toContain(true);
  });
});

describe("time and a pass", () => {
  it.each([
    ["stands still", "0us", true],
    ["goes on by 100 us a call", "100us", false],
  ])("C7: an election is the same where time %s inside a callback", (_how, callCost, isFrozen) => {
    const envoy = electing({ callCost, trace: "full" });
    const events: TraceEvent[] = [];
    envoy.recorder.listen((event) => events.push(event));
    envoy.advance("20s");
    const dead = leader(envoy);
    envoy.thread(dead.thread).crash();
    envoy.advance("18s");

    const spans = tickSpansNs(events);
    expect(spans.length).toBeGreaterThan(20);
    expect(spans.every((span) => span === 0)).toBe(isFrozen);
    expect(history(envoy).map(({ end }) => end)).toEqual(["crashed", "running"]);
    expect(envoy).toHaveLeaderWithin("18010ms");
  });

  it("C8: a record whose mono is far in the future is waited for, then claimed", () => {
    const envoy = electing();
    const mono = monoMs(envoy) + 3_600_000;
    const timestamp = startUnixMs / 1000;
    const odd = { vmID: "x", timestamp, st: "held", term: 5, mono, ttl: 15_000 };
    envoy.setSharedData({ key: leaseKey, value: JSON.stringify(odd) });

    envoy.advance("21s");

    expect(history(envoy)).toHaveLength(1);
    expect(leader(envoy).fromNs).toBeGreaterThan(15 * second);
  });

  it("C10: what was written between a pass's clock and its get is waited for from the get on", () => {
    const envoy = electing({ retry: -1 });
    stopBefore(envoy, { thread: "worker_0", call: get }, "2s", () => {
      envoy.setSharedData({ key: leaseKey, value: "not json" });
    });
    pass(envoy, "worker_0");

    const led: boolean[] = [];
    // 16 s after the clock, 14 s after the get; then 17.5 s and 15.5 s.
    for (const wait of ["4s", "5s", "5s", "1500ms"]) {
      envoy.advance(wait);
      led.push(pass(envoy, "worker_0").leads);
    }

    expect(led).toEqual([false, false, false, true]);
  });

  it("C11: a claimer stopped right after its set for T does not lead when it goes on", () => {
    const envoy = electing({ retry: -1 });
    const written: unknown[] = [];
    // The set of the term, then that of the record.
    stopBefore(envoy, { thread: "worker_0", call: set, nth: 2, isAfter: true }, "15001ms", () => {
      written.push(record(envoy)["vmID"]);
      pass(envoy, "worker_1");
    });

    const late = pass(envoy, "worker_0");

    expect(written).toEqual([late.id]);
    expect(late.leads).toBe(false);
    expect(leader(envoy).thread).toBe("worker_1");
    expect(said(envoy, /^started/).map(({ thread }) => thread)).toEqual(["worker_1"]);
  });

  it("C11: a leader stopped right after its renewal's set for T does not lead when it goes on", () => {
    const envoy = electing({ retry: -1 });
    pass(envoy, "worker_0");
    envoy.advance("3s");
    const at = { thread: "worker_0", call: set, isAfter: true };
    stopBefore(envoy, at, "15001ms", () => void pass(envoy, "worker_1"));

    const late = pass(envoy, "worker_0");

    expect(late).toMatchObject({ leads: false, remaining: 0 });
    expect(history(envoy).map(({ thread, end }) => [thread, end])).toEqual([
      ["worker_0", "expired"],
      ["worker_1", "running"],
    ]);
  });
});

/** How long each tick callback took on the run's clock. */
function tickSpansNs(events: readonly TraceEvent[]): number[] {
  const begun = new Map<string, number>();
  const spans: number[] = [];
  for (const { event, name, vm, atNs } of events) {
    if (name !== "proxy_on_tick") continue;
    if (event === "callback") begun.set(vm, atNs);
    const from = begun.get(vm);
    if (event === "return" && from !== undefined) spans.push(atNs - from);
  }
  return spans;
}
