import { beforeAll, describe, expect, test } from "vitest";
import { applyFault } from "../../../host-mock/faults/index.ts";
import { hostEvents, linesOf, rawGuest } from "../envoy/guests.ts";
import { outcome, tickingOf } from "./support.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

const ticking = (words = "", options: Parameters<typeof tickingOf>[2] = {}) =>
  tickingOf(life, words, options);

describe("data and clocks", () => {
  test("wipe drops one vm_id's data; versions go on", () => {
    const envoy = ticking();
    envoy.start();
    envoy.setSharedData({ key: "a", value: "1" });
    envoy.setSharedData({ vmId: "other", key: "a", value: "2" });

    applyFault(envoy, { do: "wipe", vm_id: "" });
    envoy.setSharedData({ key: "b", value: "3" });

    expect([...envoy.sharedData().keys()]).toEqual(["b"]);
    expect(envoy.sharedData().get("b")!.cas).toBe(3);
    expect(envoy.sharedData("other").get("a")!.text()).toBe("2");
  });

  test("set_shared_data takes text, base64 and repetition; a wrong cas does not happen", () => {
    const envoy = ticking();
    envoy.start();

    applyFault(envoy, { do: "set_shared_data", key: "k", value: { base64: "/w==" } });
    applyFault(envoy, {
      do: "set_shared_data",
      key: "big",
      value: { repeat: "x", times: 1048576 },
    });
    const mismatch = applyFault(envoy, { do: "set_shared_data", key: "k", value: "n", cas: 99 });

    expect(envoy.sharedData().get("k")!.value).toEqual(new Uint8Array([255]));
    expect(envoy.sharedData().get("big")!.value).toHaveLength(1048576);
    expect(mismatch).toBe(false);
    expect(outcome(envoy, "set_shared_data")[2]).toMatchObject({
      status: "not_applied",
      result: "CasMismatch",
    });
  });

  test("the wall clock jumps, the monotonic clock and the timers do not", () => {
    const envoy = ticking();
    envoy.advance("1500ms");

    applyFault(envoy, { do: "wall_clock", by: "+1h" });
    applyFault(envoy, { do: "wall_clock", by: "-30s" });
    envoy.advance("1s");

    expect(linesOf(envoy, "main#1").at(-1)).toBe("on_tick id=1 n=2 t_us=3602000000");
    expect(outcome(envoy, "wall_clock").map(({ args }) => args)).toEqual([
      { by: "+1h" },
      { by: "-30s" },
    ]);
  });
});

describe("wipe", () => {
  test("drops the shared queues of the vm_id as well: nobody is told of elements any more", () => {
    const envoy = ticking("queue=q put", { plugin: { kind: "singleton" } });
    envoy.advance("2500ms");

    envoy.wipe("other");
    envoy.advance("1s");
    envoy.wipe("");
    envoy.advance("5s");

    const told = linesOf(envoy, "main#1").filter((line) => line.startsWith("on_queue_ready"));
    expect(told).toHaveLength(3);
  });
});

