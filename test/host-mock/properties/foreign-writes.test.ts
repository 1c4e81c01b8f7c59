import { describe, expect, test } from "vitest";
import { TraceBuilder } from "../../support/trace-builder.ts";
import { judgeTrace, plugin } from "./support.ts";

const check = { check: "no_foreign_write", plugin } as const;
const key = "higress_wasm_vm_lease:p";
const monoStartMs = 3_600_000;

interface Fields {
  readonly vmID?: unknown;
  readonly mono?: number;
  readonly ttl?: number;
  readonly timestamp?: number;
}

/** A set that succeeded; the record's clock is the trace's own unless told otherwise. */
function set(trace: TraceBuilder, thread: string, fields: Fields | string, context?: number) {
  const own = { timestamp: 1, st: "held", mono: monoStartMs + trace.nowNs / 1e6, ttl: 15_000 };
  const text = typeof fields === "string" ? fields : JSON.stringify({ ...own, ...fields });
  const args = { key, value: new TextEncoder().encode(text), cas: 1 };
  return trace.record(trace.subject(thread, context), "call", "proxy_set_shared_data", args, "Ok");
}

const began = (): TraceBuilder =>
  set(new TraceBuilder().start("main", "worker_0").at("1s"), "main", { vmID: "a" });

describe("no_foreign_write", () => {
  test("holds for renewals, for a claim of an expired record and for one of a released record", () => {
    const trace = set(began().at("4s"), "main", { vmID: "a" });
    set(trace.at("19s"), "worker_0", { vmID: "b" });
    set(trace.at("20s"), "worker_0", { vmID: "" });
    set(trace, "main", { vmID: "a" }).end("21s");

    expect(judgeTrace(trace, check)).toEqual({ holds: true, detail: "", atMs: null });
  });

  test("is violated by a set one nanosecond before the record has run out", () => {
    const early = set(began().atNs(16e9 - 1), "worker_0", { vmID: "b" }).end("17s");
    const due = set(began().at("16s"), "worker_0", { vmID: "b" }).end("17s");

    expect(judgeTrace(due, check).holds).toBe(true);
    expect(judgeTrace(early, check)).toEqual({
      holds: false,
      detail: `worker_0#1 overwrites main#1's lease at 16 s: ${key} names a and runs until 16 s`,
      atMs: 15_999.999999,
    });
  });

  test.each([
    ["by a release of somebody else's", { vmID: "" }],
    ["by text that is no record", "garbage"],
  ])("is violated %s", (_how, value) => {
    const trace = set(began().at("5s"), "worker_0", value).end("6s");

    expect(judgeTrace(trace, check)).toMatchObject({ holds: false, atMs: 5000 });
  });

  test("holds for what names nobody: an absent key, garbage, a record made at configure", () => {
    const trace = new TraceBuilder().start("main", "worker_0").at("1s");
    set(trace, "main", "garbage");
    set(trace, "worker_0", { vmID: "" });
    set(trace, "main", { vmID: "a" }).end("2s");

    expect(judgeTrace(trace, check).holds).toBe(true);
  });

  test("contexts of one VM are told apart, unless they go by one name", () => {
    const two = set(began().at("2s"), "main", { vmID: "b" }, 2).end("3s");
    const shared = set(began().at("2s"), "main", { vmID: "a" }, 2).end("3s");

    const withRoots = (trace: TraceBuilder): TraceBuilder => {
      const extra = new TraceBuilder().start("main").configure("main", 2, 2);
      trace.events.unshift(...extra.events);
      return trace;
    };
    expect(judgeTrace(withRoots(two), check).holds).toBe(false);
    expect(judgeTrace(withRoots(shared), check).holds).toBe(true);
  });

  test("a set made while a stream is handled may be any context's of that VM", () => {
    const own = set(began().at("2s"), "main", { vmID: "" }, 77).end("3s");
    const others = set(began().at("2s"), "worker_0", { vmID: "" }, 77).end("3s");

    expect(judgeTrace(own, check).holds).toBe(true);
    expect(judgeTrace(others, check).holds).toBe(false);
  });

  test.each([
    ["a wipe", "wipe", { vm_id: "" }, true],
    ["a wipe of another vm_id", "wipe", { vm_id: "v" }, false],
    ["the key's eviction", "evict", { vm_id: "", key }, true],
    ["another key's eviction", "evict", { vm_id: "", key: "k" }, false],
    ["a hand that corrupts it", "set_shared_data", { vm_id: "", key, value: "garbage" }, true],
  ] as const)("after %s", (_what, name, args, holds) => {
    const trace = began().at("2s").fault(name, args);
    set(trace.at("3s"), "worker_0", { vmID: "b" }).end("4s");

    expect(judgeTrace(trace, check).holds).toBe(holds);
  });

  test("after a fault that did not happen nothing has changed", () => {
    const trace = began().at("2s").fault("wipe", { vm_id: "" }, "not_applied");
    set(trace.at("3s"), "worker_0", { vmID: "b" }).end("4s");

    expect(judgeTrace(trace, check).holds).toBe(false);
  });

  test("the loss of a vm_id's data with its last VM is one", () => {
    const trace = began().at("2s").record({}, "timer", "shared_data_dropped", { vm_id: "" });
    set(trace.at("3s"), "worker_0", { vmID: "b" }).end("4s");

    expect(judgeTrace(trace, check).holds).toBe(true);
  });

  test("a record that a fault wrote is somebody's too", () => {
    const value = JSON.stringify({ vmID: "z", timestamp: 1, mono: monoStartMs + 1000, ttl: 9000 });
    const trace = new TraceBuilder().start("main").at("1s");
    trace.fault("set_shared_data", { vm_id: "", key, value });
    set(trace.at("9s"), "main", { vmID: "a" }).end("10s");

    expect(judgeTrace(trace, check)).toMatchObject({
      holds: false,
      detail: `main#1 overwrites the lease that a fault wrote at 9 s: ${key} names z and runs until 10 s`,
    });
  });

  test.each([
    ["60 s after the seconds that stand there", "59999ms", false],
    ["and then it is free", "60s", true],
  ])("wasm-go's record runs %s", (_how, time, holds) => {
    const startNs = 1_767_225_600n * 1_000_000_000n;
    const trace = new TraceBuilder();
    trace.record({}, "timer", "run_started", { start_ns: startNs }).start("main", "worker_0");
    const record = JSON.stringify({ vmID: "a", timestamp: 1_767_225_600 });
    set(trace.at("500ms"), "main", record);
    set(trace.at(time), "worker_0", JSON.stringify({ vmID: "b", timestamp: 1_767_225_661 }));

    expect(judgeTrace(trace.end("70s"), check).holds).toBe(holds);
  });

  test("a jump of the wall clock frees no record, though wasm-go's readers think so", () => {
    const startNs = 1_767_225_600n * 1_000_000_000n;
    const trace = new TraceBuilder();
    trace.record({}, "timer", "run_started", { start_ns: startNs }).start("main", "worker_0");
    trace.at("1s").fault("wall_clock", { by: "+1h" });
    set(trace, "main", JSON.stringify({ vmID: "a", timestamp: 1_767_229_201 }));
    trace.at("2s").fault("wall_clock", { by: "+2m" });
    set(trace.at("3s"), "worker_0", JSON.stringify({ vmID: "b", timestamp: 1_767_229_323 }));

    expect(judgeTrace(trace.end("4s"), check)).toMatchObject({
      holds: false,
      detail: expect.stringContaining("runs until 61 s") as string,
    });
  });

  test("a record of a clock that is not the run's counts from its writing", () => {
    const trace = new TraceBuilder().start("main", "worker_0").at("1s");
    set(trace, "main", { vmID: "a", mono: 1_767_225_601_000 });
    set(trace.at("15999ms"), "worker_0", { vmID: "b" }).end("17s");

    expect(judgeTrace(trace, check)).toMatchObject({ holds: false, atMs: 15_999 });
  });

  test("keys of another vm_id are other keys", () => {
    const trace = new TraceBuilder();
    const other = { thread: "main", vm: "main#1", plugin: "other", context: 1 };
    trace.record(other, "timer", "context_configured", { vm_id: "v", generation: 1 }, "Ok");
    trace.start("main").at("1s");
    const value = JSON.stringify({ vmID: "z", mono: monoStartMs + 1000, ttl: 15_000 });
    trace.record(other, "call", "proxy_set_shared_data", { key, value, cas: 1 }, "Ok");
    set(trace.at("2s"), "main", { vmID: "a" }).end("3s");

    expect(judgeTrace(trace, check).holds).toBe(true);
  });

  test("a set over another plugin's lease is the setter's", () => {
    const trace = began().at("2s");
    const other = { thread: "worker_0", vm: "worker_0#1", plugin: "other", context: 1 };
    const value = JSON.stringify({ vmID: "z", mono: monoStartMs + 2000, ttl: 15_000 });
    trace.record(other, "call", "proxy_set_shared_data", { key, value, cas: 1 }, "Ok").end("3s");

    expect(judgeTrace(trace, check).holds).toBe(true);
  });

  test("fails where nothing was judged, and says why", () => {
    const none = new TraceBuilder().start("main").end("1s");
    const others = new TraceBuilder().start("main").at("1s");
    const args = { key: "k", value: "v", cas: 0 };
    others.record(others.subject("main"), "call", "proxy_set_shared_data", args, "Ok").end("2s");

    expect(judgeTrace(none, check)).toMatchObject({
      holds: false,
      detail:
        "no set of shared data was recorded, so nothing was judged: name proxy_set_shared_data in alsoCalls",
    });
    expect(judgeTrace(others, check).detail).toBe(
      "metrics-reporter set no lease, so nothing was judged",
    );
  });
});
