/** Scenarios S1 to S10: of those that may lead, one does. */
import { describe, expect, it } from "vitest";
import { before, get, pass, set, stateOf, stopBefore } from "./support/commands.ts";
import {
  electing,
  go,
  history,
  leader,
  leaseKey,
  leaseMs,
  monoMs,
  ours,
  periodMs,
  plugin,
  record,
  running,
  said,
  second,
  startUnixMs,
  termKey,
  until,
  useElections,
  wasmGoKey,
} from "./support/elections.ts";
import type { MockEnvoy } from "../../host-mock/index.ts";

useElections();

/** Threads whose sets of a key were answered so. */
function setters(envoy: MockEnvoy, key: string, status: string): string[] {
  return envoy.trace
    .filter((event) => event.event === "call" && event.name === set && event.status === status)
    .filter((event) => new TextDecoder().decode(event.args["key"] as Uint8Array) === key)
    .map((event) => event.vm);
}

describe("one candidate", () => {
  it("S1: a lone candidate leads at its first tick, with a term of wall milliseconds and a record of its own", () => {
    const envoy = electing({ kind: "singleton" });

    until(envoy, () => envoy.election(plugin).leader !== null, "1ms");

    const { term, id, fromNs } = leader(envoy);
    expect(fromNs).toBeLessThanOrEqual(3 * second);
    expect(Number(term)).toBeGreaterThanOrEqual(startUnixMs + Math.floor(fromNs / 1e6));
    expect(record(envoy)).toEqual({
      vmID: id,
      timestamp: Math.floor((startUnixMs + fromNs / 1e6) / 1000),
      st: "held",
      term: Number(term),
      mono: monoMs(envoy),
      ttl: leaseMs,
    });
    expect(envoy.sharedData().get(termKey)?.text()).toBe(String(term));
  });
});

describe("eight candidates", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    "S2: eight candidates that tick at one instant elect exactly one, whatever their order (seed %i)",
    (seed) => {
      const envoy = electing({ concurrency: 7, seed, alsoCalls: [set] });
      for (const thread of envoy.threads) thread.pause("4s");

      envoy.advance("4s");

      expect(history(envoy)).toHaveLength(1);
      expect(leader(envoy).fromNs).toBe(4 * second);
      expect(setters(envoy, leaseKey, "Ok")).toEqual([leader(envoy).vm]);
      expect(envoy.logs.filter(({ level }) => !["debug", "info"].includes(level))).toEqual([]);
    },
  );

  it.each(["get", "set of the term", "set of the record"])(
    "S2: of eight passes that all stop before their %s the one that goes on first leads",
    (where) => {
      const envoy = electing({ concurrency: 8, retry: -1, alsoCalls: [set] });
      const threads = envoy.threads.filter(({ name }) => name !== "main").map(({ name }) => name);
      const call = where === "get" ? get : set;
      const nth = where === "set of the record" ? 2 : 1;
      threads.slice(0, -1).forEach((thread, index) => {
        before(envoy, { thread, call, nth }, () => void pass(envoy, threads[index + 1]!));
      });

      pass(envoy, threads[0]!);

      expect(history(envoy).map((one) => one.thread)).toEqual([threads.at(-1)]);
      expect(setters(envoy, leaseKey, "Ok")).toEqual([leader(envoy).vm]);
      const mismatches = { get: 0, "set of the term": 0, "set of the record": 7 }[where];
      expect(setters(envoy, leaseKey, "CasMismatch")).toHaveLength(mismatches!);
      expect(threads.filter((thread) => stateOf(envoy, thread).leads)).toEqual([threads.at(-1)]);
    },
  );
});

