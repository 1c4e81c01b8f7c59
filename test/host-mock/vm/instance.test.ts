import { describe, expect, it } from "vitest";
import { linkImports } from "../../../host-mock/abi/link.ts";
import { loadModule } from "../../../host-mock/module/load.ts";
import { profileByName } from "../../../host-mock/profiles/index.ts";
import { Instance } from "../../../host-mock/vm/instance.ts";
import type { Trap } from "../../../host-mock/vm/trap.ts";
import { FakeGuest } from "../../support/fake-guest.ts";
import { rawModule, rawPlugin } from "../../support/raw-guest.ts";

interface Started {
  readonly instance: Instance;
  readonly host: FakeGuest;
  readonly traps: Trap[];
}

/** An instance whose host is a fake guest's, around the real memory. */
function instantiate(bytes: Uint8Array, profileName = "envoy"): Started {
  const profile = profileByName(profileName);
  const loaded = loadModule(bytes, profile, "raw");
  const host = new FakeGuest({ profile: profileName });
  const vm = Object.create(host.host, { instance: { get: () => instance } }) as typeof host.host;
  const instance: Instance = new Instance(
    loaded,
    linkImports(loaded, profile, () => vm),
  );
  const traps: Trap[] = [];
  instance.onTrap = (trap) => traps.push(trap);
  return { instance, host, traps };
}

const log = `(import "env" "proxy_log" (func $log (param i32 i32 i32) (result i32)))`;
const sharedGet = `(import "env" "proxy_get_shared_data" (func $get (param i32 i32 i32 i32 i32) (result i32)))`;
const sharedSet = `(import "env" "proxy_set_shared_data" (func $set (param i32 i32 i32 i32 i32) (result i32)))`;
const now = `(import "env" "proxy_get_current_time_nanoseconds" (func $now (param i32) (result i32)))`;

