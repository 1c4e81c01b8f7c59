import { beforeAll, describe, expect, test } from "vitest";
import { encodePairs } from "../../../host-mock/abi/pairs.ts";
import { MockEnvoy } from "../../../host-mock/envoy/mock-envoy.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";
import { rawPlugin } from "../../support/raw-guest.ts";
import { beacon } from "../cli/guests.ts";
import { faultsOf, runBeacon } from "./running.ts";

let wasm = "";

beforeAll(async () => {
  wasm = await beacon();
});

/** Calls cluster `c` when it is configured, and again with every answer. */
function callingGuest(): Uint8Array {
  const request = [
    [":method", "GET"],
    [":path", "/"],
    [":authority", "a"],
  ].map(([name, value]) => [utf8(name!), utf8(value!)] as const);
  const pairs = encodePairs(request);
  const data = [...pairs].map((byte) => `\\${byte.toString(16).padStart(2, "0")}`).join("");
  const fields = `
    (data (i32.const 16) "c")
    (data (i32.const 64) "${data}")
    (func $again
      (drop (call $http (i32.const 16) (i32.const 1) (i32.const 64) (i32.const ${pairs.length})
        (i32.const 0) (i32.const 0) (i32.const 32) (i32.const 4) (i32.const 1000) (i32.const 40))))
    (func (export "proxy_on_configure") (param i32 i32) (result i32) (call $again) (i32.const 1))
    (func (export "proxy_on_http_call_response") (param i32 i32 i32 i32 i32) (call $again))`;
  const types = Array(10).fill("i32").join(" ");
  const imports = `(import "env" "proxy_http_call" (func $http (param ${types}) (result i32)))`;
  return rawPlugin(fields, { imports });
}

describe("with a cost for each host call", () => {
  test("events whose instants the clock has gone past happen at once, in their order", () => {
    const events = [
      { at: "2ms", do: "wipe" },
      { at: "1ms", do: "set_shared_data", key: "k", value: "v" },
      { at: "1s", every: "1ms", count: 50, do: "wipe" },
    ];

    const run = runBeacon(wasm, { frame: { call_cost: "20ms" }, events });

    const faults = faultsOf(run);
    expect(run.ok).toBe(true);
    expect(faults.slice(0, 2).map(({ name }) => name)).toEqual(["set_shared_data", "wipe"]);
    expect(faults).toHaveLength(52);
    expect(faults.every(({ status }) => status === "applied")).toBe(true);
    expect(faults.map(({ atMs }) => atMs)).toEqual(
      faults.map(({ atMs }) => atMs).toSorted((one, other) => one - other),
    );
  });

  test.each(["1us", "7ms", "300ms", "1s"])("of %s nothing happens after the end", (callCost) => {
    for (const duration of ["0s", "1s", "3333ms"]) {
      const events = [{ at: "0s", every: "100ms", until: duration, do: "wipe" }];
      const started: number[] = [];

      const run = runBeacon(
        wasm,
        { frame: { call_cost: callCost, duration }, events: duration === "0s" ? [] : events },
        {},
      );

      const { events: trace, facts, durationNs } = run;
      for (const { event, name, atNs } of trace) {
        if (event === "callback") started.push(atNs);
        if (name !== "run_ended") expect(atNs).toBeLessThanOrEqual(durationNs);
      }
      expect(facts.calls.every(({ atNs }) => atNs <= durationNs)).toBe(true);
      expect(trace.at(-1)).toMatchObject({ name: "run_ended" });
    }
  });

  test("what is due at the end still happens when nothing was late", () => {
    const run = runBeacon(wasm, {
      frame: { duration: "3s" },
      events: [{ at: "3s", do: "wipe" }],
    });

    expect(faultsOf(run)).toMatchObject([{ name: "wipe", atMs: 3000, status: "applied" }]);
  });
});

test("a plugin that calls again whenever it is answered at once is stopped, with the reason", () => {
  const looping = (): unknown =>
    new MockEnvoy({
      plugins: [{ name: "p", wasm: callingGuest() }],
      clusters: { c: { status: 204 } },
    }).advance("10s");

  expect(looping).toThrow(
    expect.objectContaining({
      code: "E_STATE",
      message: expect.stringMatching(/time does not move on from \d+ ns; a plugin seems to repeat/),
    }),
  );
}, 60_000);
