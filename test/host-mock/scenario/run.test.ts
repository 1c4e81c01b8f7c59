import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parseScenario } from "../../../host-mock/scenario/load.ts";
import { prepareScenario, runScenario, type ScenarioRun } from "../../../host-mock/scenario/run.ts";
import { encodeEvent } from "../../../host-mock/trace/index.ts";
import type { TraceEvent } from "../../../host-mock/trace/event.ts";
import { buildGuest, root } from "../../support/build-guest.ts";
import { beacon } from "../cli/guests.ts";

let beaconPath = "";
let leasePath = "";

beforeAll(async () => {
  beaconPath = await beacon();
  ({ path: leasePath } = await buildGuest({ entry: "test/guests/lease/plugin.guest.ts" }));
});

interface Parts {
  readonly lease?: boolean;
  readonly frame?: Readonly<Record<string, unknown>>;
  readonly events?: readonly unknown[];
  readonly properties?: readonly unknown[];
}

/** A scenario of two workers as a JSON text: the beacon calls its collector, or VMs elect by a lease of 15 s. */
function scenarioOf({ lease = false, frame = {}, events = [], properties = [] }: Parts) {
  const plugin = lease
    ? { name: "p", wasm: leasePath, configuration: { tickMs: 1000, leaseMs: 15_000 } }
    : { name: "p", wasm: beaconPath, configuration: "collector" };
  const value = {
    name: "a run",
    concurrency: 2,
    duration: "30s",
    plugins: [plugin],
    clusters: { collector: { status: 204, delay: "5ms" } },
    events,
    properties,
    ...frame,
  };
  return parseScenario(join(root, "scenario.json"), JSON.stringify(value));
}

function run(parts: Parts): ScenarioRun {
  return runScenario(scenarioOf(parts));
}

function faults(
  events: readonly TraceEvent[],
): [name: string, thread: string, status: string | null][] {
  return events
    .filter(({ event }) => event === "fault")
    .map(({ name, thread, status }) => [name, thread, status]);
}

function verdict(
  { verdicts }: ScenarioRun,
  property: string,
): ScenarioRun["verdicts"][number] | undefined {
  return verdicts.find((found) => found.property === property);
}

describe("a run", () => {
  test("is the same twice, byte for byte, and another under another seed", () => {
    const trace = (seed: number): string[] => {
      const lines: string[] = [];
      const chaos = { at: "3s", do: "chaos", until: "20s", crash_every: "4s", restart_after: "1s" };
      const scenario = scenarioOf({ lease: true, events: [chaos] });
      runScenario(scenario, {
        seed,
        trace: "full",
        onEvent: (event) => lines.push(encodeEvent(event)),
      });
      return lines;
    };

    const first = trace(1);

    expect(first.length).toBeGreaterThan(500);
    expect(trace(1)).toEqual(first);
    expect(trace(2)).not.toEqual(first);
  });

  test("happens once per preparation", () => {
    const prepared = prepareScenario(scenarioOf({}));
    prepared.run();

    expect(() => prepared.run()).toThrow(expect.objectContaining({ code: "E_STATE" }));
  });

  test("takes seed and profile from its options, else from the file", () => {
    const scenario = scenarioOf({ frame: { seed: 5, profile: "higress" } });

    expect(runScenario(scenario)).toMatchObject({ seed: 5, profile: "higress" });
    expect(runScenario(scenario, { seed: 6, profile: "envoy" })).toMatchObject({
      seed: 6,
      profile: "envoy",
    });
  });

  test("ends at its duration, whatever is under way", () => {
    const { events, facts } = run({ frame: { clusters: { collector: { delay: "1h" } } } });

    expect(events.at(-1)).toMatchObject({ name: "run_ended", atNs: 30e9 });
    expect(facts.calls.every(({ status }) => status === null || status === 504)).toBe(true);
  });
});

describe("leader_of", () => {
  test("is the thread that leads at that instant", () => {
    const { events, facts, verdicts } = run({
      lease: true,
      events: [{ at: "10s", do: "crash", leader_of: "p" }],
      properties: [
        { check: "single_winner", plugin: "p" },
        { check: "leader_within", plugin: "p", bound: "16s" },
      ],
    });

    const [first, second] = facts.leaderships.get("p") ?? [];
    expect(faults(events)).toEqual([["crash", first?.thread, "applied"]]);
    expect(first).toMatchObject({ end: "crashed", untilNs: 10e9 });
    expect(second?.thread).not.toBe(first?.thread);
    expect(verdicts.filter(({ ok }) => !ok)).toEqual([]);
  });

  test("of a plugin nobody leads makes no event, and events_applied fails with the reason", () => {
    const found = run({ events: [{ at: "2s", do: "pause", leader_of: "p", for: "1s" }] });

    expect(faults(found.events)).toEqual([["pause", "", "not_applied"]]);
    expect(verdict(found, "events_applied")).toMatchObject({
      holds: false,
      implied: true,
      atMs: 2000,
    });
    expect(verdict(found, "events_applied")?.detail).toContain("nobody leads p");
  });

  test("of a request is a worker, or the request does not happen", () => {
    const mainLeads = run({
      lease: true,
      events: [
        { at: "1ms", do: "pause", thread: "worker_0", for: "5s" },
        { at: "1ms", do: "pause", thread: "worker_1", for: "5s" },
        { at: "8s", do: "request", leader_of: "p", expect: { status: 200 } },
      ],
    });
    const workerLeads = run({
      lease: true,
      events: [
        { at: "1ms", do: "pause", thread: "main", for: "5s" },
        { at: "8s", do: "request", leader_of: "p", expect: { status: 200 } },
      ],
    });

    expect(verdict(mainLeads, "events_applied")?.detail).toContain(
      "main leads p, and serves no requests",
    );
    expect(verdict(mainLeads, "expect")).toMatchObject({ ok: false, subject: "request at 8s" });
    expect(workerLeads.facts.exchanges[0]?.thread).toMatch(/^worker_/);
    expect(verdict(workerLeads, "expect")).toMatchObject({ ok: true });
  });
});

