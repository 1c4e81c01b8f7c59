import { beforeAll, describe, expect, test } from "vitest";
import { applyFault } from "../../../host-mock/faults/index.ts";
import { hostEvents, linesOf, rawGuest } from "../envoy/guests.ts";
import { outcome, tickingOf } from "./support.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

/** In each tick: a line, an HTTP call, a line. */
const calling = (options: Parameters<typeof tickingOf>[2] = {}) =>
  tickingOf(life, "call=up", options);

const call = "proxy_http_call";
const where = { thread: "worker_0", before: call, nth: 1 };
const shownCall = expect.stringContaining(`${call}(`) as unknown as string;

describe("a crash before a host call", () => {
  test("the guest never goes on, the call is not made, nothing traps, and the callback does not return", () => {
    const envoy = calling({ trace: "full" });
    const full: string[] = [];
    envoy.recorder.listen(({ event, name, vm }) => {
      if (vm === "worker_0#1") full.push(`${event} ${name}`);
    });
    envoy.advance("1500ms");
    full.length = 0;

    envoy.thread("worker_0").before({ call }).crash();
    envoy.advance("5s");

    expect(full).toEqual([
      "timer tick",
      "callback proxy_on_tick",
      "call clock_time_get",
      "log info",
      "call proxy_log",
      "timer vm_gone",
    ]);
    expect(linesOf(envoy, "worker_0#1").at(-1)).toMatch(/^on_tick id=1 n=2/);
    expect(envoy.calls.filter(({ vm }) => vm === "worker_0#1")).toHaveLength(1);
    expect(hostEvents(envoy, "trap")).toEqual([]);
    expect(envoy.thread("worker_0").alive).toBe(false);
    expect(outcome(envoy, "crash")).toEqual([
      {
        status: "applied",
        result: null,
        thread: "worker_0",
        args: { ...where, call: shownCall },
      },
    ]);
  });

  test("the nth such call from now on is meant, and calls made before in that callback were made", () => {
    const envoy = calling();
    envoy.start();

    // A line, the call, a line; and a line when it is answered.
    applyFault(envoy, { do: "crash", thread: "worker_0", before: "proxy_log", nth: 5 });
    envoy.advance("5s");

    const ticks = linesOf(envoy, "worker_0#1").filter((line) => line.startsWith("on_tick id="));
    expect(ticks).toHaveLength(2);
    expect(hostEvents(envoy, "vm_gone")).toMatchObject([{ atNs: 2e9 }]);
    const sent = envoy.calls.filter(({ vm }) => vm === "worker_0#1");
    expect(sent.map(({ arrivedNs, status }) => [arrivedNs, status])).toEqual([
      [1e9, 200],
      [2e9, null],
    ]);
  });

  test("the thread comes back after restart_after, in the state of a fresh VM", () => {
    const envoy = calling();
    envoy.start();

    applyFault(envoy, { do: "crash", ...where, restart_after: "3s" });
    envoy.advance("6s");

    expect(outcome(envoy, "restart")).toMatchObject([
      { status: "applied", args: { by: "restart_after" } },
    ]);
    expect(linesOf(envoy, "worker_0#2").at(-1)).toContain("on_http_call_response");
    expect(hostEvents(envoy, "vm_created").at(-1)).toMatchObject({ vm: "worker_0#2", atNs: 4e9 });
  });

  test("in a start-up the plugin's start is nobody's refusal, and later VMs of the thread do not start", () => {
    const plugin = (name: string) => ({
      name,
      wasm: life,
      vmConfiguration: name,
      configuration: "tick=1000",
    });
    const envoy = tickingOf(life, "", { plugins: [plugin("a"), plugin("b")] });
    envoy.advance("1s");
    envoy.at("2s", () => {
      envoy.thread("worker_0").restart();
      envoy.thread("worker_0").before({ call: "proxy_set_tick_period_milliseconds" }).crash();
    });

    envoy.advance("2s");

    expect(linesOf(envoy, "worker_0#2").some((line) => line.startsWith("on_configure"))).toBe(true);
    expect(linesOf(envoy, "worker_0#3")).toEqual([]);
    expect(hostEvents(envoy, "context_configured").every(({ status }) => status === "Ok")).toBe(
      true,
    );
    envoy.thread("worker_0").restart();
    envoy.advance("1s");
    expect(hostEvents(envoy, "tick").length + linesOf(envoy, "worker_0#3").length).toBeGreaterThan(
      0,
    );
    expect(envoy.reconfigure("a", "tick=500")).toBe(true);
  });

  test("a request whose callback it struck gets the answer of a failed VM, as after a trap", () => {
    const envoy = tickingOf(life);
    envoy.start();
    envoy.thread("worker_0").before({ call: "proxy_get_header_map_value" }).crash();

    const struck = envoy.thread("worker_0").request({ path: "/" });

    expect(struck.status).toBe(503);
    expect(envoy.thread("worker_0").request().status).toBe(503);
  });
});

