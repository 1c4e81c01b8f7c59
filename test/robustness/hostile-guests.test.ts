/** Guests that misbehave: each gets a status or a trap, as in Envoy, and the host goes on. */
import { describe, expect, it } from "vitest";
import { MockEnvoy, type PluginOptions } from "../../host-mock/index.ts";
import { hostSignatures } from "../../host-mock/abi/signatures.ts";
import { lossyUtf8 } from "../../host-mock/state/bytes.ts";
import { rawModule } from "../support/raw-guest.ts";

/** Writes `LETTER=NUMBER` as a log line; whatever allocates does it through `malloc`. */
const furniture = `
  (import "env" "proxy_log" (func $log (param i32 i32 i32) (result i32)))
  (import "env" "proxy_get_shared_data" (func $get (param i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_set_shared_data" (func $set (param i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_set_tick_period_milliseconds" (func $tick (param i32) (result i32)))`;

const telling = `
  (data (i32.const 16) "key")
  (data (i32.const 32) "x=")
  (func $tell (param $letter i32) (param $number i32)
    (i32.store8 (i32.const 32) (local.get $letter))
    (i32.store8 (i32.const 34) (i32.add (i32.const 48) (i32.div_u (local.get $number) (i32.const 10))))
    (i32.store8 (i32.const 35) (i32.add (i32.const 48) (i32.rem_u (local.get $number) (i32.const 10))))
    (drop (call $log (i32.const 2) (i32.const 32) (i32.const 4))))
  (func $get_key (result i32)
    (call $get (i32.const 16) (i32.const 3) (i32.const 64) (i32.const 68) (i32.const 72)))`;

const soundAllocator = `
  (global $free (mut i32) (i32.const 4096))
  (func (export "malloc") (param $size i32) (result i32)
    (global.get $free)
    (global.set $free (i32.add (global.get $free) (local.get $size))))`;

function guest(fields: string, allocator = soundAllocator, imports = ""): Uint8Array<ArrayBuffer> {
  return rawModule(`(module ${furniture} ${imports}
    (memory (export "memory") 1)
    (func (export "proxy_abi_version_0_2_1"))
    ${telling} ${allocator} ${fields})`);
}

/** In on_request_headers, once the key has a value. */
function inRequest(body: string): string {
  return `(func (export "proxy_on_request_headers") (param i32 i32 i32) (result i32) (local $n i32)
    ${body} (i32.const 0))`;
}

const letter = (text: string): string => `(i32.const ${text.charCodeAt(0)})`;

interface Outcome {
  readonly envoy: MockEnvoy;
  /** What the worker's VM logged in the request, the host's lines among it. */
  readonly lines: readonly string[];
  readonly status: number | null;
  /** Of a request to the sound plugin beside it. */
  readonly neighbour: number | null;
}

/** One request to the guest, and one that goes to a plugin of another VM on the same thread only. */
function requested(wasm: Uint8Array, more: Partial<PluginOptions> = {}): Outcome {
  const envoy = new MockEnvoy({
    plugins: [
      { name: "hostile", wasm, ...more },
      { name: "sound", wasm: guest(inRequest(`(call $tell ${letter("s")} (call $get_key))`)) },
    ],
    listeners: { default: { plugins: ["hostile"] }, other: { plugins: ["sound"] } },
  });
  envoy.setSharedData({ key: "key", value: "0123456789" });
  envoy.start();
  const worker = envoy.thread("worker_0");
  const since = envoy.trace.length;
  const { status } = worker.request();
  const lines = envoy.trace
    .slice(since)
    .filter(({ event, plugin }) => event === "log" && plugin === "hostile")
    .map(({ args }) => lossyUtf8(args["message"] as Uint8Array));
  const neighbour = worker.request({ listener: "other" }).status;
  return { envoy, lines, status, neighbour };
}

