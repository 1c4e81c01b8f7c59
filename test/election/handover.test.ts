/** Scenarios R1, R3 to R6 and R8 to R10: leadership that is given up, taken away by a reload, or left behind. */
import { describe, expect, it } from "vitest";
import { command, pass, set, stateOf } from "./support/commands.ts";
import {
  electing,
  failover,
  history,
  latest,
  leader,
  leaseKey,
  leaseMs,
  ledBy,
  monoMs,
  ours,
  plugin,
  record,
  running,
  said,
  second,
  untilRenewal,
  useElections,
  wasmGoKey,
} from "./support/elections.ts";

useElections();

describe("a release", () => {
  it("R1: another leads within P with a higher term, and the leader had stopped before it let go", () => {
    const envoy = ledBy("worker_0", { alsoCalls: [set] });
    envoy.advance("10s");
    const old = leader(envoy);
    const atNs = envoy.nowNs;

    command(envoy, "worker_0", "/release");
    envoy.thread("worker_0").pause("4s");
    envoy.advance("4s");

    const [stop] = said(envoy, /^stopped/);
    const release = envoy.trace.find(
      ({ name, args }) =>
        name === set &&
        new TextDecoder().decode(args["value"] as Uint8Array).includes('"released"'),
    );
    expect(stop?.text).toBe("stopped released");
    expect(stop!.n).toBeLessThan(release!.n);
    expect(leader(envoy).thread).not.toBe("worker_0");
    expect(leader(envoy).fromNs - atNs).toBeLessThanOrEqual(3 * second);
    expect(leader(envoy).term! > old.term!).toBe(true);
  });

  it("R3: a release that loses its race does no harm: the record expires", () => {
    const envoy = ledBy("worker_0");
    untilRenewal(envoy);
    const atNs = envoy.nowNs;
    envoy.thread("worker_0").refuse({ call: set, status: "CasMismatch", count: 1 });

    command(envoy, "worker_0", "/release");
    const after = stateOf(envoy, "worker_0");
    const left = record(envoy);
    envoy.thread("worker_0").pause("30s");
    envoy.advance("30s");

    expect(after.leads).toBe(false);
    expect(left).toMatchObject({ vmID: after.id, st: "held" });
    expect(said(envoy, /^stopped/).map(({ text }) => text)).toEqual(["stopped released"]);
    expect(leader(envoy).thread).not.toBe("worker_0");
    expect(leader(envoy).fromNs - atNs).toBeGreaterThan(15 * second);
    expect(leader(envoy).fromNs - atNs).toBeLessThanOrEqual(18 * second);
  });

  it("R5: a crash releases nothing: the heir leads within T + P, not before T - P", () => {
    const envoy = electing().advance("20s");
    const dead = leader(envoy);

    envoy.thread(dead.thread).crash();
    const diedNs = envoy.nowNs;
    envoy.advance("18s");

    expect(said(envoy, /^stopped/)).toEqual([]);
    expect(latest(envoy).fromNs - diedNs).toBeGreaterThan(12 * second);
    expect(latest(envoy).fromNs - diedNs).toBeLessThanOrEqual(18 * second);
    expect(envoy).toHaveLeaderWithin(failover);
  });

  it.each([
    ["of just now is taken at the next tick", 0, 0, 3],
    ["older than T is waited for", leaseMs + 1, 15, 21],
  ])("R6: a released record %s", (_what, ageMs, afterS, withinS) => {
    const envoy = electing();
    const mono = monoMs(envoy) - ageMs;
    const released = { vmID: "", timestamp: 0, st: "released", term: 7, mono };
    envoy.setSharedData({ key: leaseKey, value: JSON.stringify(released) });

    envoy.advance("22s");

    expect(history(envoy)).toHaveLength(1);
    expect(leader(envoy).fromNs).toBeGreaterThan(afterS * second);
    expect(leader(envoy).fromNs).toBeLessThanOrEqual(withinS * second);
  });

  it("R8: OnNewLeader tells each change once, and nobody as an empty id", () => {
    const envoy = electing({ retry: -1 });
    const told = (thread: string) =>
      said(envoy, /^leader /).flatMap((line) =>
        line.thread === thread ? [line.text.slice(7)] : [],
      );
    const a = pass(envoy, "worker_0").id;
    for (let i = 0; i < 3; i++) {
      envoy.advance("3s");
      pass(envoy, "worker_0");
      pass(envoy, "worker_1");
    }
    const whileLed = [told("worker_0"), told("worker_1")];

    command(envoy, "worker_0", "/release");
    const b = pass(envoy, "worker_1").id;
    for (let i = 0; i < 3; i++) {
      pass(envoy, "worker_1");
      pass(envoy, "worker_0");
      envoy.advance("3s");
    }

    expect(whileLed).toEqual([[a], [a]]);
    expect(told("worker_0")).toEqual([a, "", b]);
    expect(told("worker_1")).toEqual([a, "", b]);
  });
});

