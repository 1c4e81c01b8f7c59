import { beforeAll, describe, expect, test } from "vitest";
import type { PluginOptions } from "../../../host-mock/envoy/options.ts";
import { rawPlugin } from "../../support/raw-guest.ts";
import { envoyOf, hostEvents, linesOf, rawGuest } from "./guests.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

function refusal(plugin: Partial<PluginOptions>): unknown {
  try {
    envoyOf(life, { plugin });
  } catch (error) {
    return (error as { code: string }).code;
  }
  return null;
}

describe("options for failing plugins", () => {
  test.each<[string, Partial<PluginOptions>, string | null]>([
    ["failOpen beside a policy", { failOpen: true, failurePolicy: "FAIL_CLOSED" }, "E_OPTION"],
    ["failOpen false beside one", { failOpen: false, failurePolicy: "FAIL_CLOSED" }, null],
    ["failOpen that is neither true nor false", { failOpen: "no" as never }, "E_OPTION"],
    ["another switch", { allowOnHeadersStopIteration: 1 as never }, "E_OPTION"],
    ["a back-off of 1 ms", { reload: { baseInterval: "1ms" } }, "E_OPTION"],
    ["a back-off without a unit", { reload: { baseInterval: "5" } }, "E_OPTION"],
    ["another key of it", { reload: { max: "5s" } as object }, "E_OPTION"],
    ["capabilities that are no list", { allowedCapabilities: "proxy_log" as never }, "E_OPTION"],
    ["a capability without a name", { allowedCapabilities: [""] }, "E_OPTION"],
    ["a capability that is unknown", { allowedCapabilities: ["proxy_such"] }, null],
  ])("%s", (_what, plugin, code) => {
    expect(refusal(plugin)).toBe(code);
  });
});

describe("failOpen", () => {
  test("lets pass what a failure policy does not: the request that traps, and those under way", () => {
    const envoy = envoyOf(life, { plugin: { failOpen: true } });
    const waiting = envoy.thread("worker_0").request({ upstream: { delay: "1s" } });

    const trapping = envoy.thread("worker_0").request({ path: "/trap" });
    envoy.advance("2s");

    expect([trapping, waiting, envoy.thread("worker_0").request()]).toMatchObject([
      { status: 200, local: false },
      { status: 200, local: false },
      { status: 200, local: false },
    ]);
  });
});

describe("FAIL_RELOAD's interval", () => {
  test("is the plugin's own, and drawn in whole milliseconds up to one and a half times of it", () => {
    const reload = { baseInterval: "20ms" };
    const envoy = envoyOf(life, { plugin: { failurePolicy: "FAIL_RELOAD", reload } });
    const worker = envoy.thread("worker_0");
    const waits = new Set<number>();
    worker.request({ path: "/trap" });
    envoy.advance("1s");
    worker.request();

    for (let round = 0; round < 60; round++) {
      let waitedMs = 0;
      worker.request({ path: "/trap" });
      while (worker.request().status === 503) {
        envoy.advance("1ms");
        waitedMs++;
      }
      waits.add(waitedMs);
    }

    expect(Math.min(...waits)).toBeGreaterThanOrEqual(20);
    expect(Math.max(...waits)).toBeLessThan(30);
    expect(waits.size).toBeGreaterThan(2);
    expect(envoy.stats().text(/life\.vm_reload_success/)).toContain(": 61");
  });

  test("brings nothing back where the VM had failed by the end of its start", () => {
    const trapsInCreate = rawPlugin(
      `(func (export "proxy_on_context_create") (param i32 i32) (unreachable))`,
    );
    const envoy = envoyOf(trapsInCreate, { plugin: { failurePolicy: "FAIL_RELOAD" } });

    envoy.advance("10s");
    const { status } = envoy.thread("worker_0").request();

    expect(status).toBe(503);
    expect(envoy.stats().text(/life\.vm_reload_failure/)).toContain(": 1");
    expect(
      hostEvents(envoy, "vm_created").filter((event) => event.thread === "worker_0"),
    ).toHaveLength(1);
  });
});

describe("a trap in the root's on_context_create", () => {
  test("stops neither on_vm_start nor the start, and is no configured plugin", () => {
    const traps = rawPlugin(
      `(func (export "proxy_on_context_create") (param i32 i32) (unreachable))
       (func (export "proxy_on_vm_start") (param i32 i32) (result i32)
         (drop (call $log (i32.const 2) (i32.const 64) (i32.const 7))) (i32.const 1))
       (func (export "proxy_on_configure") (param i32 i32) (result i32) (unreachable))
       (data (i32.const 64) "started")`,
      { imports: `(import "env" "proxy_log" (func $log (param i32 i32 i32) (result i32)))` },
    );
    const envoy = envoyOf(traps);

    envoy.start();

    expect(linesOf(envoy, "worker_0#1")).toEqual([
      "Function: proxy_on_context_create failed: Uncaught RuntimeError: unreachable",
      "started",
    ]);
    expect(hostEvents(envoy, "context_configured").map(({ status }) => status)).toEqual([
      "refused",
      "refused",
    ]);
    expect(envoy.thread("worker_0").request().status).toBe(503);
  });
});

describe("plugins of one VM configuration", () => {
  const vmNames = (more: Partial<PluginOptions>): string[] => {
    const envoy = envoyOf(life, {
      plugins: [
        { name: "a", wasm: life },
        { name: "b", wasm: life, ...more },
      ],
    });
    envoy.start();
    return hostEvents(envoy, "context_configured")
      .filter(({ thread }) => thread === "worker_0")
      .map(({ context }) => String(context));
  };

  test.each<[string, Partial<PluginOptions>, string[]]>([
    ["share a VM", {}, ["1", "2"]],
    ["share it whatever their policies", { failOpen: true }, ["1", "2"]],
    ["with other capabilities do not", { allowedCapabilities: ["proxy_log"] }, ["1", "1"]],
    ["with another environment do not", { environment: { A: "1" } }, ["1", "1"]],
  ])("%s", (_what, more, contexts) => {
    expect(vmNames(more)).toEqual(contexts);
  });
});

describe("allowedCapabilities", () => {
  test("hide callbacks and refuse calls, and a fault cannot trap a hidden callback", () => {
    const allowedCapabilities = ["proxy_log", "proxy_on_request_headers"];
    const envoy = envoyOf(life, { plugin: { allowedCapabilities } });
    envoy.start();

    const { status } = envoy.thread("worker_0").request({ path: "/x" });
    const isApplied = envoy.thread("worker_0").trapNext("proxy_on_tick");

    expect(status).toBe(200);
    expect(linesOf(envoy, "worker_0#1").slice(-2)).toEqual([
      "Attempted call to restricted proxy-wasm capability: proxy_get_header_map_value",
      "on_request_headers id=2 n=6 end=1 path=!10",
    ]);
    expect(isApplied).toBe(false);
  });
});