describe("an instance", () => {
  it("calls exports, answers 0 for one that is not there, and knows which are functions", () => {
    const { instance } = instantiate(
      rawPlugin(
        `(func (export "proxy_on_vm_start") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))`,
      ),
    );

    expect(instance.call("proxy_on_vm_start", [1, 4])).toEqual({ ok: true, value: 5 });
    expect(instance.call("proxy_on_tick", [1])).toEqual({ ok: true, value: 0 });
    expect(instance.has("proxy_on_vm_start")).toBe(true);
    expect(instance.has("memory")).toBe(false);
  });

  it("runs _initialize and then main(0, 0), and not _start", () => {
    const { instance } = instantiate(
      rawPlugin(`
        (global $order (mut i32) (i32.const 0))
        (func $note (param i32) (global.set $order (i32.add (i32.mul (global.get $order) (i32.const 10)) (local.get 0))))
        (func (export "_start") (call $note (i32.const 3)))
        (func (export "main") (param i32 i32) (result i32) (call $note (i32.const 2)) (i32.const 7))
        (func (export "_initialize") (call $note (i32.const 1)))
        (func (export "proxy_on_done") (param i32) (result i32) (global.get $order))`),
    );

    instance.start();

    expect(instance.call("proxy_on_done", [1])).toEqual({ ok: true, value: 12 });
  });

  it("runs __main_void where there is no main, and _start where there is no _initialize", () => {
    const counted = (start: string): string => `
      (global $runs (mut i32) (i32.const 0))
      (func $run (global.set $runs (i32.add (global.get $runs) (i32.const 1))))
      ${start}
      (func (export "proxy_on_done") (param i32) (result i32) (global.get $runs))`;
    const bare = instantiate(rawPlugin(counted(`(export "_start" (func $run))`))).instance;
    const wasip1 = instantiate(
      rawPlugin(
        counted(
          `(export "_initialize" (func $run)) (func (export "__main_void") (result i32) (call $run) (i32.const 0))`,
        ),
      ),
    ).instance;

    bare.start();
    wasip1.start();

    expect(bare.call("proxy_on_done", [1])).toEqual({ ok: true, value: 1 });
    expect(wasip1.call("proxy_on_done", [1])).toEqual({ ok: true, value: 2 });
  });

  it("gives each instance its own memory and globals", () => {
    const { instance: one } = instantiate(rawPlugin(""));
    const { instance: other } = instantiate(rawPlugin(""));

    one.memory.writeU32(0, 7);

    expect(other.memory.readU32(0)).toBe(0);
    expect([one.allocate(8), one.allocate(8), other.allocate(8)]).toEqual([4096, 4104, 4096]);
  });

  it("fails on a trap, says which export and why, and keeps the first trap", () => {
    const { instance, traps } = instantiate(
      rawPlugin(`
        (func (export "proxy_on_tick") (param i32) (unreachable))
        (func (export "proxy_on_log") (param i32) (drop (i32.load (i32.const -1))))`),
    );

    const tick = instance.call("proxy_on_tick", [1]);
    instance.call("proxy_on_log", [1]);

    expect(tick).toMatchObject({
      ok: false,
      trap: { exportName: "proxy_on_tick", message: "RuntimeError: unreachable" },
    });
    expect(instance.trap).toBeDefined();
    expect(instance.trap?.exportName).toBe("proxy_on_tick");
    expect(traps.map(({ message }) => message)).toEqual([
      "RuntimeError: unreachable",
      "RuntimeError: memory access out of bounds",
    ]);
  });

  it("takes an endless recursion for a trap", () => {
    const { instance } = instantiate(
      rawPlugin(`(func $tick (export "proxy_on_tick") (param i32) (call $tick (i32.const 1)))`),
    );

    const outcome = instance.call("proxy_on_tick", [1]);

    expect(outcome).toMatchObject({
      ok: false,
      trap: { message: "RangeError: Maximum call stack size exceeded" },
    });
  });

  it("is named #<Exception> when a wasm exception leaves an export", () => {
    const { instance } = instantiate(
      rawPlugin(
        `(tag $t) (func (export "proxy_on_vm_start") (param i32 i32) (result i32) (throw $t))`,
      ),
    );

    const outcome = instance.call("proxy_on_vm_start", [1, 0]);

    expect(outcome.ok || outcome.trap.text()).toBe(
      "Function: proxy_on_vm_start failed: Uncaught #<Exception>",
    );
  });

  it("throws an error of the host on, and is done for", () => {
    const { instance, host } = instantiate(
      rawPlugin(`(func (export "proxy_on_tick") (param i32) (drop (call $now (i32.const 0))))`, {
        imports: now,
      }),
    );
    Object.defineProperty(host.clock, "wallNs", {
      get: () => {
        throw new Error("a bug of the host");
      },
    });

    expect(() => instance.call("proxy_on_tick", [1])).toThrow("a bug of the host");
    expect(instance.trap).toBeDefined();
  });
});

describe("the start phase", () => {
  it("refuses a call that is not on the list: restricted_callback", () => {
    const { instance } = instantiate(
      rawPlugin(`(func (export "_initialize") (drop (call $now (i32.const 0))))`, { imports: now }),
    );

    const outcome = instance.start();

    expect(outcome.ok || outcome.trap.text()).toBe(
      "Function: _initialize failed: Uncaught Error: restricted_callback",
    );
  });

  it("allows proxy_log, and the same refused call later in a callback", () => {
    const { instance, host } = instantiate(
      rawPlugin(
        `(func (export "_initialize") (drop (call $log (i32.const 2) (i32.const 0) (i32.const 0))))
         (func (export "proxy_on_tick") (param i32) (drop (call $now (i32.const 0))))`,
        { imports: log + now },
      ),
    );

    const outcomes = [instance.start(), instance.call("proxy_on_tick", [1])];

    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
    expect(host.recorder.events).toHaveLength(1);
    expect(instance.memory.readU64(0)).toBe(host.clock.wallNs);
  });

  it("does not run main after an _initialize that trapped", () => {
    const { instance, traps } = instantiate(
      rawPlugin(`
        (func (export "_initialize") (unreachable))
        (func (export "main") (param i32 i32) (result i32) (unreachable))`),
    );

    instance.start();

    expect(traps.map(({ exportName }) => exportName)).toEqual(["_initialize"]);
  });
});

