/** Events at host calls, and those for every thread, as a file has them. */
import { beforeAll, describe, expect, test } from "vitest";
import { readable } from "../../../host-mock/trace/values.ts";
import { beacon } from "../cli/guests.ts";
import { faultsOf, runBeacon, verdictOf } from "./running.ts";

let wasm = "";

beforeAll(async () => {
  wasm = await beacon();
});

describe("events at a host call", () => {
  const at = { thread: "worker_0", before: "proxy_http_call" };

  test("a crash, a pause and a refusal strike there; the trace shows the call", () => {
    const run = runBeacon(wasm, {
      events: [
        { at: "1s", do: "pause", thread: "worker_1", before: "proxy_http_call", for: "2500ms" },
        {
          at: "1s",
          do: "refuse",
          thread: "main",
          before: "proxy_http_call",
          nth: 2,
          status: "NotFound",
        },
        { at: "3s", do: "crash", ...at, restart_after: "2s" },
      ],
    });

    const faults = run.events.filter(({ event }) => event === "fault");
    expect(faults.map(({ name, status, thread }) => [name, status, thread]).sort()).toEqual([
      ["crash", "applied", "worker_0"],
      ["pause", "applied", "worker_1"],
      ["refuse", "applied", "main"],
      ["restart", "applied", "worker_0"],
    ]);
    const shown = faults
      .filter(({ name }) => name !== "restart")
      .map(({ args }) => readable(args["call"]));
    expect(shown.every((call) => call.startsWith("proxy_http_call("))).toBe(true);
    expect(run.ok, JSON.stringify(run.verdicts)).toBe(true);
  });

  test("one whose call does not come fails events_applied, unless it may be missed", () => {
    const event = { at: "1s", do: "crash", ...at, nth: 1000 };

    const missed = runBeacon(wasm, { events: [event] });
    const skipped = runBeacon(wasm, { events: [{ ...event, may_miss: true }] });

    expect(verdictOf(missed, "events_applied")).toMatchObject({
      holds: false,
      detail: expect.stringContaining(
        "call 1000 of proxy_http_call did not come by the end of the run",
      ) as unknown,
    });
    expect(faultsOf(skipped)).toMatchObject([{ status: "skipped" }]);
    expect(verdictOf(skipped, "events_applied")).toMatchObject({ holds: true });
  });

  test("repeated, it waits for a call each time", () => {
    const run = runBeacon(wasm, {
      events: [
        { at: "1s", every: "2s", until: "7s", do: "refuse", ...at, status: "InternalFailure" },
      ],
    });

    expect(faultsOf(run).map(({ name, status }) => `${name} ${status}`)).toEqual(
      Array(4).fill("refuse applied"),
    );
  });
});

describe("events for every thread", () => {
  test.each([
    { do: "late_ticks", by: "100ms", for: "2s" },
    { do: "bunched_ticks", for: "2s" },
    { do: "lost_answers", cluster: "collector", for: "2s" },
    { do: "late_answers", cluster: "collector", by: "1s", for: "2s" },
    { do: "duplicated_calls", cluster: "collector", for: "2s" },
    { do: "fail_allocation", count: 2 },
    { do: "cas_storm", key: "k", count: 2 },
  ])("$do happens on each that lives", (event) => {
    const run = runBeacon(wasm, {
      events: [
        { at: "1s", do: "crash", thread: "worker_1" },
        { at: "2s", ...event },
      ],
    });

    const struck = run.events.filter(({ name }) => name === event.do);
    expect(struck.map(({ thread, status }) => [thread, status])).toEqual([
      ["main", "applied"],
      ["worker_0", "applied"],
    ]);
  });

  test("bunched ticks of all threads come at one instant", () => {
    const run = runBeacon(wasm, { events: [{ at: "1500ms", do: "bunched_ticks", for: "3s" }] });

    const calls = run.facts.calls.filter(({ atNs }) => atNs >= 1.5e9 && atNs < 5e9);
    expect(calls.map(({ atNs }) => atNs)).toEqual([4.5e9, 4.5e9, 4.5e9]);
  });
});
