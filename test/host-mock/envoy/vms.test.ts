import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import type { MockEnvoy } from "../../../host-mock/envoy/mock-envoy.ts";
import { rawModule } from "../../support/raw-guest.ts";
import { envoyOf, hostEvents, linesOf, rawGuest } from "./guests.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

describe("names and random bytes of VMs", () => {
  /** What the plugin `b` logged in VMs of threads, with the VM's name and its random identity. */
  function seen(names: readonly string[]): string[] {
    const envoy = envoyOf(life, {
      plugins: names.map((name) => ({ name, wasm: life, vmId: name, configuration: "fine" })),
    });
    envoy.start();
    envoy.thread("worker_0").restart();
    return envoy.logs
      .filter(({ plugin, vm }) => plugin === "b" && !/base|canary/.test(vm))
      .map(({ vm, message }) => `${vm} ${String(message)}`)
      .sort();
  }

  test("do not depend on the other plugins", () => {
    const alone = seen(["b"]);

    const afterAnother = seen(["a", "b", "c"]);

    expect(alone.filter((line) => line.includes("_initialize"))).toHaveLength(3);
    expect(alone.map((line) => line.split(" ")[0])).toContain("worker_0#2");
    expect(afterAnother).toEqual(alone);
  });

  test("count the VMs of one kind on one thread; a trap of one plugin's VM is not the other's", () => {
    const envoy = envoyOf(life, {
      plugins: ["a", "b"].map((name) => ({ name, wasm: life, vmId: name })),
    });
    envoy.start();

    envoy.thread("worker_0").trapNext("proxy_on_request_headers", "a");
    envoy.thread("worker_0").request();
    envoy.shutdown();

    const made = hostEvents(envoy, "vm_created").filter(({ thread }) => thread === "worker_0");
    expect(made.map(({ vm, plugin }) => `${vm} ${plugin}`)).toEqual([
      "worker_0#1 a",
      "worker_0#1 b",
    ]);
    const gone = hostEvents(envoy, "vm_gone").filter(({ thread }) => thread === "worker_0");
    expect(gone.map(({ vm, args }) => [vm, args["plugins"]])).toEqual([["worker_0#1", ["b"]]]);
  });
});

describe("the memory of a VM that is gone", () => {
  function collectGarbage(): void {
    setFlagsFromString("--expose-gc");
    (runInNewContext("gc") as () => void)();
  }

  /** Not a VM itself: a frame that held one would keep it. */
  function referencesTo(envoy: MockEnvoy, thread: string): WeakRef<object>[] {
    return [...envoy.thread(thread).vms.values()].map((vm) => new WeakRef<object>(vm));
  }

  test.each([
    ["requests", "tick=3600000"],
    ["a shared queue", "queue=q tick=1000 put"],
  ])("is freed, although it had %s", async (_, configuration) => {
    const envoy = envoyOf(life, { configuration, clusters: { up: {} } });
    envoy.advance("2s");
    const paths = ["/", "/local", "/contgo"];
    for (const path of paths) envoy.thread("worker_0").request({ path, body: "x" });
    envoy.advance("2s");
    const references = referencesTo(envoy, "worker_0");

    envoy.thread("worker_0").crash();
    envoy.advance("5s");
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();

    expect(references).toHaveLength(1);
    expect(envoy.exchanges).toHaveLength(paths.length);
    expect(references.map((reference) => reference.deref() !== undefined)).toEqual([false]);
  });
});

test("a log line from inside the allocator is the VM context's, whatever callback is around it", () => {
  const wasm = rawModule(`(module
    (import "env" "proxy_log" (func $log (param i32 i32 i32) (result i32)))
    (import "env" "proxy_get_buffer_bytes"
      (func $read (param i32 i32 i32 i32 i32) (result i32)))
    (memory (export "memory") 1)
    (data (i32.const 100) "inside")
    (func (export "proxy_abi_version_0_2_1"))
    (func (export "malloc") (param i32) (result i32)
      (drop (call $log (i32.const 2) (i32.const 100) (i32.const 6)))
      (i32.const 1024))
    (func (export "proxy_on_configure") (param i32 i32) (result i32)
      (drop (call $read (i32.const 7) (i32.const 0) (i32.const 9) (i32.const 200) (i32.const 204)))
      (i32.const 1)))`);
  const envoy = envoyOf(wasm, { configuration: "read me" });

  envoy.start();

  const inside = envoy.recorder.events.filter(({ event }) => event === "log");
  expect(linesOf(envoy, "worker_0#1")).toEqual(["inside"]);
  expect(inside.map(({ context, args }) => [context, args["root"]])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
});
