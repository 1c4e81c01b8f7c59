import { expect, test } from "vitest";
import { startOrder } from "../../../host-mock/envoy/start-up.ts";
import type { Plugin } from "../../../host-mock/envoy/plugin.ts";
import { MockHostError } from "../../../host-mock/errors.ts";
import { guestBytes } from "../../conformance/probe-script.ts";
import { started } from "../tcp/guests.ts";

const sizes = "stats: get 8 4 8; get 8 0 4";

async function withSink(statsFlushInterval?: string) {
  const wasm = await guestBytes();
  return started({
    ...(statsFlushInterval === undefined ? {} : { statsFlushInterval }),
    plugins: [
      { name: "sink", kind: "stats_sink", vmId: "sink", wasm, configuration: sizes },
      { name: "counter", wasm, configuration: "configure: mdef 0 a" },
    ],
  });
}

test("a sink is told every five seconds, on the main thread alone", async () => {
  const { envoy, lines } = await withSink();

  envoy.advance("4998ms");
  expect(lines()).toEqual([]);
  envoy.advance("6s");

  expect(lines().filter((line) => line.startsWith("stats"))).toEqual([
    "stats(ctx=1)",
    "stats(ctx=1)",
  ]);
  const threads = new Set(
    envoy.trace.filter(({ plugin }) => plugin === "sink").map(({ thread }) => thread),
  );
  expect([...threads]).toEqual(["main"]);
});

test("the interval can be another one, and the end of the process flushes once more", async () => {
  const { envoy, lines } = await withSink("10ms");

  envoy.advance("9ms");
  envoy.shutdown();

  expect(lines().filter((line) => line.startsWith("stats"))).toHaveLength(2);
});

test("flushes go on when the main thread has crashed and come back", async () => {
  const { envoy, lines } = await withSink("10ms");
  const main = envoy.thread("main");

  main.crash();
  envoy.advance("30ms");
  expect(lines()).toEqual([]);
  main.restart();
  envoy.advance("10ms");

  expect(lines().filter((line) => line.startsWith("stats"))).toHaveLength(1);
});

test("call data begins with the block of counters", async () => {
  const { envoy, lines } = await withSink("10ms");

  envoy.advance("9ms");

  expect(lines().find((line) => line.includes("get 8 4 8"))).toMatch(/= 0 %01%00%00%00/);
});

test("an interval that Envoy would refuse is refused", async () => {
  await expect(withSink("1us")).rejects.toThrow(MockHostError);
});

test("services start first, then sinks, then listeners' loggers and filters", () => {
  const named = (name: string, kind: string) => ({ name, spec: { kind } }) as unknown as Plugin;
  const plugins = [
    named("filter", "http"),
    named("logger", "access_log"),
    named("unused", "network"),
    named("sink", "stats_sink"),
    named("service", "service"),
  ];

  const order = startOrder(plugins, [{ plugins: ["filter", "logger"] }]);

  expect(order.map(({ name }) => name)).toEqual(["service", "sink", "logger", "filter", "unused"]);
});
