/** A C++ plugin made with emscripten for ABI 0.1.0. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { MockEnvoy } from "../../../host-mock/index.ts";
import { foreignModule } from "../build.ts";
import { mockWith, said } from "../host.ts";
import type { ModuleCheck } from "./check.ts";

const refusal =
  "Bad function signature for: proxy_on_request_headers, want: i32 i32 -> i32, but the module exports: i32 i32 i32 -> i32";

/** The module with its marker renamed: to the version whose callbacks it has. */
export function asAbi020(): Uint8Array {
  const bytes = Buffer.from(readFileSync(foreignModule("mosn_cpp_abi010")));
  const name = "proxy_abi_version_0_1_0";
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1))
    bytes.write("proxy_abi_version_0_2_0", at, "latin1");
  return bytes;
}

export const cppChecks: readonly ModuleCheck[] = [
  {
    module: "mosn_cpp_abi010",
    checked:
      "refused with Envoy's words; with its marker renamed to 0.2.0 it starts and logs each request header",
    unsupported:
      "Envoy 1.40 refuses it as well: its marker says ABI 0.1.0, its header callbacks are those of 0.2.0",
    run: () => {
      expect(() => mockWith("mosn_cpp_abi010")).toThrow(refusal);

      const envoy = new MockEnvoy({ plugins: [{ name: "cpp", wasm: asAbi020() }] });
      envoy.start();
      const exchange = envoy.thread("worker_0").request({ path: "/shop", headers: { "x-a": "1" } });

      expect(exchange.status).toBe(200);
      const lines = said(envoy).map(({ text }) => text);
      expect(lines.some((line) => line.includes("print from wasm, :path -> /shop"))).toBe(true);
      expect(lines.some((line) => line.includes("print from wasm, x-a -> 1"))).toBe(true);
    },
  },
];
