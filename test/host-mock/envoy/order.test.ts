import { beforeAll, describe, expect, test } from "vitest";
import { encodeEvent } from "../../../host-mock/trace/codec.ts";
import { applyFault } from "../../../host-mock/faults/index.ts";
import { envoyOf, hostEvents, linesOf, rawGuest, timeline } from "./guests.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

describe("at one instant", () => {
  test("events of the file come first, in their order, then start-up, then answers, then timers", () => {
    const order: string[] = [];
    const envoy = envoyOf(life, {
      configuration: "tick=1000 call=up ticks=2",
      clusters: { up: { delay: "1s" } },
      plugin: { kind: "singleton" },
    });
    envoy.at("2s", () => order.push("first"));
    envoy.at("2s", () => {
      order.push("second");
      envoy.thread("worker_0").restart();
    });
    envoy.at("2s", () => order.push("third"));
    envoy.recorder.listen((event) => {
      if (event.atNs !== 2e9) return;
      if (event.event === "log")
        order.push(String(new TextDecoder().decode(event.args["message"] as Uint8Array)));
    });

    envoy.advance("2s");

    expect(order.map((line) => line.replace(/ .*/, ""))).toEqual([
      "first",
      "second",
      "third",
      "on_http_call_response",
      "on_tick",
      "on_tick",
    ]);
  });

  test("a restart's start-up waits for the rest of the instant's file events", () => {
    const envoy = envoyOf(life);
    envoy.start();
    envoy.at("1s", () => envoy.thread("worker_0").restart());
    envoy.at("1s", () => envoy.wipe());

    envoy.advance("1s");

    const names = envoy.recorder.events.filter(({ atNs }) => atNs === 1e9).map(({ name }) => name);
    expect(names.slice(0, 4)).toEqual(["vm_gone", "restart", "wipe", "vm_created"]);
  });

  test("answers of one instant come in an order drawn by the seed", () => {
    const orders = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => {
      const envoy = envoyOf(life, {
        seed,
        concurrency: 3,
        configuration: "tick=1000 call=up ticks=1",
        clusters: { up: { delay: "1ms" } },
      });
      envoy.advance("2s");
      return timeline(envoy)
        .filter((line) => line.includes("on_http_call_response"))
        .map((line) => line.split(" ")[1])
        .join(" ");
    });

    expect(new Set(orders).size).toBeGreaterThan(3);
  });

  test("events at 0s precede start-up", () => {
    const envoy = envoyOf(life);
    const seen: number[] = [];
    envoy.at("0s", () => seen.push(hostEvents(envoy, "vm_created").length));

    envoy.start();

    expect(seen).toEqual([0]);
    expect(hostEvents(envoy, "vm_created")).toHaveLength(4);
  });

  test("the last instant is part of the run", () => {
    const envoy = envoyOf(life, { configuration: "tick=1000" });
    const seen: string[] = [];
    envoy.at("3s", () => seen.push("event"));

    envoy.advance("3s");

    expect(seen).toEqual(["event"]);
    expect(linesOf(envoy, "main#1").filter((line) => line.startsWith("on_tick"))).toHaveLength(3);
  });
});

test("the same input gives the same trace byte for byte, another seed another", () => {
  const run = (seed: number) => {
    const lines: string[] = [];
    const envoy = envoyOf(life, {
      seed,
      concurrency: 4,
      trace: "full",
      tickJitter: "20ms",
      callCost: "1us",
      drain: "10s",
      configuration: "tick=500 call=up queue=q put",
      clusters: { up: { status: 200, body: "x", delay: "3ms" } },
    });
    envoy.recorder.listen((event) => lines.push(encodeEvent(event)));
    applyFault(envoy, {
      do: "chaos",
      until: "30s",
      crash_every: "3s",
      restart_after: "1s",
      threads: "all",
    });
    envoy.at("5s", () => envoy.thread("worker_1").pause("2s"));
    envoy.at("6s", () => envoy.thread("worker_0").request({ path: "/resume", body: "abc" }));
    envoy.at("8s", () => envoy.reconfigure("life", "tick=700 call=up"));
    envoy.advance("40s");
    envoy.end();
    return lines.join("\n");
  };

  const first = run(5);

  expect(first.length).toBeGreaterThan(100_000);
  expect(run(5) === first).toBe(true);
  expect(run(6) === first).toBe(false);
});

describe("names and state", () => {
  test("unknown threads, plugins and profiles are answered with the nearest name", () => {
    const envoy = envoyOf(life, { concurrency: 2 });

    expect(() => envoy.thread("worker_2")).toThrow(
      /no thread "worker_2" \(did you mean worker_0\?\)/,
    );
    expect(() => envoy.election("lfe")).toThrow(/did you mean life\?/);
    expect(() => envoy.reconfigure("lfe", "")).toThrow(
      expect.objectContaining({ code: "E_UNKNOWN_NAME" }),
    );
    expect(() => envoyOf(life, { profile: "envyo" })).toThrow(
      expect.objectContaining({ code: "E_UNKNOWN_NAME" }),
    );
  });

  test.each([
    [{ concurrency: 0 }, /concurrency is 0/],
    [{ seed: 1.5 }, /seed is 1.5/],
    [{ start: "2026-02-30T00:00:00Z" }, /no instant/],
    [{ start: "tomorrow" }, /2026-01-01T00:00:00Z/],
    [{ drain: "10" }, /10ms or 10s/],
    [{ logLevel: "debgu" as "debug" }, /did you mean debug\?/],
    [{ plugins: [] }, /no plugin/],
  ])("the options %j are refused with a remedy", (options, message) => {
    expect(() => envoyOf(life, options)).toThrow(message);
  });

  test("two plugins of one name are refused", () => {
    const plugins = [
      { name: "a", wasm: life },
      { name: "a", wasm: life },
    ];

    expect(() => envoyOf(life, { plugins })).toThrow(/two plugins are called a/);
  });

  test("time does not move inside a callback of at(), and a past instant is refused", () => {
    const envoy = envoyOf(life);
    envoy.at("1s", () => envoy.advance("1s"));

    expect(() => envoy.advance("2s")).toThrow(expect.objectContaining({ code: "E_STATE" }));
    expect(() => envoy.at("500ms", () => undefined)).toThrow(
      expect.objectContaining({ code: "E_OPTION" }),
    );
  });
});
