import { describe, expect, it } from "vitest";
import { MockEnvoy, type PluginOptions } from "../../../host-mock/index.ts";
import { rawPlugin } from "../../support/raw-guest.ts";

/** Counts its configurations in `loads`, records 100 into `sizes`, and traps at each second request. */
const guest = rawPlugin(
  `(data (i32.const 16) "loads") (data (i32.const 32) "sizes")
   (global $requests (mut i32) (i32.const 0))
   (func (export "proxy_on_configure") (param i32 i32) (result i32)
     (drop (call $define (i32.const 0) (i32.const 16) (i32.const 5) (i32.const 64)))
     (drop (call $increment (i32.load (i32.const 64)) (i64.const 1)))
     (drop (call $define (i32.const 2) (i32.const 32) (i32.const 5) (i32.const 64)))
     (drop (call $record (i32.load (i32.const 64)) (i64.const 100)))
     (i32.const 1))
   (func (export "proxy_on_request_headers") (param i32 i32 i32) (result i32)
     (global.set $requests (i32.add (global.get $requests) (i32.const 1)))
     (if (i32.eq (global.get $requests) (i32.const 2)) (then (unreachable)))
     (i32.const 0))`,
  {
    imports: `
   (import "env" "proxy_define_metric" (func $define (param i32 i32 i32 i32) (result i32)))
   (import "env" "proxy_increment_metric" (func $increment (param i32 i64) (result i32)))
   (import "env" "proxy_record_metric" (func $record (param i32 i64) (result i32)))`,
  },
);

function envoyWith(plugin: Partial<PluginOptions> = {}): MockEnvoy {
  const envoy = new MockEnvoy({
    concurrency: 2,
    plugins: [{ name: "p", wasm: guest, ...plugin }],
  });
  return envoy.advance("1ms");
}

describe("the statistics of VMs", () => {
  it("count base, canary, main and workers as made, and all but the canary as there", () => {
    expect(
      envoyWith()
        .stats()
        .text(/^wasm\.(envoy|wasm_vm)/),
    ).toBe(
      "wasm.envoy.wasm.runtime.v8.active: 4\nwasm.envoy.wasm.runtime.v8.created: 5\n" +
        "wasm.wasm_vm_count: 4\n",
    );
  });

  it("have a line for each plugin and each outcome of a reload", () => {
    expect(
      envoyWith()
        .stats()
        .text(/^wasm\.p\./),
    ).toBe(
      "wasm.p.vm_reload: 0\nwasm.p.vm_reload_backoff: 0\n" +
        "wasm.p.vm_reload_failure: 0\nwasm.p.vm_reload_success: 0\n",
    );
  });

  it("count reloads, and tries that come too early", () => {
    const envoy = envoyWith({ failurePolicy: "FAIL_RELOAD" });
    const worker = envoy.thread("worker_0");

    worker.request();
    worker.request();
    worker.request();
    envoy.advance("2s");
    worker.request();

    const { text } = envoy.stats();
    expect(text(/vm_reload_(backoff|success)/)).toBe(
      "wasm.p.vm_reload_backoff: 1\nwasm.p.vm_reload_success: 1\n",
    );
    expect(text(/v8/)).toBe(
      "wasm.envoy.wasm.runtime.v8.active: 4\nwasm.envoy.wasm.runtime.v8.created: 6\n",
    );
  });

  it("forget the VMs of a thread that crashed", () => {
    const envoy = envoyWith();

    envoy.thread("worker_1").crash();

    expect(envoy.stats().text(/active/)).toBe("wasm.envoy.wasm.runtime.v8.active: 3\n");
  });
});

describe("the statistics of plugins", () => {
  it("stand under wasmcustom, the canary's doings too", () => {
    expect(envoyWith().stats().text(/loads/)).toBe("wasmcustom.loads: 4\n");
    expect(envoyWith().stats().prometheus(/loads/)).toBe("# TYPE loads counter\nloads{} 4\n");
  });

  it("show a histogram's samples once five seconds are over", () => {
    const envoy = envoyWith();
    const shown = (): string => envoy.stats().text(/sizes/);

    const before = shown();
    envoy.advance("5s");
    const after = shown();
    envoy.advance("5s");
    const later = shown();

    expect(before).toBe("wasmcustom.sizes: No recorded values\n");
    expect(after).toContain("P50(104,104)");
    expect(later).toContain("P50(nan,104)");
    expect(envoy.metrics()).toEqual({ loads: 4, sizes: 4 });
  });
});

it.each(["wasm", 5, null])("a filter that is no regular expression is refused: %s", (filter) => {
  const stats = envoyWith().stats();

  for (const page of ["text", "prometheus"] as const)
    expect(() => stats[page](filter as never)).toThrow(/the filter of a statistics page is/);
});