describe("events", () => {
  test("at 0s precede start-up: a pause delays it", () => {
    const { events } = run({ events: [{ at: "0s", do: "pause", thread: "worker_1", for: "4s" }] });

    const started = events.filter(
      ({ name, status }) => name === "context_configured" && status === "Ok",
    );
    const startNs = Object.fromEntries(started.map(({ thread, atNs }) => [thread, atNs]));
    expect(startNs).toEqual({ main: 0, worker_0: 0, worker_1: 4e9 });
  });

  test("without a thread reach every living one, where a thread is not needed", () => {
    const { events, facts } = run({
      events: [
        { at: "500ms", do: "crash", thread: "worker_1" },
        {
          at: "900ms",
          do: "refuse",
          call: "proxy_http_call",
          status: "InternalFailure",
          for: "10s",
        },
        { at: "15s", do: "delay_calls", cluster: "collector", by: "3s", for: "2s" },
      ],
    });

    expect(faults(events).slice(1)).toEqual([
      ["refuse", "main", "applied"],
      ["refuse", "worker_0", "applied"],
      ["delay_calls", "main", "applied"],
      ["delay_calls", "worker_0", "applied"],
    ]);
    expect(Math.min(...facts.calls.map(({ atNs }) => atNs))).toBeGreaterThanOrEqual(10.9e9);
    const held = facts.calls.filter(({ atNs, arrivedNs }) => arrivedNs === atNs + 3e9);
    expect(held.length).toBeGreaterThanOrEqual(2);
    expect(held.every(({ atNs }) => atNs >= 15e9 && atNs <= 17e9)).toBe(true);
  });

  test("write shared data as bytes, wipe it, and move the wall clock", () => {
    const { facts, events } = run({
      events: [
        { at: "1s", do: "set_shared_data", key: "gone", value: "x" },
        { at: "2s", do: "wipe" },
        { at: "3s", do: "set_shared_data", key: "k", value: { base64: "AP8=" } },
        { at: "4s", do: "wall_clock", by: "-1h" },
      ],
    });

    const shared = facts.ended?.args["shared_data"] as Record<
      string,
      Record<string, { value: Uint8Array }>
    >;
    expect(Object.keys(shared[""] ?? {})).toEqual(["k"]);
    expect(shared[""]?.["k"]?.value).toEqual(new Uint8Array([0, 255]));
    expect(faults(events).map(([name]) => name)).toEqual([
      "set_shared_data",
      "wipe",
      "set_shared_data",
      "wall_clock",
    ]);
  });

  test("trap the next such callback, which the file may expect", () => {
    const trap = { at: "5s", do: "trap", thread: "worker_0", callback: "proxy_on_tick" };

    const unexpected = run({ events: [trap] });
    const expected = run({
      events: [trap],
      properties: [{ check: "traps", plugin: "p", at_most: 1 }],
    });

    expect(verdict(unexpected, "no_trap")).toMatchObject({ holds: false, implied: true });
    expect(unexpected.ok).toBe(false);
    expect(verdict(expected, "no_trap")).toBeUndefined();
    expect(expected.ok).toBe(true);
  });

  test("reconfigure a plugin; a refused configuration leaves the old one in place", () => {
    const { events, ok } = run({
      events: [{ at: "5s", do: "reconfigure", plugin: "p", configuration: "refuse" }],
      properties: [{ check: "calls", cluster: "collector", at_least: 80 }],
    });

    expect(faults(events)).toEqual([["reconfigure", "", "refused"]]);
    expect(ok).toBe(true);
  });

  test("of chaos crash and restart threads, and skip draws that find nobody", () => {
    const chaos = { at: "5s", do: "chaos", until: "25s", crash_every: "4s", restart_after: "1s" };

    const all = run({ events: [chaos] });
    const leaders = run({ events: [{ ...chaos, threads: { leader_of: "p" } }] });

    const crashes = faults(all.events).filter(([name]) => name === "crash");
    expect(crashes.length).toBeGreaterThanOrEqual(3);
    expect(crashes.length).toBe(faults(all.events).filter(([name]) => name === "restart").length);
    expect(verdict(leaders, "events_applied")).toMatchObject({ holds: true });
    expect(faults(leaders.events).some(([, , status]) => status === "skipped")).toBe(true);
  });
});

test("a lease record in shared data is a witness too, for wasm-go's key", () => {
  const record = { at: "1s", do: "set_shared_data", key: "higress_wasm_vm_lease:p", value: "{}" };
  const found = run({
    frame: { plugins: [{ name: "p", wasm: beaconPath, witness: "lease" }] },
    events: [record],
    properties: [{ check: "single_winner", plugin: "p" }],
  });

  // Nobody but a VM's own set makes a leader: what a fault writes is no claim.
  expect(verdict(found, "somebody_led")).toMatchObject({ holds: false, implied: true });
});
