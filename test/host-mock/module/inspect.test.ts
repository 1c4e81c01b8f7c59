import { describe, expect, it } from "vitest";
import { inspectModule } from "../../../host-mock/module/inspect.ts";
import { rawModule, rawPlugin } from "../../support/raw-guest.ts";
import { utf8 } from "../../../host-mock/state/bytes.ts";

/** A module with a custom section appended. */
function withCustom(module: Uint8Array, name: string, content: Uint8Array): Uint8Array {
  const body = new Uint8Array([name.length, ...utf8(name), ...content]);
  return new Uint8Array([...module, 0, body.length, ...body]);
}

/** `producers`: one field with one value. */
function producers(field: string, value: string): Uint8Array {
  const text = (t: string): number[] => [t.length, ...utf8(t)];
  return new Uint8Array([1, ...text(field), 1, ...text(value), ...text("1.0")]);
}

describe("inspect", () => {
  it("says what a module is, and what each profile lacks", () => {
    const bytes = rawPlugin(`(func (export "proxy_on_tick") (param i32))`, {
      imports: `(import "env" "proxy_redis_call" (func (param i32 i32 i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "random_get" (func (param i32 i32) (result i32)))`,
    });

    const result = inspectModule(bytes);

    expect(result).toEqual({
      bytes: bytes.length,
      abi: ["0.2.1"],
      language: "unknown",
      sdk: null,
      producers: {},
      imports: [
        { module: "env", name: "proxy_redis_call" },
        { module: "wasi_snapshot_preview1", name: "random_get" },
      ],
      exports: ["memory", "proxy_abi_version_0_2_1", "malloc", "proxy_on_tick"],
      missing: { envoy: ["env.proxy_redis_call"], higress: [] },
      never_called: { envoy: [], higress: [] },
      start_section: false,
      memory: { initial_pages: 1, maximum_pages: null, shared: false, imported: false },
      features: [],
      declared_features: [],
      names: null,
      source_map: null,
      dwarf: false,
      custom_sections: [],
      sections: ["type", "import", "function", "memory", "global", "export", "code"].map(
        (name) => ({ name, custom: false, bytes: expect.any(Number) as number }),
      ),
    });
  });

  it("lists every marker, known or not, and looks imports up for the one each host takes", () => {
    const bytes = rawModule(`(module (import "env" "proxy_continue_request" (func (result i32)))
      (memory (export "memory") 1 5) (func $s) (start $s)
      (func (export "proxy_abi_version_0_3_0")) (func (export "proxy_abi_version_0_1_0")))`);

    const result = inspectModule(bytes);

    expect(result.abi).toEqual(["0.3.0", "0.1.0"]);
    expect(result.missing).toEqual({ envoy: [], higress: [] });
    expect(result.start_section).toBe(true);
    expect(result.memory).toMatchObject({ initial_pages: 1, maximum_pages: 5 });
  });

  it("reads a module that no host would load: no marker, no memory, a missing import", () => {
    const result = inspectModule(
      rawModule(`(module (import "env" "abort" (func (param i32 i32 i32 i32))))`),
    );

    expect(result.abi).toEqual([]);
    expect(result.missing).toEqual({ envoy: ["env.abort"], higress: ["env.abort"] });
    expect(result.memory).toMatchObject({ initial_pages: 0, maximum_pages: null });
  });

  it.each([
    ["language", "Rust", "rust"],
    ["processed-by", "rustc", "rust"],
    ["language", "Go", "go"],
    ["language", "C_plus_plus_17", "cpp"],
    ["processed-by", "clang", "cpp"],
    ["language", "AssemblyScript", "assemblyscript"],
    ["language", "COBOL", "unknown"],
  ])("knows the language by the producers section: %s %s is %s", (field, value, language) => {
    const bytes = withCustom(rawPlugin(""), "producers", producers(field, value));

    expect(inspectModule(bytes).language).toBe(language);
  });

  it("takes a broken producers section for none", () => {
    const bytes = withCustom(rawPlugin(""), "producers", new Uint8Array([9, 200]));

    expect(inspectModule(bytes).language).toBe("unknown");
  });

  it.each([
    ["go:buildid", "go"],
    ["go.buildid", "go"],
    ["anything", "unknown"],
  ])("a custom section %s means %s", (name, language) => {
    expect(inspectModule(withCustom(rawPlugin(""), name, new Uint8Array(0))).language).toBe(
      language,
    );
  });

  it.each([
    ["/rustc/abc/library/std/src/panicking.rs", "rust"],
    ["runtime.gopanic", "go"],
    ["St9bad_alloc", "cpp"],
    ["~\\00l\\00i\\00b\\00/\\00r\\00t\\00", "assemblyscript"],
  ])("text %s in the data means %s", (text, language) => {
    const bytes = rawPlugin(`(data (i32.const 1024) "${text}")`);

    expect(inspectModule(bytes).language).toBe(language);
  });

  it("knows asc's first object by its header, and other data by nothing", () => {
    const object = rawPlugin(
      `(data (i32.const 1036) "\\1c") (data (i32.const 1048) "\\02\\00\\00\\00\\02\\00\\00\\00a\\00")`,
    );
    const other = rawPlugin(`(data (i32.const 1024) "hello")`);

    expect(inspectModule(object).language).toBe("assemblyscript");
    expect(inspectModule(other).language).toBe("unknown");
  });
});

