import { expect, it } from "vitest";
import { MockEnvoy } from "../../../host-mock/index.ts";
import { rawPlugin } from "../../support/raw-guest.ts";

/** Logs from `_initialize`, from its root and from a stream, and then traps. */
const guest = rawPlugin(
  `(data (i32.const 16) "start") (data (i32.const 32) "root") (data (i32.const 48) "stream")
   (func (export "_initialize")
     (drop (call $log (i32.const 2) (i32.const 16) (i32.const 5))))
   (func (export "proxy_on_tick") (param i32)
     (drop (call $log (i32.const 3) (i32.const 32) (i32.const 4))))
   (func (export "proxy_on_configure") (param i32 i32) (result i32)
     (call $tick (i32.const 1500)) (i32.const 1))
   (func (export "proxy_on_request_headers") (param i32 i32 i32) (result i32)
     (drop (call $log (i32.const 5) (i32.const 48) (i32.const 6))) (unreachable))`,
  {
    imports: `(import "env" "proxy_log" (func $log (param i32 i32 i32) (result i32)))
      (import "env" "proxy_set_tick_period_milliseconds" (func $period (param i32) (result i32)))
      (func $tick (param i32) (drop (call $period (local.get 0))))`,
  },
);

function linesOf(plugin: { readonly rootId?: string; readonly vmId?: string }): string[] {
  const envoy = new MockEnvoy({ plugins: [{ name: "p", wasm: guest, ...plugin }] });
  envoy.advance("2s");
  envoy.thread("worker_0").request();
  return envoy.logText().trimEnd().split("\n");
}

it("each line has Envoy's prefix: a stream's with the plugin's name, a root's without, a start function's bare", () => {
  expect(linesOf({ rootId: "root-id", vmId: "vm-id" })).toEqual([
    "[0.000][main][info][wasm] wasm log: start",
    "[0.000][main][info][wasm] wasm log: start",
    "[0.000][main][info][wasm] wasm log: start",
    "[0.000][worker_0][info][wasm] wasm log: start",
    expect.stringMatching(
      /^\[1\.500\]\[(main|worker_0)\]\[warning\]\[wasm\] wasm log root-id vm-id: root$/,
    ),
    expect.stringMatching(
      /^\[1\.500\]\[(main|worker_0)\]\[warning\]\[wasm\] wasm log root-id vm-id: root$/,
    ),
    "[2.000][worker_0][critical][wasm] wasm log p root-id vm-id: stream",
    "[2.000][worker_0][error][wasm] Function: proxy_on_request_headers failed: Uncaught RuntimeError: unreachable",
  ]);
});

it("parts that are empty are left out", () => {
  const lines = linesOf({});

  expect(lines[4]).toMatch(/\[wasm\] wasm log: root$/);
  expect(lines[6]).toMatch(/\[wasm\] wasm log p: stream$/);
});
