import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MockHostError } from "../../../host-mock/errors.ts";
import { loadModule, readModuleFile } from "../../../host-mock/module/load.ts";
import { profileByName } from "../../../host-mock/profiles/index.ts";
import { rawModule, rawPlugin } from "../../support/raw-guest.ts";

const allocator = `(func (export "malloc") (param i32) (result i32) (i32.const 8))`;
const memory = `(memory (export "memory") 1)`;

function withMarkers(...versions: readonly string[]): Uint8Array {
  const markers = versions.map(
    (version) => `(func (export "proxy_abi_version_${version.replaceAll(".", "_")}"))`,
  );
  return rawModule(`(module ${memory} ${markers.join(" ")} ${allocator})`);
}

function refusal(bytes: Uint8Array, profile = "envoy"): MockHostError {
  try {
    loadModule(bytes, profileByName(profile), "p.wasm");
  } catch (error) {
    if (error instanceof MockHostError) return error;
    throw error;
  }
  throw new Error("the module was taken");
}

function abiOf(bytes: Uint8Array, profile = "envoy"): string {
  return loadModule(bytes, profileByName(profile), "p.wasm").abi;
}

describe("ABI markers", () => {
  it.each(["0.1.0", "0.2.0", "0.2.1"])("%s is taken by both profiles", (version) => {
    expect(abiOf(withMarkers(version))).toBe(version);
    expect(abiOf(withMarkers(version), "higress")).toBe(version);
  });

  it("0.2.100 alone is refused by Envoy, and the profile that takes it is named", () => {
    const error = refusal(withMarkers("0.2.100"));

    expect(error.code).toBe("E_ABI_VERSION");
    expect(error.what).toBe("Wasm VM failed Missing or unknown Proxy-Wasm ABI version");
    expect(error.place).toBe("p.wasm");
    expect(error.remedy).toContain("higress");
    expect(abiOf(withMarkers("0.2.100"), "higress")).toBe("0.2.100");
  });

  it("0.2.100 and 0.2.1 together serve both hosts, the first known one decides", () => {
    expect(abiOf(withMarkers("0.2.100", "0.2.1"))).toBe("0.2.1");
    expect(abiOf(withMarkers("0.2.100", "0.2.1"), "higress")).toBe("0.2.100");
    expect(abiOf(withMarkers("0.2.1", "0.2.100"), "higress")).toBe("0.2.1");
  });

  it.each([[["0.3.0"]], [[]]])("%j is refused", (versions) => {
    expect(refusal(withMarkers(...versions)).code).toBe("E_ABI_VERSION");
    expect(refusal(withMarkers(...versions), "higress").code).toBe("E_ABI_VERSION");
  });

  it("a global of that name is no marker", () => {
    const bytes = rawModule(
      `(module ${memory} (global (export "proxy_abi_version_0_2_1") i32 (i32.const 1)) ${allocator})`,
    );

    expect(refusal(bytes).code).toBe("E_ABI_VERSION");
  });
});

