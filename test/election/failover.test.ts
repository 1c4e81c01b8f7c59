/** Scenarios F1 to F11: a leader dies, is blocked, or its host fails it. */
import { describe, expect, it } from "vitest";
import { askLater, get, pass, set, stateOf, stopBefore } from "./support/commands.ts";
import {
  electing,
  failover,
  guardMs,
  history,
  leader,
  leaseKey,
  leaseMs,
  ledBy,
  periodMs,
  said,
  second,
  untilLine,
  untilRenewal,
  useElections,
} from "./support/elections.ts";

useElections();

describe("a leader that dies", () => {
  it.each([1, 2, 3, 4, 5])(
    "F1: a leader that stops right after a renewal is replaced within T + P (seed %i)",
    (seed) => {
      const envoy = electing({ seed }).advance("20s");
      untilRenewal(envoy);
      const dead = leader(envoy);

      envoy.thread(dead.thread).crash();
      const diedNs = envoy.nowNs;
      envoy.advance("19s");

      const heir = leader(envoy);
      expect(heir.thread).not.toBe(dead.thread);
      expect(heir.fromNs - diedNs).toBeLessThanOrEqual(18 * second);
      expect(heir.fromNs - diedNs).toBeGreaterThan(15 * second);
      expect(heir.term! > dead.term!).toBe(true);
      expect(envoy).toHaveLeaderWithin(failover);
    },
  );

  it.each([1, 2, 3, 4, 5])(
    "F2: a leader that stops just before a renewal is replaced within T (seed %i)",
    (seed) => {
      const envoy = electing({ seed }).advance("20s");
      untilRenewal(envoy);
      const dead = leader(envoy);

      envoy.advance("2990ms");
      envoy.thread(dead.thread).crash();
      const diedNs = envoy.nowNs;
      envoy.advance("16s");

      expect(leader(envoy).fromNs - diedNs).toBeLessThanOrEqual(15_010 * 1e6);
      expect(leader(envoy).term! > dead.term!).toBe(true);
    },
  );

  it("F10: a candidate that starts beside a held record older than T claims at its first tick", () => {
    const envoy = electing({ kind: "singleton" }).advance("10s");
    const old = leader(envoy);
    envoy.thread("main").crash();
    envoy.advance("16s");

    envoy.thread("main").restart();
    const startedNs = envoy.nowNs;
    envoy.advance("3s");

    expect(leader(envoy).fromNs - startedNs).toBeLessThanOrEqual(3 * second);
    expect(leader(envoy).term! > old.term!).toBe(true);
    expect(said(envoy, /^started/).filter(({ atNs }) => atNs >= startedNs)).toHaveLength(1);
  });
});

describe("a leader that is blocked", () => {
  it("F3: blocked for T + 1 s it does not lead before its tick, which claims with a new term", () => {
    const envoy = ledBy("worker_0", { concurrency: 1 });
    envoy.thread("main").crash();
    untilRenewal(envoy);
    const before = leader(envoy);

    envoy.thread("worker_0").pause("16s");
    const answer = askLater(envoy, "worker_0");
    envoy.advance("16s");

    expect(answer().leads).toBe(false);
    expect(leader(envoy).term! > before.term!).toBe(true);
    expect(history(envoy).map(({ end }) => end)).toEqual(["expired", "running"]);
    expect(said(envoy, /^(started|stopped)/).map(({ text }) => text)).toEqual([
      `started ${before.term}`,
      "stopped expired",
      `started ${leader(envoy).term}`,
    ]);
  });

  it("F4: blocked for T/2 it still leads with its term, and calls nothing back", () => {
    const envoy = ledBy("worker_0");
    untilRenewal(envoy);
    const before = leader(envoy);
    const callbacks = said(envoy, /^(started|stopped|leader)/).length;

    envoy.thread("worker_0").pause("7500ms");
    const answer = askLater(envoy, "worker_0");
    envoy.advance("30s");

    expect(answer()).toMatchObject({ leads: true, term: Number(before.term) });
    expect(leader(envoy).term).toBe(before.term);
    expect(said(envoy, /^(started|stopped|leader)/)).toHaveLength(callbacks);
  });

  it("F11: ticks that are ten seconds late are within the promise", () => {
    const envoy = ledBy("worker_0");
    const before = leader(envoy);
    for (let i = 0; i < 5; i++) {
      untilRenewal(envoy);
      envoy.thread("worker_0").pause("10s");
      envoy.advance("10s");
    }

    expect(history(envoy)).toHaveLength(1);
    expect(leader(envoy).term).toBe(before.term);
    expect(stateOf(envoy, "worker_0").leads).toBe(true);
  });
});