describe("the allocator", () => {
  const reader = `
    (func (export "proxy_on_done") (param i32) (result i32)
      (call $get (i32.const 0) (i32.const 1) (i32.const 8) (i32.const 12) (i32.const 16)))`;

  function withAllocator(exports: string, imports = ""): Uint8Array {
    return rawModule(`(module ${sharedGet} ${imports} (memory (export "memory") 1)
      (func (export "proxy_abi_version_0_2_1")) ${exports} ${reader})`);
  }

  function storeValue(host: FakeGuest): void {
    host.host.process.sharedData.set("", "\0", new Uint8Array([1, 2, 3]), 0);
  }

  it("is malloc where both names are exported, asked once for the exact size", () => {
    const { instance, host } = instantiate(
      withAllocator(`
        (func (export "proxy_on_memory_allocate") (param i32) (result i32) (unreachable))
        (func (export "malloc") (param i32) (result i32)
          (i32.store (i32.const 64) (i32.add (i32.load (i32.const 64)) (i32.const 1)))
          (i32.store (i32.const 68) (local.get 0))
          (i32.const 4096))`),
    );
    storeValue(host);

    const outcome = instance.call("proxy_on_done", [1]);

    expect(outcome).toEqual({ ok: true, value: 0 });
    expect([instance.memory.readU32(64), instance.memory.readU32(68)]).toEqual([1, 3]);
    expect([
      instance.memory.readU32(8),
      instance.memory.readU32(12),
      instance.memory.readU32(16),
    ]).toEqual([4096, 3, 1]);
  });

  it("is proxy_on_memory_allocate where malloc is not exported", () => {
    const { instance } = instantiate(
      withAllocator(
        `(func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 512))`,
      ),
    );

    expect(instance.allocate(4)).toBe(512);
    expect(instance.loaded.allocator).toBe("proxy_on_memory_allocate");
  });

  it.each([
    ["answers 0", "(i32.const 0)"],
    ["answers a range out of bounds", "(i32.const 65534)"],
    ["answers a negative address", "(i32.const -4)"],
  ])("that %s makes the call answer InvalidMemoryAccess and write nothing", (_name, body) => {
    const { instance, host } = instantiate(
      withAllocator(`(func (export "malloc") (param i32) (result i32) ${body})`),
    );
    storeValue(host);

    const outcome = instance.call("proxy_on_done", [1]);

    expect(outcome).toEqual({ ok: true, value: 6 });
    expect([...instance.memory.readBytes(0, 32)!]).toEqual(new Array(32).fill(0));
    expect(instance.trap).toBeUndefined();
  });

  it("that traps fails the VM while the outer callback goes on and sees InvalidMemoryAccess", () => {
    const { instance, host, traps } = instantiate(
      withAllocator(`(func (export "malloc") (param i32) (result i32) (unreachable))`),
    );
    storeValue(host);

    const outcome = instance.call("proxy_on_done", [1]);

    expect(outcome).toEqual({ ok: true, value: 6 });
    expect(instance.trap).toBeDefined();
    expect(traps.map(({ exportName }) => exportName)).toEqual(["malloc"]);
    expect(instance.memory.readU32(8)).toBe(0);
  });

  const forbidden = `
    (func (export "malloc") (param i32) (result i32)
      (drop (call $now (i32.const 128))) (i32.const 4096))`;

  it("may not make most host calls: restricted_callback, and the VM fails", () => {
    const { instance, host, traps } = instantiate(withAllocator(forbidden, now));
    storeValue(host);

    const outcome = instance.call("proxy_on_done", [1]);

    expect(outcome).toEqual({ ok: true, value: 6 });
    expect(traps.map((trap) => trap.text())).toEqual([
      "Function: malloc failed: Uncaught Error: restricted_callback",
    ]);
  });

  it("may make every host call on Higress", () => {
    const { instance, host } = instantiate(withAllocator(forbidden, now), "higress");
    storeValue(host);

    const outcome = instance.call("proxy_on_done", [1]);

    expect(outcome).toEqual({ ok: true, value: 0 });
    expect(instance.memory.readU64(128)).toBe(host.clock.wallNs);
  });

  it("may log, and the phase around it comes back", () => {
    const { instance, host } = instantiate(
      withAllocator(
        `(func (export "malloc") (param i32) (result i32)
           (drop (call $log (i32.const 2) (i32.const 0) (i32.const 0))) (i32.const 4096))`,
        log,
      ),
    );
    storeValue(host);

    const outcomes = [instance.call("proxy_on_done", [1]), instance.call("proxy_on_done", [1])];

    expect(outcomes).toEqual([
      { ok: true, value: 0 },
      { ok: true, value: 0 },
    ]);
    expect(host.recorder.events.map(({ event }) => event)).toEqual(["log", "log"]);
    expect(instance.phase).toBe("idle");
  });

  it("FP6: may grow the memory; the words written afterwards are found in the new one", () => {
    const { instance, host } = instantiate(
      withAllocator(`(func (export "malloc") (param i32) (result i32)
        (i32.mul (memory.grow (i32.const 1)) (i32.const 65536)))`),
    );
    storeValue(host);

    const outcome = instance.call("proxy_on_done", [1]);

    expect(outcome).toEqual({ ok: true, value: 0 });
    expect([instance.memory.readU32(8), instance.memory.readU32(12)]).toEqual([65536, 3]);
    expect([...instance.memory.readBytes(65536, 3)!]).toEqual([1, 2, 3]);
  });
});