describe("imports", () => {
  const importing = (...lines: readonly string[]): Uint8Array =>
    rawPlugin("", { imports: lines.join("\n") });

  it("that do not exist are all listed, in Envoy's words for the first", () => {
    const error = refusal(
      importing(
        `(import "env" "abort" (func (param i32 i32 i32 i32)))`,
        `(import "env" "proxy_log" (func (param i32 i32 i32) (result i32)))`,
        `(import "env" "seed" (func (result f64)))`,
        `(import "wasi_snapshot_preview1" "sock_open" (func))`,
      ),
    );

    expect(error.code).toBe("E_MISSING_IMPORT");
    expect(error.what).toBe("Failed to load Wasm module due to a missing import: env.abort");
    expect(error.remedy).toContain("also missing: env.seed, wasi_snapshot_preview1.sock_open;");
  });

  it("of Higress are missing on Envoy, and the remedy names the profile that has them", () => {
    const bytes = importing(
      `(import "env" "proxy_redis_call" (func (param i32 i32 i32 i32 i32) (result i32)))`,
      `(import "env" "proxy_redis_init" (func (param i32 i32 i32 i32 i32 i32 i32) (result i32)))`,
    );

    const error = refusal(bytes);

    expect(error.what).toContain("missing import: env.proxy_redis_call");
    expect(error.remedy).toBe(
      "also missing: env.proxy_redis_init; the profile higress has all of them",
    );
    expect(abiOf(bytes, "higress")).toBe("0.2.1");
  });

  it("of ABI 0.1.0 are missing in a 0.2.1 module, and there in a 0.1.0 module", () => {
    const old = `(import "env" "proxy_continue_request" (func (result i32)))`;
    const oldModule = rawModule(
      `(module ${old} ${memory} (func (export "proxy_abi_version_0_1_0")) ${allocator})`,
    );

    expect(refusal(importing(old)).what).toContain("missing import: env.proxy_continue_request");
    expect(abiOf(oldModule)).toBe("0.1.0");
  });

  it("of ABI 0.2.1 are missing in a 0.2.0 module", () => {
    const bytes = rawModule(
      `(module (import "env" "proxy_get_log_level" (func (param i32) (result i32))) ${memory}
        (func (export "proxy_abi_version_0_2_0")) ${allocator})`,
    );

    expect(refusal(bytes).what).toContain("missing import: env.proxy_get_log_level");
  });

  it("that are globals are missing", () => {
    expect(refusal(importing(`(import "env" "g" (global i32))`)).what).toContain(
      "missing import: env.g",
    );
  });

  it("of another type are refused in Envoy's words", () => {
    const error = refusal(
      importing(`(import "env" "proxy_log" (func (param i32 i32) (result i32)))`),
    );

    expect(error.code).toBe("E_SIGNATURE");
    expect(error.what).toBe(
      "Failed to load Wasm module due to an import type mismatch: env.proxy_log, " +
        "want: i32 i32 -> i32, but host exports: i32 i32 i32 -> i32",
    );
  });

  it("of real WASI's path_link, with 7 parameters, are a mismatch", () => {
    const real = `(import "wasi_snapshot_preview1" "path_link" (func (param i32 i32 i32 i32 i32 i32 i32) (result i32)))`;

    expect(refusal(importing(real)).code).toBe("E_SIGNATURE");
  });

  it("of wasi_unstable, memories and tables are taken", () => {
    const wasi = `(import "wasi_unstable" "random_get" (func (param i32 i32) (result i32)))`;
    const bytes = rawModule(
      `(module ${wasi} (import "env" "memory" (memory 1)) (import "env" "t" (table 1 funcref))
        (func (export "proxy_abi_version_0_2_1")) ${allocator})`,
    );

    expect(abiOf(bytes)).toBe("0.2.1");
  });

  it("of 32 functions, as the Rust SDK has them, are all there in both profiles", () => {
    const text = `proxy_log:iii proxy_get_log_level:i proxy_get_current_time_nanoseconds:i proxy_set_tick_period_milliseconds:i
      proxy_get_property:iiii proxy_set_property:iiii proxy_get_shared_data:iiiii proxy_set_shared_data:iiiii
      proxy_register_shared_queue:iii proxy_resolve_shared_queue:iiiii proxy_dequeue_shared_queue:iii
      proxy_enqueue_shared_queue:iii proxy_get_header_map_pairs:iii proxy_set_header_map_pairs:iii
      proxy_get_header_map_value:iiiii proxy_replace_header_map_value:iiiii proxy_remove_header_map_value:iii
      proxy_add_header_map_value:iiiii proxy_get_buffer_bytes:iiiii proxy_get_buffer_status:iii
      proxy_set_buffer_bytes:iiiii proxy_continue_stream:i proxy_close_stream:i proxy_send_local_response:iiiiiiii
      proxy_http_call:iiiiiiiiii proxy_grpc_call:iiiiiiiiiiii proxy_grpc_stream:iiiiiiiii proxy_grpc_send:iiii
      proxy_grpc_cancel:i proxy_grpc_close:i proxy_get_status:iii proxy_set_effective_context:i proxy_done:
      proxy_call_foreign_function:iiiiii proxy_define_metric:iiii proxy_get_metric:ii proxy_record_metric:iI
      proxy_increment_metric:iI proxy_get_header_map_size:ii pthread_equal:ii envoy_resolve_dns:iii`;
    const lines = text.split(/\s+/).map((entry) => {
      const [name, params = ""] = entry.split(":");
      const types = [...params].map((letter) => (letter === "I" ? "i64" : "i32")).join(" ");
      return `(import "env" "${name}" (func (param ${types}) (result i32)))`;
    });

    expect([abiOf(importing(...lines)), abiOf(importing(...lines), "higress")]).toEqual([
      "0.2.1",
      "0.2.1",
    ]);
  });
});

