import { beforeAll, describe, expect, test } from "vitest";
import { applyFault } from "../../../host-mock/faults/index.ts";
import { hostEvents, linesOf, rawGuest, timeline } from "../envoy/guests.ts";
import { outcome, tickingOf } from "./support.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

const call = "proxy_http_call";
const pausePoints = [call, "proxy_get_buffer_bytes", "proxy_get_header_map_value", "proxy_log"];

/** In each tick: a line, an HTTP call, a line. */
const calling = (words = "", options: Parameters<typeof tickingOf>[2] = {}) =>
  tickingOf(life, `call=up ${words}`, { pausePoints, ...options });

/** Lines of ticks as `MS THREAD words`. */
const tickLines = (envoy: ReturnType<typeof calling>, thread: string) =>
  timeline(envoy)
    .filter((line) => line.includes(` ${thread}#`) && line.includes("on_tick"))
    .map((line) => line.replace(/#\d+ /, " ").replace(/ t_us=.*| token=.*/, ""));

const at = (thread: string, nth = 1) => ({ thread, before: call, nth });

describe("a pause before a host call", () => {
  test("the callback stands still there while all others go on, then goes on, and its timer is armed behind it", () => {
    const envoy = calling();
    envoy.start();

    applyFault(envoy, { do: "pause", ...at("worker_0"), for: "2500ms" });
    envoy.advance("5s");

    expect(tickLines(envoy, "worker_0")).toEqual([
      "1000 worker_0 on_tick id=1 n=1",
      "3500 worker_0 on_tick http_call=0",
      "4500 worker_0 on_tick id=1 n=2",
      "4500 worker_0 on_tick http_call=0",
    ]);
    expect(tickLines(envoy, "main").filter((line) => line.includes("n="))).toHaveLength(5);
    const sent = envoy.calls.filter(({ thread }) => thread === "worker_0");
    expect(sent.map(({ atNs }) => atNs)).toEqual([3.5e9, 4.5e9]);
  });

  test("its event shows the call; the thread is paused in the trace for that long", () => {
    const envoy = calling();
    envoy.start();

    applyFault(envoy, { do: "pause", ...at("worker_0", 2), for: "2s" });
    envoy.advance("5s");

    expect(outcome(envoy, "pause")).toEqual([
      {
        status: "applied",
        result: null,
        thread: "worker_0",
        args: {
          ...at("worker_0", 2),
          for: "2s",
          call: expect.stringMatching(/^proxy_http_call\(.*timeout_ms=1000\)$/) as unknown,
        },
      },
    ]);
    const stretch = hostEvents(envoy, "thread_paused", "thread_resumed");
    expect(stretch.map(({ name, atNs }) => [name, atNs])).toEqual([
      ["thread_paused", 2e9],
      ["thread_resumed", 4e9],
    ]);
  });

  test("three threads stand inside at once, and go on in any order", () => {
    const envoy = calling("", { concurrency: 2 });
    envoy.start();

    applyFault(envoy, { do: "pause", ...at("worker_0"), for: "2s" });
    applyFault(envoy, { do: "pause", ...at("worker_1"), for: "4s" });
    applyFault(envoy, { do: "pause", ...at("main"), for: "3s" });
    envoy.advance("5500ms");

    const goneOn = timeline(envoy)
      .filter((line) => line.includes("on_tick http_call"))
      .slice(0, 3)
      .map((line) => line.split("#")[0]);
    expect(goneOn).toEqual(["3000 worker_0", "4000 main", "4000 worker_0"]);
    expect(tickLines(envoy, "worker_1")[1]).toBe("5000 worker_1 on_tick http_call=0");
  });

  test("a traced run is the same as one of a module that was not rewritten", () => {
    const run = (options: object) => {
      const envoy = tickingOf(life, "call=up", { trace: "full", seed: 3, ...options });
      const events: unknown[] = [];
      envoy.recorder.listen((event) => events.push(event));
      envoy.advance("5s").end();
      return events;
    };

    expect(run({ pausePoints })).toEqual(run({}));
  });

  test("what was asked for in the callback before it, and what comes to the thread meanwhile, waits for its end", () => {
    const envoy = calling("queue=q put");
    envoy.start();
    applyFault(envoy, { do: "pause", thread: "worker_0", before: "proxy_log", nth: 2, for: "3s" });
    envoy.advance("2s");
    const waiting = envoy.thread("worker_0").request({ path: "/later" });

    expect(waiting.done).toBe(false);
    envoy.advance("2s");

    expect(waiting.status).toBe(200);
    const lines = timeline(envoy).filter((line) => line.includes("worker_0#1"));
    const after = lines.slice(lines.findIndex((line) => line.includes("http_call=")));
    expect(after[0]).toContain("4000 worker_0#1 on_tick http_call=0");
    const waited = after.slice(1).map((line) => line.split(" ").slice(0, 3).join(" "));
    expect(waited).toEqual(
      expect.arrayContaining([
        "4000 worker_0#1 on_http_call_response",
        "4000 worker_0#1 on_queue_ready",
        "4000 worker_0#1 on_request_headers",
      ]),
    );
  });

  test("an answer's callback can be paused inside, and what it may read stays readable", () => {
    const envoy = calling("", { clusters: { up: { status: 201, body: "hello" } } });
    envoy.start();

    applyFault(envoy, {
      do: "pause",
      thread: "worker_0",
      before: "proxy_get_buffer_bytes",
      for: "700ms",
    });
    envoy.advance("2s");

    const answered = timeline(envoy).find(
      (line) => line.includes("worker_0#1") && line.includes("on_http_call_response"),
    );
    expect(answered).toMatch(/^1700 .*status=201 body=hello/);
  });

  test("a second pause before a later call of the same callback; and a pause of the thread extends it", () => {
    const envoy = calling();
    envoy.start();
    applyFault(envoy, { do: "pause", ...at("worker_0"), for: "1s" });
    applyFault(envoy, { do: "pause", thread: "worker_0", before: "proxy_log", nth: 2, for: "1s" });
    envoy.at("1500ms", () => void envoy.thread("worker_0").pause("2s"));

    envoy.advance("6s");

    expect(tickLines(envoy, "worker_0").slice(0, 2)).toEqual([
      "1000 worker_0 on_tick id=1 n=1",
      "4500 worker_0 on_tick http_call=0",
    ]);
    const sent = envoy.calls.filter(({ thread }) => thread === "worker_0");
    expect(sent[0]).toMatchObject({ atNs: 3.5e9, arrivedNs: 3.5e9 });
  });

  test("a refusal or a crash at the same call comes when it is carried out", () => {
    const envoy = calling();
    envoy.start();

    applyFault(envoy, { do: "crash", ...at("worker_0") });
    applyFault(envoy, { do: "refuse", ...at("main"), status: "NotFound" });
    for (const thread of ["main", "worker_0"])
      applyFault(envoy, { do: "pause", ...at(thread), for: "2s" });
    envoy.advance("4s");

    expect(tickLines(envoy, "worker_0")).toEqual(["1000 worker_0 on_tick id=1 n=1"]);
    expect(hostEvents(envoy, "vm_gone")).toMatchObject([{ atNs: 3e9 }]);
    expect(tickLines(envoy, "main")[1]).toBe("3000 main on_tick http_call=1");
  });
});

describe("what ends it", () => {
  test("a crash: the callback never goes on, nor what came after it", () => {
    const envoy = calling();
    envoy.start();
    applyFault(envoy, { do: "pause", ...at("worker_0"), for: "10s" });
    envoy.advance("2s");

    envoy.thread("worker_0").crash();
    envoy.advance("20s");

    expect(tickLines(envoy, "worker_0")).toEqual(["1000 worker_0 on_tick id=1 n=1"]);
    expect(hostEvents(envoy, "vm_gone")).toHaveLength(1);
    expect(envoy.trace.filter(({ event }) => event === "trap")).toEqual([]);
  });

  test("a restart: the fresh VM ticks at once, and the old callback is forgotten", () => {
    const envoy = calling();
    envoy.start();
    applyFault(envoy, { do: "pause", ...at("worker_0"), for: "10s" });
    envoy.advance("2s");

    envoy.thread("worker_0").restart();
    envoy.advance("20s");

    expect(tickLines(envoy, "worker_0").slice(0, 3)).toEqual([
      "1000 worker_0 on_tick id=1 n=1",
      "3000 worker_0 on_tick id=1 n=1",
      "3000 worker_0 on_tick http_call=0",
    ]);
  });

  test("a shutdown: the callback goes on to its end first, then on_done", () => {
    const envoy = calling();
    envoy.start();
    applyFault(envoy, { do: "pause", ...at("worker_0"), for: "10s" });
    envoy.advance("2s");

    envoy.shutdown();

    const lines = linesOf(envoy, "worker_0#1").map((line) => line.split(" ").slice(0, 2).join(" "));
    expect(lines.slice(-3)).toEqual(["on_tick http_call=0", "on_done id=1", "on_delete id=1"]);
  });

  test("the end of the run: it stands still then", () => {
    const envoy = calling();
    envoy.start();
    applyFault(envoy, { do: "pause", ...at("worker_0"), for: "10s" });
    envoy.advance("2s");

    envoy.end();

    expect(tickLines(envoy, "worker_0")).toEqual(["1000 worker_0 on_tick id=1 n=1"]);
  });

  test("a reconfigure and a wipe in it: old contexts drain, data is gone, the callback goes on in the old context", () => {
    const envoy = calling("", { drain: "5s" });
    envoy.start();
    envoy.setSharedData({ key: "k", value: "v" });
    applyFault(envoy, { do: "pause", ...at("worker_0"), for: "3s" });
    envoy.advance("2s");

    envoy.wipe();
    envoy.reconfigure("life", "tick=1000 other");
    envoy.advance("12s");

    expect(envoy.sharedData().size).toBe(0);
    const lines = linesOf(envoy, "worker_0#1");
    expect(lines.indexOf("on_tick http_call=0 token=4")).toBeLessThan(
      lines.findIndex((line) => line.startsWith("on_configure id=2")),
    );
    expect(lines.some((line) => line.startsWith("on_delete id=1"))).toBe(true);
    expect(lines.at(-1)).toMatch(/^on_tick id=2/);
  });

  test("a client that goes away meanwhile: its stream's end is told when the callback is over", () => {
    const envoy = calling();
    envoy.start();
    const open = envoy.thread("worker_0").request({ path: "/pause" });
    applyFault(envoy, { do: "pause", ...at("worker_0"), for: "3s" });
    envoy.advance("2s");

    open.abandon();
    const during = linesOf(envoy, "worker_0#1").some((line) => line.startsWith("on_done"));
    envoy.advance("4s");

    expect(during).toBe(false);
    const lines = linesOf(envoy, "worker_0#1");
    const goneOn = lines.findIndex((line) => line.startsWith("on_tick http_call"));
    expect(lines.findIndex((line) => line.startsWith("on_done"))).toBeGreaterThan(goneOn);
  });
});

describe("where it cannot be", () => {
  const result = (envoy: ReturnType<typeof calling>) => outcome(envoy, "pause").at(-1);

  test("a callback of a stream, whose answer is needed at once: the request goes on, and the event says why", () => {
    const envoy = calling();
    envoy.start();
    applyFault(envoy, {
      do: "pause",
      thread: "worker_0",
      before: "proxy_get_header_map_value",
      for: "3s",
    });

    expect(envoy.thread("worker_0").request().status).toBe(200);
    expect(result(envoy)).toMatchObject({
      status: "not_applied",
      result:
        "proxy_on_request_headers cannot be paused inside, its answer is needed at once; " +
        "proxy_on_tick and callbacks that bring a root an answer can",
    });
  });

  test("a start-up", () => {
    const envoy = calling();
    envoy.start();
    envoy.at("1500ms", () => {
      envoy.thread("worker_0").restart();
      envoy.thread("worker_0").before({ call: "proxy_log", nth: 2 }).pause("1s");
    });

    envoy.advance("2s");

    expect(result(envoy)).toMatchObject({ status: "not_applied" });
    expect(linesOf(envoy, "worker_0#2").length).toBeGreaterThan(2);
  });

  test("a tick that another callback of the thread runs inside its own host call", () => {
    const plugin = (name: string) => ({
      name,
      wasm: life,
      vmConfiguration: name,
      configuration: "tick=1000 call=up",
    });
    const envoy = calling("", { plugins: [plugin("a"), plugin("b")] });
    envoy.start();
    const worker = envoy.thread("worker_0");
    worker.interpose({ call: "proxy_log", plugin: "a", run: () => void worker.tick("b") });
    worker.before({ call, plugin: "b" }).pause("1s");

    worker.tick("a");

    expect(result(envoy)).toMatchObject({
      status: "not_applied",
      result: "another callback of the thread runs around it",
    });
  });
});