describe("an allocator", () => {
  const getting = inRequest(`(call $tell ${letter("g")} (call $get_key))
    (call $tell ${letter("p")} (i32.load (i32.const 64)))`);
  const giving = (body: string): string =>
    `(func (export "malloc") (param $size i32) (result i32) (local $at i32) ${body})`;

  it.each([
    ["nothing", "(i32.const 0)", ["g=06", "p=00"]],
    ["an address beyond the end", "(i32.const 65530)", ["g=06", "p=00"]],
    ["an address near 4 GiB", "(i32.const -8)", ["g=06", "p=00"]],
    ["an odd address", "(i32.const 81)", ["g=00", "p=81"]],
    ["the very last bytes", "(i32.const 65526)", ["g=00"]],
  ])("that answers %s", (_what, body, lines) => {
    const outcome = requested(guest(getting, giving(body)));

    expect(outcome.lines.slice(0, lines.length)).toEqual(lines);
    expect(outcome).toMatchObject({ status: 200, neighbour: 200 });
  });

  it("that answers the address of the output words gets them overwritten, as in Envoy", () => {
    const { lines } = requested(guest(getting, giving("(i32.const 64)")));

    expect(lines).toEqual(["g=00", "p=64"]);
  });

  it("that grows the memory gets its bytes into the grown one", () => {
    const growing = giving(`(local.set $at (i32.shl (memory.grow (i32.const 1)) (i32.const 16)))
      (i32.add (local.get $at) (i32.const 60000))`);
    const reading = inRequest(`(call $tell ${letter("g")} (call $get_key))
      (call $tell ${letter("b")} (i32.sub (i32.load8_u (i32.load (i32.const 64))) (i32.const 48)))
      (call $tell ${letter("m")} (memory.size))`);

    expect(requested(guest(reading, growing)).lines).toEqual(["g=00", "b=00", "m=02"]);
  });

  it.each([
    [
      "makes a forbidden host call",
      "(drop (call $tick (i32.const 1))) (i32.const 81)",
      "Error: restricted_callback",
    ],
    ["traps", "(unreachable)", "RuntimeError: unreachable"],
    [
      "never ends",
      "(call $allocate (local.get $size))",
      "RangeError: Maximum call stack size exceeded",
    ],
  ])("that %s fails the VM, and the callback goes on with status 6", (_what, body, message) => {
    const failing = `(func $allocate (export "malloc") (param $size i32) (result i32) ${body})`;

    const { lines, status, neighbour } = requested(guest(getting, failing));

    expect(lines).toEqual([`Function: malloc failed: Uncaught ${message}`, "g=06", "p=00"]);
    expect([status, neighbour]).toEqual([503, 200]);
  });
});

describe("sizes and addresses", () => {
  it("that lie get InvalidMemoryAccess from every function that takes bytes", () => {
    const taking = hostSignatures.filter(
      ({ module, versions, group, parameters }) =>
        module === "env" &&
        group === "proxy-wasm" &&
        versions.has("0.2.1") &&
        parameters.some(({ kind }) => kind === "bytes" || kind === "path" || kind === "pairs"),
    );
    const imports = taking
      .map(
        ({ name, type }) =>
          `(import "env" "${name}" (func $wild_${name} (param ${type.params.join(" ")}) (result i32)))`,
      )
      .join("\n");
    const calls = taking
      .map(({ name, parameters }) => {
        // Every address is the last byte, every size 4 GiB − 1; what comes before is in its range.
        const args = parameters.map(({ kind }) =>
          kind === "bytes" || kind === "path" || kind === "pairs"
            ? "(i32.const 65535) (i32.const -1)"
            : kind === "i64"
              ? "(i64.const 0)"
              : kind === "out-bytes"
                ? "(i32.const 64) (i32.const 68)"
                : "(i32.const 0)",
        );
        return `(call $tell ${letter("w")} (call $wild_${name} ${args.join(" ")}))`;
      })
      .join("\n");

    const { lines, status } = requested(guest(inRequest(calls), soundAllocator, imports));

    expect(taking.length).toBeGreaterThan(20);
    const answers = new Map(taking.map(({ name }, index) => [name, lines[index]]));
    // The request's body is not there to be changed: that is said before the data is looked at.
    answers.delete("proxy_set_buffer_bytes");
    // Its token is unknown, which is said first as well.
    answers.delete("proxy_grpc_send");
    expect(new Set(answers.values())).toEqual(new Set(["w=06"]));
    expect(status).toBe(200);
  });

  it("in a block of pairs that lies make it an empty one", () => {
    const imports = `(import "env" "proxy_set_header_map_pairs" (func $pairs (param i32 i32 i32) (result i32)))
      (import "env" "proxy_get_header_map_size" (func $size (param i32 i32) (result i32)))`;
    const lying = inRequest(`
      (i32.store (i32.const 128) (i32.const -1)) (i32.store (i32.const 132) (i32.const -1))
      (call $tell ${letter("p")} (call $pairs (i32.const 0) (i32.const 128) (i32.const 64)))
      (call $tell ${letter("s")} (call $size (i32.const 0) (i32.const 64)))`);

    expect(requested(guest(lying, soundAllocator, imports)).lines).toEqual(["p=00", "s=00"]);
  });

  it("of outputs that lie get status 6 after the call has done its work", () => {
    const odd = inRequest(`(call $tell ${letter("g")}
      (call $get (i32.const 16) (i32.const 3) (i32.const 65534) (i32.const 68) (i32.const 72)))`);

    expect(requested(guest(odd)).lines).toEqual(["g=06"]);
  });
});