describe("of several things that are wrong", () => {
  const missing = `(import "env" "seed" (func (result f64)))`;
  const mistyped = `(import "env" "proxy_log" (func (param i32)))`;
  const whole = (fields: string): Uint8Array =>
    rawModule(`(module ${fields} ${memory} (func (export "proxy_abi_version_0_2_1")))`);

  it.each([
    [
      "the first import",
      `${mistyped} ${missing} ${allocator}`,
      "import type mismatch: env.proxy_log",
    ],
    ["the first import", `${missing} ${mistyped} ${allocator}`, "missing import: env.seed"],
    ["imports, before the allocator", missing, "missing import: env.seed"],
    [
      "the allocator, before callbacks",
      `(func (export "proxy_on_tick"))`,
      "Wasm VM failed Wasm module is missing malloc function.",
    ],
    ["an allocator's type, before its absence", `(func (export "malloc"))`, "for: malloc, want"],
    [
      "start functions, before callbacks",
      `${allocator} (func (export "proxy_on_tick")) (func (export "_start") (param i32))`,
      "for: _start, want",
    ],
    [
      "the callback that is looked up first",
      `${allocator} (func (export "proxy_on_log") (param f64)) (func (export "proxy_on_request_headers"))
        (func (export "proxy_on_configure")) (func (export "proxy_on_vm_start"))`,
      "for: proxy_on_vm_start, want",
    ],
    [
      "headers, after the other callbacks",
      `${allocator} (func (export "proxy_on_request_headers")) (func (export "proxy_on_delete"))`,
      "for: proxy_on_delete, want",
    ],
  ])("Envoy speaks of %s (%#)", (_what, fields, words) => {
    expect(refusal(whole(fields)).what).toContain(words);
  });
});