describe("refuse", () => {
  test("answers the status for a while, on that thread alone", () => {
    const envoy = ticking("call=up");
    envoy.advance("1s");

    applyFault(envoy, {
      do: "refuse",
      thread: "main",
      call: "proxy_http_call",
      status: "InternalFailure",
      for: "2s",
    });
    envoy.advance("4s");

    const calls = (vm: string) => linesOf(envoy, vm).filter((line) => line.includes("http_call="));
    expect(calls("main#1").map((line) => line.replace(/ token.*/, ""))).toEqual([
      "on_tick http_call=0",
      "on_tick http_call=10",
      "on_tick http_call=0",
      "on_tick http_call=0",
      "on_tick http_call=0",
    ]);
    expect(calls("worker_0#1").every((line) => line.includes("http_call=0"))).toBe(true);
  });

  test("or so many times", () => {
    const envoy = ticking("call=up");
    envoy.start();

    envoy.thread("main").refuse({ call: "proxy_http_call", status: "BadArgument", count: 2 });
    envoy.advance("4s");

    const statuses = linesOf(envoy, "main#1")
      .filter((line) => line.includes("http_call="))
      .map((line) => line.replace(/.*http_call=(\d+).*/, "$1"));
    expect(statuses).toEqual(["2", "2", "0", "0"]);
  });

  test("leaves nothing behind when its time or its count is over", () => {
    const envoy = ticking("call=up");
    envoy.start();
    const { rules } = envoy.thread("main");

    for (let round = 0; round < 100; round++) {
      envoy.thread("main").refuse({ call: "proxy_log", status: "Ok", for: "1ms" });
      envoy.thread("main").refuse({ call: "proxy_http_call", status: "NotFound", count: 1 });
    }
    const before = rules.length;
    envoy.advance("101s");

    expect(before).toBe(200);
    expect(rules).toEqual([]);
    const statuses = linesOf(envoy, "main#1").filter((line) => line.includes("http_call=1 "));
    expect(statuses).toHaveLength(100);
  });

  test("names wrong calls and statuses", () => {
    const envoy = ticking();

    expect(() => envoy.thread("main").refuse({ call: "proxy_http_cal", status: "Ok" })).toThrow(
      /proxy_http_call\?/,
    );
    expect(() => envoy.thread("main").refuse({ call: "proxy_log", status: "Nope" })).toThrow(
      expect.objectContaining({ code: "E_UNKNOWN_NAME" }),
    );
    expect(() => envoy.thread("main").refuse({ call: "proxy_log", status: "ParseFailur" })).toThrow(
      /did you mean ParseFailure\?/,
    );
  });
});

describe("delay_calls", () => {
  test("calls dispatched in that span reach the receiver later; its end is not part of it", () => {
    const envoy = ticking("call=up timeout=60000", { plugin: { kind: "singleton" } });
    envoy.at("1500ms", () => {
      applyFault(envoy, {
        do: "delay_calls",
        thread: "main",
        cluster: "up",
        by: "8s",
        for: "1500ms",
      });
    });

    envoy.advance("15s");

    const arrived = envoy.calls.map(({ atNs, arrivedNs }) => [atNs / 1e9, (arrivedNs ?? 0) / 1e9]);
    expect(arrived.slice(0, 4)).toEqual([
      [1, 1],
      [2, 10],
      [3, 3],
      [4, 4],
    ]);
  });

  test("a held call arrives after its timeout and after its thread's crash; the guest saw 504", () => {
    const envoy = ticking("call=up timeout=2000 ticks=1", { plugin: { kind: "singleton" } });
    envoy.at("500ms", () =>
      envoy.thread("main").delayCalls({ cluster: "up", by: "8s", for: "1s" }),
    );
    envoy.at("5s", () => envoy.thread("main").crash());

    envoy.advance("15s");

    expect(envoy.calls).toMatchObject([{ atNs: 1e9, arrivedNs: 9e9, answered: 200, status: 504 }]);
  });

  test("calls that arrive at one instant arrive in the order of dispatch", () => {
    const order: string[] = [];
    const envoy = ticking("call=up timeout=60000", {
      concurrency: 2,
      clusters: { up: (request: { path: string }) => (order.push(request.path), {}) },
    });
    envoy.start();
    for (const thread of envoy.threads)
      thread.delayCalls({ cluster: "up", by: "2s", for: "1500ms" });

    envoy.advance("3s");

    const calls = envoy.calls.filter(({ arrivedNs }) => arrivedNs === 3e9);
    expect(calls.map(({ atNs }) => atNs / 1e9)).toEqual([1, 1, 1, 3, 3, 3]);
    const arrivals = hostEvents(envoy, "http_call_arrived").filter(({ atNs }) => atNs === 3e9);
    expect(arrivals.map((event) => event.args["call"])).toEqual(calls.map(({ call }) => call));
  });

  test("an unknown cluster is named", () => {
    const envoy = ticking();

    expect(() => envoy.thread("main").delayCalls({ cluster: "upp", by: "1s", for: "1s" })).toThrow(
      /did you mean up\?/,
    );
  });
});