describe("memory", () => {
  const growing = (pages: number): string => `
    (loop $more (br_if $more (i32.ne (memory.grow (i32.const ${pages})) (i32.const -1))))`;

  it("ends at 1 GiB: memory.grow answers −1, and the VM is as it was", () => {
    const endless = guest(
      inRequest(`${growing(1024)} ${growing(1)}
      (call $tell ${letter("m")} (i32.shr_u (memory.size) (i32.const 10)))`),
    );

    const { lines, status, envoy } = requested(endless);

    expect(lines).toEqual(["m=16"]);
    expect(status).toBe(200);
    const [vm] = [...envoy.thread("worker_0").vms.values()];
    expect(vm!.instance.memory.sizeBytes).toBe(2 ** 30);
  });

  it("that is imported, or declared larger, ends there as well", () => {
    const text = (imported: string, own: string): string => `(module ${imported}
      (import "env" "proxy_log" (func $log (param i32 i32 i32) (result i32)))
      ${own}
      (func (export "proxy_abi_version_0_2_1"))
      (func (export "malloc") (param i32) (result i32) (i32.const 4096))
      (func (export "proxy_on_request_headers") (param i32 i32 i32) (result i32)
        ${growing(4096)}
        (i32.store8 (i32.const 64) (i32.add (i32.const 48) (i32.shr_u (memory.size) (i32.const 12))))
        (drop (call $log (i32.const 2) (i32.const 64) (i32.const 1))) (i32.const 0)))`;
    const exported = rawModule(text("", `(memory (export "memory") 4096 65536)`));
    const imported = rawModule(text(`(import "env" "memory" (memory 4096))`, ""));

    expect(requested(exported).lines).toEqual(["4"]);
    expect(requested(imported).lines).toEqual(["4"]);
  });
});

describe("a guest that never ends a thing", () => {
  it("recursion traps, again and again in fresh VMs", () => {
    const endless =
      guest(`(func $again (param i32) (result i32) (i32.add (call $again (local.get 0)) (i32.const 1)))
      ${inRequest("(drop (call $again (i32.const 0)))")}`);
    const { envoy } = requested(endless, { failurePolicy: "FAIL_RELOAD" });

    for (let round = 0; round < 20; round++) {
      envoy.advance("2s");
      expect(envoy.thread("worker_0").request({ listener: "default" }).status).toBe(503);
    }

    expect(envoy.trace.filter(({ event }) => event === "trap")).toHaveLength(21);
    expect(envoy.stats().text(/hostile\.vm_reload_success/)).toContain(": 20");
  });

  it("proxy_done that never comes leaves parked contexts, which tick on, and the end of the run comes all the same", () => {
    const parked = guest(`(func (export "proxy_on_configure") (param i32 i32) (result i32)
        (drop (call $tick (i32.const 1000))) (i32.const 1))
      (func (export "proxy_on_tick") (param i32) (call $tell ${letter("t")} (local.get 0)))
      (func (export "proxy_on_done") (param i32) (result i32) (i32.const 0))
      (func (export "proxy_on_delete") (param i32) (call $tell ${letter("d")} (local.get 0)))`);
    const envoy = new MockEnvoy({ drain: "1s", plugins: [{ name: "parked", wasm: parked }] });
    envoy.start();

    for (const value of ["a", "b", "c"]) {
      envoy.reconfigure("parked", value);
      envoy.advance("2s");
    }
    const since = envoy.trace.length;
    envoy.advance("1s");
    const told = envoy.trace
      .slice(since)
      .filter(({ event, thread }) => event === "log" && thread === "worker_0");
    envoy.shutdown();

    expect(told.map(({ args }) => lossyUtf8(args["message"] as Uint8Array)).sort()).toEqual([
      "t=01",
      "t=02",
      "t=03",
      "t=04",
    ]);
    expect(
      envoy.trace.some(({ args }) =>
        lossyUtf8((args["message"] ?? new Uint8Array(0)) as Uint8Array).startsWith("d="),
      ),
    ).toBe(false);
  });
});