describe("an absent key", () => {
  it("S3: two wasm-go VMs that both find nothing both lead", () => {
    const envoy = running([go(plugin)], { concurrency: 2 }).start();
    before(envoy, { thread: "worker_0", call: set }, () => void pass(envoy, "worker_1"));

    pass(envoy, "worker_0");
    envoy.advance("50ms");

    expect(stateOf(envoy, "worker_0").leads).toBe(true);
    expect(stateOf(envoy, "worker_1").leads).toBe(true);
    expect(history(envoy)).not.toHaveSingleWinner();
  });

  it("S4: of two candidates that both find nothing the later writer meets the sentinel", () => {
    const envoy = electing({ retry: -1, alsoCalls: [set] });
    before(envoy, { thread: "worker_0", call: set, nth: 2 }, () => void pass(envoy, "worker_1"));

    const late = pass(envoy, "worker_0");

    expect(late.leads).toBe(false);
    expect(stateOf(envoy, "worker_1").leads).toBe(true);
    expect(setters(envoy, leaseKey, "CasMismatch")).toEqual(["worker_0#1"]);
  });

  it("S5: a creator that was stopped for minutes overwrites nothing, and the leader goes on", () => {
    const envoy = electing({ retry: -1 });
    const at = { thread: "worker_0", call: set, nth: 2 };
    stopBefore(envoy, at, "5m", () => void pass(envoy, "worker_1"));

    const late = pass(envoy, "worker_0");
    envoy.advance("10s");
    const renewed = pass(envoy, "worker_1");

    expect(late.leads).toBe(false);
    expect(renewed.leads).toBe(true);
    expect(history(envoy).map(({ thread }) => thread)).toEqual(["worker_1"]);
  });

  it("S6: with wasm-go's key the canary alone makes the record, and the workers find it", () => {
    const envoy = electing({
      concurrency: 3,
      make: "wasm-go",
      alsoCalls: [set],
      needsLeader: false,
    });

    const makers = setters(envoy, wasmGoKey, "Ok");

    expect(makers).toEqual(["main#canary"]);
    expect(setters(envoy, `${wasmGoKey}:term`, "Ok")).toEqual(["main#canary"]);
    expect(record(envoy, wasmGoKey)).toMatchObject({ vmID: "", timestamp: 0, st: "boot" });
    envoy.advance("3s");
    expect(history(envoy)).toHaveLength(1);
  });

  it("S6: without wasm-go's key configuring writes nothing", () => {
    const envoy = electing({ concurrency: 3, alsoCalls: [set], needsLeader: false });

    expect(envoy.sharedData().size).toBe(0);
    expect(envoy.trace.filter(({ name }) => name === set)).toEqual([]);
  });
});

describe("who competes with whom", () => {
  it("S8: two plugins of one vm_id have a key and a leader each", () => {
    const envoy = running([ours("a"), ours("b")], { concurrency: 2 }).start();

    envoy.advance("1m");

    expect(history(envoy, "a")).toHaveLength(1);
    expect(history(envoy, "b")).toHaveLength(1);
    expect(record(envoy, `${wasmGoKey}a`)).toMatchObject({ vmID: leader(envoy, "a").id });
    expect(record(envoy, `${wasmGoKey}b`)).toMatchObject({ vmID: leader(envoy, "b").id });
  });

  it("S9: of two wasm-go plugins of one vm_id one never leads", () => {
    const envoy = running([go("a", "a"), go("b", "b")], { concurrency: 1 });
    envoy.at("1ms", () => void envoy.thread("worker_0").pause("500ms"));

    envoy.advance("10m");

    const acts = said(envoy, /wasm-go leads/);
    const leading = ["a", "b"].map((name) => acts.filter((act) => act.plugin === name).length);
    expect(Math.min(...leading)).toBe(0);
    expect(Math.max(...leading)).toBeGreaterThan(150);
  });

  it("S10: of two contexts in one VM with one key one leads: identity is the context's", () => {
    const make = "wasm-go";
    const timing = { lease: 60_000, retry: periodMs };
    const plugins = [
      ours("a", { make, kind: "singleton", ...timing }),
      ours("b", { make, kind: "singleton", ...timing }),
    ];
    const envoy = running(plugins, { needsLeader: false }).start();

    envoy.advance("10m");

    const both = [...history(envoy, "a"), ...history(envoy, "b")];
    expect(both).toHaveLength(1);
    const followers = said(envoy, new RegExp(`^leader ${both[0]?.id}$`));
    expect(new Set(followers.map(({ vm }) => vm))).toEqual(new Set(["main#1"]));
    expect(new Set(followers.map(({ plugin }) => plugin))).toEqual(new Set(["a", "b"]));
    expect(record(envoy, wasmGoKey)["vmID"]).toBe(both[0]!.id);
  });
});