describe("what a module imports", () => {
  it("is all that is made: a module without imports gets none", () => {
    const loaded = loadModule(rawPlugin(""), profileByName("envoy"), "raw");
    const imports = linkImports(loaded, profileByName("envoy"), () => {
      throw new Error("never asked");
    });

    expect(imports).toEqual({});
  });

  it("may be a memory and a table of the host", () => {
    const { instance } = instantiate(
      rawModule(`(module (import "env" "memory" (memory 2)) (import "env" "table" (table 1 funcref))
        (func (export "proxy_abi_version_0_2_1")) (func (export "malloc") (param i32) (result i32) (i32.const 9)))`),
    );

    expect(instance.memory.sizeBytes).toBe(2 * 65536);
    expect(instance.allocate(1)).toBe(9);
  });

  it("may name a function twice, as Go does", () => {
    const { instance } = instantiate(
      rawPlugin(
        `(func (export "proxy_on_done") (param i32) (result i32) (call $log (i32.const 9) (i32.const 0) (i32.const 0)))`,
        {
          imports: log + log.replace("$log", "$again"),
        },
      ),
    );

    expect(instance.call("proxy_on_done", [1])).toEqual({ ok: true, value: 2 });
  });

  it("FP1: sends 0xffffffff as −1, and the host reads it unsigned", () => {
    const { instance, host } = instantiate(
      rawPlugin(
        `(func (export "proxy_on_done") (param i32) (result i32)
           (call $set (i32.const 0) (i32.const 1) (i32.const 0) (i32.const 1) (i32.const -2)))`,
        { imports: sharedSet },
      ),
    );

    const statuses = [instance.call("proxy_on_done", [1]), instance.call("proxy_on_done", [1])];

    expect(statuses).toEqual([
      { ok: true, value: 0 },
      { ok: true, value: 8 },
    ]);
    expect(host.host.process.sharedData.get("", "\0")?.cas).toBe(1);
  });
});