describe("refuse, trap and others before a host call", () => {
  test("that very call answers the status, no other does", () => {
    const envoy = calling();
    envoy.start();

    applyFault(envoy, { do: "refuse", ...where, nth: 2, status: "InternalFailure" });
    envoy.advance("3s");

    const answers = linesOf(envoy, "worker_0#1").filter((line) => line.includes("http_call="));
    expect(answers.map((line) => /http_call=(\d+)/.exec(line)?.[1])).toEqual(["0", "10", "0"]);
    expect(outcome(envoy, "refuse")).toMatchObject([
      { status: "applied", args: { ...where, nth: 2, status: "InternalFailure", call: shownCall } },
    ]);
  });

  test("a trap there is one of the callback that makes the call", () => {
    const envoy = calling();
    envoy.start();

    applyFault(envoy, { do: "trap", ...where });
    envoy.advance("3s");

    const traps = envoy.trace.filter(({ event }) => event === "trap");
    expect(traps).toMatchObject([{ name: "proxy_on_tick", vm: "worker_0#1", atNs: 1e9 }]);
    expect(linesOf(envoy, "worker_0#1").at(-2)).toMatch(/^on_tick id=1 n=1/);
    expect(envoy.thread("worker_0").alive).toBe(true);
  });

  test("a wipe, a clock jump and a reconfigure come right before the call", () => {
    const envoy = calling();
    envoy.start();
    envoy.setSharedData({ key: "k", value: "v" });
    const at = { thread: "worker_0", before: "proxy_log", nth: 2 } as const;

    applyFault(envoy, { do: "wipe", ...at });
    applyFault(envoy, { do: "wall_clock", by: "+1h", ...at });
    applyFault(envoy, { do: "reconfigure", plugin: "life", configuration: "tick=500", ...at });
    envoy.advance("1s");

    expect(envoy.sharedData().size).toBe(0);
    const instants = hostEvents(envoy, "wipe", "wall_clock", "reconfigure").map(
      ({ name, atNs, status }) => [name, atNs, status],
    );
    expect(instants).toEqual([
      ["wipe", 1e9, "applied"],
      ["wall_clock", 1e9, "applied"],
      ["reconfigure", 1e9, "applied"],
    ]);
  });

  test("several that wait for one call all strike, in the order of asking", () => {
    const envoy = calling();
    envoy.start();
    envoy.setSharedData({ key: "k", value: "v" });

    applyFault(envoy, { do: "wipe", ...where });
    applyFault(envoy, { do: "crash", ...where });
    envoy.advance("1s");

    expect(hostEvents(envoy, "wipe", "crash").map(({ name }) => name)).toEqual(["wipe", "crash"]);
  });
});

describe("a call that does not come", () => {
  test("is told at the end of the run, with how many came", () => {
    const envoy = calling();
    envoy.start();
    applyFault(envoy, { do: "crash", ...where, nth: 9 });

    envoy.advance("3s").end();

    expect(outcome(envoy, "crash")).toMatchObject([
      {
        status: "not_applied",
        result: `call 9 of ${call} did not come by the end of the run, 3 came`,
      },
    ]);
  });

  test("within a time: when the time is over, and from then on nothing strikes", () => {
    const envoy = calling();
    envoy.advance("100ms");
    applyFault(envoy, { do: "crash", ...where, within: "500ms" });
    applyFault(envoy, {
      do: "refuse",
      ...where,
      status: "NotFound",
      within: "500ms",
      may_miss: true,
    });

    envoy.advance("3s");

    expect(hostEvents(envoy, "crash", "refuse")).toMatchObject([
      { atNs: 600e6, status: "not_applied", result: `call 1 of ${call} did not come in 500ms` },
      { atNs: 600e6, status: "skipped" },
    ]);
    expect(envoy.thread("worker_0").alive).toBe(true);
    expect(envoy.thread("worker_0").rules).toEqual([]);
  });

  test("because the thread crashed first", () => {
    const envoy = calling();
    envoy.start();
    applyFault(envoy, { do: "refuse", ...where, status: "NotFound" });

    envoy.thread("worker_0").crash();

    expect(outcome(envoy, "refuse")).toMatchObject([
      { status: "not_applied", result: `call 1 of ${call} did not come before the thread crashed` },
    ]);
  });

  test("a dead thread makes none", () => {
    const envoy = calling();
    envoy.start();
    envoy.thread("worker_0").crash();

    expect(applyFault(envoy, { do: "crash", ...where })).toBe(false);
    expect(outcome(envoy, "crash").at(-1)).toMatchObject({ result: "the thread is dead" });
  });
});

describe("wrong words", () => {
  test.each([
    [{ do: "crash", thread: "worker_0", before: "proxy_nothing" }, "E_UNKNOWN_NAME"],
    [{ do: "crash", ...where, nth: 0 }, "E_OPTION"],
    [{ do: "refuse", ...where, status: "Maybe" }, "E_UNKNOWN_NAME"],
    [{ do: "refuse", ...where, call, status: "NotFound" }, "E_OPTION"],
    [{ do: "trap", ...where, callback: "proxy_on_tick" }, "E_OPTION"],
    [{ do: "trap", thread: "worker_0" }, "E_OPTION"],
    [{ do: "wipe", before: call }, "E_OPTION"],
    [{ do: "wipe", thread: "worker_0" }, "E_OPTION"],
    [{ do: "pause", ...where, for: "1s" }, "E_OPTION"],
  ] as const)("%j", (fault, code) => {
    const envoy = calling();
    envoy.start();

    expect(() => applyFault(envoy, fault)).toThrow(expect.objectContaining({ code }) as Error);
  });
});
