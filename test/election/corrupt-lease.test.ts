/** Scenarios D1 to D9: what stands under the lease key was not written by an elector, or not as it should be. */
import { describe, expect, it } from "vitest";
import type { MockEnvoy } from "../../host-mock/index.ts";
import { pass, set } from "./support/commands.ts";
import {
  electing,
  go,
  history,
  latest,
  leader,
  leaseKey,
  leaseMs,
  ledBy,
  monoMs,
  plugin,
  running,
  said,
  second,
  startUnixMs,
  termKey,
  untilRenewal,
  useElections,
  wasmGoKey,
} from "./support/elections.ts";

useElections();

const startS = startUnixMs / 1000;

/** A record of another candidate, written now by the guests' clock. */
function held(envoy: MockEnvoy, over: object = {}): Record<string, unknown> {
  const mono = monoMs(envoy);
  return { vmID: "other", timestamp: startS, st: "held", term: 5, mono, ttl: leaseMs, ...over };
}

/** Puts a value before anybody's first tick, and says when somebody led. */
function claimedAfter(value: string | Uint8Array): { envoy: MockEnvoy; ns: number } {
  const envoy = electing();
  envoy.setSharedData({ key: leaseKey, value });
  envoy.advance("30s");
  return { envoy, ns: leader(envoy).fromNs };
}

function expectStepDownAndWait(value: string): void {
  const envoy = ledBy("worker_0");
  untilRenewal(envoy);
  const before = leader(envoy);
  const atNs = envoy.nowNs;

  envoy.setSharedData({ key: leaseKey, value });
  envoy.advance("25s");

  const [stop] = said(envoy, /^stopped/);
  expect(stop?.text).toBe("stopped replaced");
  expect(stop!.atNs - atNs).toBeLessThanOrEqual(3 * second);
  expect(latest(envoy).fromNs - atNs).toBeGreaterThan(15 * second);
  expect(latest(envoy).fromNs - atNs).toBeLessThanOrEqual(21 * second);
  expect(latest(envoy).term! > before.term!).toBe(true);
}

const garbage: [string, string][] = [
  ["blank", ""],
  ["a timestamp with an exponent", '{"vmID":"x","timestamp":1.7e9}'],
  ["a timestamp that is text", '{"vmID":"x","timestamp":"170"}'],
  ["an array", "[1,2]"],
  ["a number", "17"],
  ["null", "null"],
  ["1 MB of text", "x".repeat(1_048_576)],
  ["1 MB of a record", `{"vmID":"${"x".repeat(1_048_576)}","timestamp":170}`],
  ["deep nesting", "[".repeat(10_000)],
];

describe("a record that cannot be believed", () => {
  it("D1: text that is not JSON is claimed after it has stood for T, with a term that grows", () => {
    const { envoy, ns } = claimedAfter("not json");

    expect(ns).toBeGreaterThan(15 * second);
    expect(ns).toBeLessThanOrEqual(21 * second);
    expect(Number(leader(envoy).term)).toBeGreaterThanOrEqual(startUnixMs + 15_000);
    expect(said(envoy, /^leader./).length).toBe(3);
  });

  it.each(garbage)("D2: %s is waited for in the same way, without a trap", (_what, value) => {
    const { ns } = claimedAfter(value);

    expect(ns).toBeGreaterThan(15 * second);
    expect(ns).toBeLessThanOrEqual(21 * second);
  });

  it("D3: a leader whose record is corrupted steps down at its next tick, and nobody claims for T", () => {
    expectStepDownAndWait("not json");
  });

  it("D4: a leader whose record is blanked steps down at its next tick, and nobody claims for T", () => {
    expectStepDownAndWait("");
  });

  it("D5: garbage that changes every T/2 is never claimed, and claimed once it stays", () => {
    const envoy = electing();
    for (let i = 0; i < 24; i++) {
      envoy.setSharedData({ key: leaseKey, value: `garbage ${i}` });
      envoy.advance("7500ms");
    }
    const whileChanging = history(envoy).length;

    envoy.advance("15s");

    expect(whileChanging).toBe(0);
    expect(history(envoy)).toHaveLength(1);
  });

  it("D6: a wasm-go pair never leads again when its record is not JSON", () => {
    const envoy = running([go(plugin)]).start();
    envoy.setSharedData({ key: wasmGoKey, value: "not json" });

    envoy.advance("1h");

    expect(history(envoy)).toEqual([]);
    expect(said(envoy, /wasm-go leads/)).toEqual([]);
    expect(envoy.sharedData().get(wasmGoKey)?.text()).toBe("not json");
  });
});