describe("exports that no host calls", () => {
  const never = (bytes: Uint8Array) => inspectModule(bytes).never_called;

  it("are callbacks of other hosts, misspelt ones, and those that hosts only look up", () => {
    const bytes = rawPlugin(`(func (export "proxy_on_redis_call_response") (param i32 i32 i32 i32))
      (func (export "proxy_on_request_header")) (func (export "proxy_on_tick") (param i32))
      (func (export "envoy_on_stats_update") (param i32 i32))
      (func (export "proxy_on_foreign_function") (param i32 i32 i32))
      (func (export "proxy_validate_configuration") (param i32 i32) (result i32) (i32.const 1))`);

    expect(never(bytes)).toEqual({
      envoy: [
        "proxy_on_redis_call_response",
        "proxy_on_request_header",
        "proxy_on_foreign_function",
        "proxy_validate_configuration",
      ],
      higress: [
        "proxy_on_request_header",
        "proxy_on_foreign_function",
        "proxy_validate_configuration",
      ],
    });
  });

  it.each([
    [`(func (export "_initialize")) (func (export "_start"))`, ["_start"]],
    [
      `(func (export "_start")) (func (export "main") (param i32 i32) (result i32) (i32.const 0))`,
      ["main"],
    ],
    [
      `(func (export "_initialize")) (func (export "__main_void") (result i32) (i32.const 0))
       (func (export "main") (param i32 i32) (result i32) (i32.const 0))`,
      ["__main_void"],
    ],
    [
      `(func (export "proxy_on_memory_allocate") (param i32) (result i32) (i32.const 8))`,
      ["proxy_on_memory_allocate"],
    ],
  ])("are start functions and allocators beside others: %s", (fields, expected) => {
    expect(never(rawPlugin(fields))["envoy"]).toEqual(expected);
  });

  it("are no globals and no markers", () => {
    const bytes = rawPlugin(
      `(func (export "proxy_abi_version_0_3_0")) (global (export "x") i32 (i32.const 1))`,
    );

    expect(never(bytes)["envoy"]).toEqual([]);
  });
});

describe("what compilers leave behind", () => {
  const text = (t: string): number[] => [t.length, ...utf8(t)];

  it("is a name section", () => {
    const bytes = rawModule(`(module $plugin (func $one) (func $two))`, { names: true });

    expect(inspectModule(bytes).names).toEqual({ module: "plugin", functions: 2 });
  });

  it("is the place of a source map, features, producers and DWARF", () => {
    let bytes = withCustom(rawPlugin(""), "sourceMappingURL", new Uint8Array(text("p.wasm.map")));
    bytes = withCustom(bytes, "producers", producers("processed-by", "rustc"));
    bytes = withCustom(bytes, "target_features", new Uint8Array([1, 0x2b, ...text("simd128")]));
    bytes = withCustom(bytes, ".debug_info", new Uint8Array(3));

    expect(inspectModule(bytes)).toMatchObject({
      source_map: "p.wasm.map",
      producers: { "processed-by": ["rustc 1.0"] },
      declared_features: ["+simd128"],
      dwarf: true,
    });
  });

  it.each(["sourceMappingURL", "producers", "target_features", "name"])(
    "says nothing when the section %s is damaged",
    (section) => {
      const damaged = withCustom(rawPlugin(""), section, new Uint8Array([0x7f, 0x61]));

      expect(inspectModule(damaged)).toMatchObject({
        source_map: null,
        producers: {},
        declared_features: [],
        names: null,
      });
    },
  );

  it.each([
    ["/root/.cargo/registry/src/x/proxy-wasm-0.2.5/src/dispatcher.rs", "proxy-wasm-rust-sdk 0.2.5"],
    ["github.com/higress-group/proxy-wasm-go-sdk/x github.com/higress-group/wasm-go/x", "wasm-go"],
    ["github.com/tetratelabs/proxy-wasm-go-sdk/x", "proxy-wasm-go-sdk (Tetrate)"],
    ["proxy_wasm_intrinsics.proto", "proxy-wasm-cpp-sdk"],
    ["~lib/proxy-wasm-as/assembly/abi", "proxy-wasm-as"],
    ["/proxy-wasm-test/x", null],
  ])("tells the SDK by a path: %s is %s", (path, sdk) => {
    const bytes = rawPlugin(`(data (i32.const 0) "${path}")`);

    expect(inspectModule(bytes).sdk).toBe(sdk);
  });
});
