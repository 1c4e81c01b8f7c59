import { expect, test } from "vitest";
import type { PluginOptions } from "../../../host-mock/envoy/options.ts";
import { guestBytes } from "../../conformance/probe-script.ts";
import { started } from "../tcp/guests.ts";

async function plugin(
  name: string,
  configuration: string,
  more: Partial<PluginOptions> = {},
): Promise<PluginOptions> {
  return { name, wasm: await guestBytes(), configuration, vmId: name, ...more };
}

test("a logger's root logs between the filters' log and their done", async () => {
  const plugins = [
    await plugin("logger", "log: value 2 :status; prop response,code", { kind: "access_log" }),
    await plugin("filter", ""),
  ];
  const { envoy, lines } = started({ plugins });

  envoy.thread("worker_0").request({ upstream: { status: 204 } });

  expect(lines().slice(-6)).toEqual([
    "log(ctx=2)",
    "log(ctx=1)",
    "  value 2 :status = 0 204",
    "  prop response,code = 0 0xcc00000000000000",
    "done(ctx=2)",
    "delete(ctx=2)",
  ]);
});

test("what a logger sees is gone when it has logged", async () => {
  const script = "log: tick 1 | tick#1: value 2 :status; prop response,code; tick 0";
  const { envoy, lines } = started({
    plugins: [await plugin("logger", script, { kind: "access_log" })],
  });
  envoy.thread("worker_0").request();

  envoy.advance("1ms");

  expect(lines()).toContain("  value 2 :status = 2 untouched");
});

test("a logger that trapped is left out, and comes back with FAIL_RELOAD", async () => {
  const script = "log#1: trap";
  const { envoy, lines } = started({
    plugins: [await plugin("logger", script, { kind: "access_log", failurePolicy: "FAIL_RELOAD" })],
  });
  const ask = () => envoy.thread("worker_0").request().status;

  expect([ask(), ask()]).toEqual([200, 200]);
  expect(lines().filter((line) => line.startsWith("log"))).toEqual(["log(ctx=1)"]);
  envoy.advance("2s");
  expect(ask()).toBe(200);
  expect(lines()).toEqual(expect.arrayContaining(["configure(ctx=1 size=11)", "log(ctx=1)"]));
});

test("only the listener that names a logger has it", async () => {
  const plugins = [await plugin("logger", "", { kind: "access_log" })];
  const listeners = { logged: { plugins: ["logger"] }, plain: { plugins: [] } };
  const { envoy, lines } = started({ plugins, listeners });

  envoy.thread("worker_0").request({ listener: "plain" });
  expect(lines()).toEqual([]);
  envoy.thread("worker_0").request({ listener: "logged" });
  expect(lines()).toEqual(["log(ctx=1)"]);
});