describe("a term key that cannot be believed", () => {
  it.each(["garbage", "-5", "9007199254740993", "99999999999999999999", "1e3", ""])(
    "D7: %j counts as 0: the term is the wall clock's milliseconds",
    (value) => {
      const envoy = electing({ retry: -1 });
      envoy.setSharedData({ key: termKey, value });
      envoy.advance("1234ms");

      const { term } = pass(envoy, "worker_0");

      expect(term).toBe(startUnixMs + 1234);
      expect(envoy.sharedData().get(termKey)?.text()).toBe(String(term));
    },
  );

  it("D7: the term is one above the record's and above what was seen", () => {
    const envoy = electing({ retry: -1 });
    const last = startUnixMs + 86_400_000;
    envoy.setSharedData({ key: termKey, value: "garbage" });
    const released = { vmID: "", timestamp: 0, st: "released", term: last, mono: monoMs(envoy) };
    envoy.setSharedData({ key: leaseKey, value: JSON.stringify(released) });

    const first = pass(envoy, "worker_0");
    envoy.setSharedData({ key: termKey, value: "-1" });
    envoy.wipe();
    const second = pass(envoy, "worker_0");

    expect(first.term).toBe(last + 1);
    expect(second.term).toBe(last + 2);
  });
});

describe("a record in another dress", () => {
  it("D8: unknown fields, another order, spaces and an escaped id are read", () => {
    const envoy = electing();
    const mono = monoMs(envoy);
    const value = `{ "ttl" : 15000, "extra": {"vmID": "no", "term": [1, 2]}, "mono": ${mono},
      "term": 5, "st": "held", "timestamp": ${startS}, "vmID": "\\u0061 \\"b\\"" }`;
    envoy.setSharedData({ key: leaseKey, value });

    envoy.advance("19s");

    expect(
      said(envoy, /^leader a "b"$/)
        .map(({ thread }) => thread)
        .sort(),
    ).toEqual(["main", "worker_0", "worker_1"]);
    expect(leader(envoy).fromNs).toBeGreaterThan(15 * second);
    // A record that were not understood would have to be watched for T, from the first tick on.
    expect(leader(envoy).fromNs).toBeLessThanOrEqual(18 * second);
  });

  it("D9: names count exactly: with vmID in another case nobody holds the record", () => {
    const envoy = electing({ retry: -1 });
    const { vmID, ...rest } = held(envoy, { mono: monoMs(envoy) - leaseMs - 1 });
    envoy.setSharedData({ key: leaseKey, value: JSON.stringify({ VMID: vmID, ...rest }) });
    const other = electing({ retry: -1 });
    other.setSharedData({ key: leaseKey, value: JSON.stringify({ vmID, ...rest }) });

    const misnamed = pass(envoy, "worker_0");
    const named = pass(other, "worker_0");
    envoy.advance("15001ms");
    const later = pass(envoy, "worker_0");

    expect([misnamed.leads, named.leads, later.leads]).toEqual([false, true, true]);
  });

  it("D9: no record of ours has two fields whose names differ in case alone", () => {
    const envoy = electing({ alsoCalls: [set] }).advance("20s");
    envoy.reconfigure(plugin, { lease: 15_000 });
    envoy.advance("20s");

    const records = envoy.trace
      .filter(({ name }) => name === set)
      .map(({ args }) => new TextDecoder().decode(args["value"] as Uint8Array))
      .filter((text) => text.startsWith("{"));
    const names = records.map((text) =>
      [...text.matchAll(/"(\w+)":/g)].map(([, name]) => name!.toLowerCase()),
    );
    expect(records.some((text) => text.includes('"released"'))).toBe(true);
    expect(records.some((text) => text.includes('"held"'))).toBe(true);
    expect(names.filter((all) => new Set(all).size !== all.length)).toEqual([]);
  });
});
