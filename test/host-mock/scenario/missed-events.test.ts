import { beforeAll, describe, expect, test } from "vitest";
import { beacon } from "../cli/guests.ts";
import { faultsOf, runBeacon, verdictOf } from "./running.ts";

let wasm = "";

beforeAll(async () => {
  wasm = await beacon();
});

describe("an event that never happened fails events_applied:", () => {
  test("a reconfigure while main stands still to the end of the run", () => {
    const run = runBeacon(wasm, {
      events: [
        { at: "1s", do: "pause", thread: "main", for: "1h" },
        { at: "2s", do: "reconfigure", plugin: "p", configuration: "collector" },
      ],
    });

    expect(faultsOf(run).at(-1)).toEqual({
      name: "reconfigure",
      status: "not_applied",
      atMs: 10_000,
      result: "asked for at 2s, and main stood still to the end of the run",
    });
    expect(verdictOf(run, "events_applied")).toMatchObject({ holds: false });
  });

  test("a refusal or a delay on every thread, when none lives", () => {
    const run = runBeacon(wasm, {
      events: [
        ...["main", "worker_0", "worker_1"].map((thread) => ({ at: "1s", do: "crash", thread })),
        { at: "2s", do: "refuse", call: "proxy_log", status: "InternalFailure", count: 2 },
        { at: "3s", do: "delay_calls", cluster: "collector", by: "1s", for: "1s" },
      ],
    });

    expect(faultsOf(run).slice(3)).toEqual([
      { name: "refuse", status: "not_applied", atMs: 2000, result: "no thread lives" },
      { name: "delay_calls", status: "not_applied", atMs: 3000, result: "no thread lives" },
    ]);
    expect(verdictOf(run, "events_applied")).toMatchObject({ holds: false });
  });
});

describe("a thread that lives and waits for its start-up", () => {
  test("can crash, and starts no more", () => {
    const run = runBeacon(wasm, {
      events: [
        { at: "2s", do: "restart", thread: "worker_0" },
        { at: "2s", do: "pause", thread: "worker_0", for: "4s" },
        { at: "3s", do: "crash", thread: "worker_0" },
      ],
    });

    expect(faultsOf(run).map(({ status }) => status)).toEqual(["applied", "applied", "applied"]);
    expect(run.ok).toBe(true);
    expect(
      run.facts.life.contexts.filter(({ thread, fromNs }) => thread === "worker_0" && fromNs > 0),
    ).toEqual([]);
  });

  test.each(["main", "worker_0"])("can restart again and trap, as %s", (thread) => {
    const run = runBeacon(wasm, {
      events: [
        { at: "2s", do: "restart", thread },
        { at: "2s", do: "crash", thread },
        { at: "2s", do: "restart", thread },
        { at: "2s", do: "restart", thread },
        { at: "2s", do: "trap", thread, callback: "proxy_on_tick" },
      ],
      properties: [{ check: "traps", plugin: "p", at_most: 1 }],
    });

    expect(faultsOf(run).map(({ status }) => status)).toEqual(Array(5).fill("applied"));
    expect(run.ok).toBe(true);
  });

  test("cannot trap in a callback its plugins do not export", () => {
    const run = runBeacon(wasm, {
      events: [
        { at: "2s", do: "restart", thread: "main" },
        { at: "2s", do: "trap", thread: "main", callback: "proxy_on_new_connection" },
      ],
    });

    expect(faultsOf(run).at(-1)).toMatchObject({ status: "not_applied" });
  });
});

describe("a trap in a callback of one profile", () => {
  const events = [
    { at: "1s", do: "trap", thread: "main", callback: "proxy_on_redis_call_response" },
  ];

  test("is refused where the run's profile has none, whatever the file says", () => {
    const run = (profile: string, option: string): unknown =>
      runBeacon(wasm, { frame: { profile }, events }, { profile: option });

    expect(() => run("higress", "envoy")).toThrow(
      /scenario\.json:1:\d+: profile envoy never calls proxy_on_redis_call_response; use profile higress$/,
    );
    expect(() => run("envoy", "higress")).not.toThrow();
  });
});

test("thirty thousand events happen in file order, in little more time than they take", () => {
  const events = Array.from({ length: 30_000 }, (_, index) => ({
    at: `${1 + (index % 3)}s`,
    do: "set_shared_data",
    key: "k",
    value: String(index),
  }));

  const run = runBeacon(wasm, { events });

  const keys = run.events.filter(({ event }) => event === "fault").map(({ args }) => args["value"]);
  const expected = [0, 1, 2].flatMap((third) =>
    Array.from({ length: 10_000 }, (_, index) => String(3 * index + third)),
  );
  expect(keys.map((value) => new TextDecoder().decode(value as Uint8Array))).toEqual(expected);
}, 15_000);