describe("exports", () => {
  it("of a known name and another type are refused in Envoy's words", () => {
    const error = refusal(rawPlugin(`(func (export "proxy_on_tick") (param i32 i32))`));

    expect(error.code).toBe("E_SIGNATURE");
    expect(error.what).toBe(
      "Bad function signature for: proxy_on_tick, want: i32 -> void, but the module exports: i32 i32 -> void",
    );
  });

  it("of unknown names have any type, and a global may have a callback's name", () => {
    const bytes = rawPlugin(
      `(func (export "proxy_on_something") (param f64)) (global (export "proxy_on_tick") i32 (i32.const 1))`,
    );

    expect(abiOf(bytes)).toBe("0.2.1");
  });

  it("for request headers have two arguments in 0.1.0 and three from 0.2.0", () => {
    const headers = (count: number, version: string): Uint8Array =>
      rawModule(`(module ${memory} (func (export "proxy_abi_version_${version}")) ${allocator}
        (func (export "proxy_on_request_headers") (param ${"i32 ".repeat(count)}) (result i32) (i32.const 0)))`);

    expect(abiOf(headers(2, "0_1_0"))).toBe("0.1.0");
    expect(abiOf(headers(3, "0_2_0"))).toBe("0.2.0");
    expect(refusal(headers(3, "0_1_0")).code).toBe("E_SIGNATURE");
    expect(refusal(headers(2, "0_2_1")).code).toBe("E_SIGNATURE");
  });

  it("for Redis answers are looked up on Higress only", () => {
    const bytes = rawPlugin(`(func (export "proxy_on_redis_call_response") (param i32))`);

    expect(abiOf(bytes)).toBe("0.2.1");
    expect(refusal(bytes, "higress").code).toBe("E_SIGNATURE");
  });

  it("main of any type is no matter without _initialize, and one beside it", () => {
    expect(abiOf(rawPlugin(`(func (export "main"))`))).toBe("0.2.1");
    expect(
      refusal(rawPlugin(`(func (export "main")) (func (export "_initialize"))`)).what,
    ).toContain("for: main, want: i32 i32 -> i32");
  });

  it("must hold an allocator", () => {
    const error = refusal(
      rawModule(`(module ${memory} (func (export "proxy_abi_version_0_2_1")))`),
    );

    expect(error.code).toBe("E_NO_ALLOCATOR");
    expect(error.what).toBe("Wasm VM failed Wasm module is missing malloc function.");
  });

  it("must hold an allocator of the right type", () => {
    const bytes = rawModule(
      `(module ${memory} (func (export "proxy_abi_version_0_2_1")) (func (export "malloc")))`,
    );

    expect(refusal(bytes).what).toBe(
      "Bad function signature for: malloc, want: i32 -> i32, but the module exports: void -> void",
    );
  });
});

describe("files and bytes", () => {
  const folder = mkdtempSync(join(tmpdir(), "load-"));

  it("a file that is not there is E_FILE with its path", () => {
    const path = join(folder, "absent.wasm");

    expect(() => readModuleFile(path)).toThrow(
      expect.objectContaining({
        code: "E_FILE",
        place: path,
        remedy: "check the path; a relative one starts at the working directory",
      }),
    );
  });

  it("a file that is no module is E_NOT_WASM", () => {
    const path = join(folder, "text.wasm");
    writeFileSync(path, "(module)");

    expect(() => readModuleFile(path)).toThrow(
      expect.objectContaining({ code: "E_NOT_WASM", place: path }),
    );
  });

  it("a module is read as it is, and equal bytes have equal hashes", () => {
    const path = join(folder, "plugin.wasm");
    const bytes = rawPlugin("");
    writeFileSync(path, bytes);

    const loaded = loadModule(readModuleFile(path), profileByName("envoy"), path);

    expect(loaded.bytes).toEqual(bytes);
    expect(loaded.hash).toBe(loadModule(bytes, profileByName("envoy"), "other").hash);
    expect(loaded.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("a module cut in two is E_NOT_WASM", () => {
    const bytes = rawPlugin("");

    for (const size of [bytes.length - 3, 6]) {
      const error = refusal(bytes.slice(0, size));

      expect(error.code).toBe("E_NOT_WASM");
      expect(error.what).toBe("Wasm VM failed Failed to parse corrupted Wasm module");
      expect(error.remedy).toMatch(/compile it again|give a \.wasm file/);
    }
  });

  it("a component is E_NOT_WASM and named as such", () => {
    const error = refusal(new Uint8Array([0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0]));

    expect(error.remedy).toContain("component");
  });

  it("code that does not validate is E_NOT_WASM", () => {
    const bytes = rawPlugin(`(func (export "f") (result i32) (i32.const 1))`);
    const broken = new Uint8Array(bytes);
    const at = broken.length - 3;
    broken[at] = 0x6a; // an addition without operands in place of a constant

    const error = refusal(broken);

    expect(error.code).toBe("E_NOT_WASM");
    expect(error.what).toBe("Wasm VM failed Failed to load Wasm bytecode");
    expect(error.remedy).toContain("not enough arguments");
  });
});