describe("a reload", () => {
  it.each([
    ["its next pass", "10m", "superseded"],
    ["on_done", "0s", "released"],
  ])(
    "R4: the old context hands over at %s to the new one in the same VM within P",
    (_when, drain, end) => {
      const envoy = electing({ kind: "singleton", drain }).advance("20s");
      const atNs = envoy.nowNs;

      envoy.reconfigure(plugin, { lease: 15_000 });
      envoy.advance("15m");

      const [old, young, ...more] = history(envoy);
      expect(more).toEqual([]);
      expect([old?.vm, young?.vm]).toEqual(["main#1", "main#1"]);
      expect(young?.context).not.toBe(old?.context);
      expect([old?.end, young?.end]).toEqual([end, "running"]);
      expect(old!.untilNs - atNs).toBeLessThanOrEqual(3 * second);
      expect(young!.fromNs - old!.untilNs).toBeLessThanOrEqual(3 * second);
    },
  );

  it("R9: VMs of new code follow while the old ones lead, and lead within P of their release", () => {
    const shared = { make: "wasm-go", retry: 3000 } as const;
    const plugins = [
      ours("old", { ...shared, vmConfiguration: "old code" }),
      ours("new", { ...shared, retry: -1, vmConfiguration: "new code" }),
    ];
    const envoy = running(plugins, { concurrency: 2, needsLeader: false }).start().advance("10s");
    const { id } = leader(envoy, "old");

    envoy.reconfigure("new", { retry: 3000 });
    envoy.advance("3m");
    const ledMeanwhile = history(envoy, "new").length;
    const following = said(envoy, new RegExp(`^leader ${id}$`)).filter(
      (line) => line.plugin === "new",
    );
    envoy.reconfigure("old", { retry: -1 });
    envoy.advance("10s");

    const both = [...history(envoy, "old"), ...history(envoy, "new")];
    expect(ledMeanwhile).toBe(0);
    expect(following.length).toBe(3);
    expect(both.map(({ end }) => end)).toEqual(["superseded", "running"]);
    expect(both[1]!.fromNs - both[0]!.untilNs).toBeLessThanOrEqual(3 * second);
    expect(both).toHaveSingleWinner();
    expect(both).toHaveGrowingTerms();
    expect(record(envoy, wasmGoKey)["vmID"]).toBe(both[1]!.id);
  });

  // The leader's thread stands still over the reload, so its own promise is of the old length.
  it.each([
    ["15 s to 60 s", 15_000, 60_000],
    ["60 s to 15 s", 60_000, 15_000],
  ])(
    "R10: a lease changed from %s by a reload makes no second leader while both are about",
    (_how, from, to) => {
      const envoy = ledBy("worker_0", { lease: from, retry: 3000 });
      untilRenewal(envoy);
      const old = leader(envoy);
      const renewedNs = envoy.nowNs;

      envoy.thread("worker_0").pause("200s");
      envoy.reconfigure(plugin, { lease: to, retry: 3000 });
      envoy.advance("300s");

      const [first, heir] = history(envoy);
      expect(first).toMatchObject({ id: old.id, end: "expired" });
      expect(heir!.thread).not.toBe("worker_0");
      // Both wait for the longer of the two leases.
      expect(heir!.fromNs - renewedNs).toBeGreaterThan(60 * second);
      expect(heir!.fromNs - renewedNs).toBeLessThanOrEqual(63 * second);
    },
  );
});