describe("a leader whose host fails it", () => {
  it("F5: one get that fails ends nothing", () => {
    const envoy = ledBy("worker_0");
    envoy.thread("worker_0").refuse({ call: get, status: "InternalFailure", count: 1 });

    for (let i = 0; i < 60; i++) {
      envoy.advance("100ms");
      expect(stateOf(envoy, "worker_0").leads).toBe(true);
    }

    expect(history(envoy)).toHaveLength(1);
    expect(said(envoy, /^stopped/)).toEqual([]);
  });

  it("F6: sets that fail stop it at the first pass later than RenewDeadline after its last success", () => {
    const envoy = ledBy("worker_0");
    untilRenewal(envoy);
    const baseNs = envoy.nowNs;

    envoy.thread("worker_0").refuse({ call: set, status: "InternalFailure", for: "15s" });
    envoy.advance("15s");

    const stops = said(envoy, /^stopped/);
    expect(stops.map(({ text }) => text)).toEqual(["stopped error"]);
    expect(stops[0]!.atNs - baseNs).toBe(12 * second);
  });

  it("F6: with a RenewDeadline near T its promise ends first, at base + T - G", () => {
    const envoy = electing({ concurrency: 1, retry: -1, renew: 14_900 });
    pass(envoy, "worker_0");
    envoy.thread("worker_0").refuse({ call: set, status: "InternalFailure", for: "15s" });

    const led: boolean[] = [];
    for (let ms = 250; ms < leaseMs; ms += 250) {
      envoy.advance("250ms");
      if (ms % periodMs === 0) pass(envoy, "worker_0");
      led.push(stateOf(envoy, "worker_0").leads);
    }

    expect(led.filter(Boolean)).toHaveLength((leaseMs - guardMs) / 250 - 1);
    expect(led.lastIndexOf(true)).toBeLessThan(led.indexOf(false));
    envoy.advance("250ms");
    pass(envoy, "worker_0");
    expect(said(envoy, /^stopped/).map(({ text }) => text)).toEqual(["stopped expired"]);
  });

  it("F7: a renewal that loses its race ends leadership at once, and is not tried again in that tick", () => {
    const envoy = ledBy("worker_0", { alsoCalls: [set] });
    untilRenewal(envoy);
    const count = envoy.trace.filter(({ name }) => name === set).length;

    envoy.thread("worker_0").refuse({ call: set, status: "CasMismatch", count: 1 });
    untilLine(envoy, /^stopped/);

    const sets = envoy.trace.filter(({ name }) => name === set).slice(count);
    expect(said(envoy, /^stopped/).map(({ text }) => text)).toEqual(["stopped replaced"]);
    expect(sets.map(({ status }) => status)).toEqual(["CasMismatch"]);
    expect(stateOf(envoy, "worker_0").leads).toBe(false);
  });

  it("F8: a renewal that stops between get and set while another takes over writes nothing", () => {
    const envoy = electing({ retry: -1, alsoCalls: [set] });
    pass(envoy, "worker_0");
    envoy.advance("3s");
    const at = { thread: "worker_0", call: set };
    stopBefore(envoy, at, "16s", () => void pass(envoy, "worker_1"));

    const late = pass(envoy, "worker_0");

    const own = envoy.trace.filter(({ name, thread }) => name === set && thread === "worker_0");
    expect(own.at(-1)?.status).toBe("CasMismatch");
    expect(late.leads).toBe(false);
    expect(leader(envoy).thread).toBe("worker_1");
    expect(envoy.sharedData().get(leaseKey)?.text()).toContain(leader(envoy).id);
  });

  it("F9: a claim that stops before its get for longer than T writes an expired record and does not lead", () => {
    const envoy = electing({ retry: -1 });
    stopBefore(envoy, { thread: "worker_0", call: get }, "16s");

    const late = pass(envoy, "worker_0");
    const heldBy = envoy.sharedData().get(leaseKey)?.text();
    const next = pass(envoy, "worker_1");

    expect(heldBy).toContain(`"vmID":"${late.id}"`);
    expect(late.leads).toBe(false);
    expect(next.leads).toBe(true);
    expect(said(envoy, /^started/).map(({ thread }) => thread)).toEqual(["worker_1"]);
  });
});
