import { describe, expect, it } from "vitest";
import { MockHostError } from "../../../host-mock/errors.ts";
import { loadModule } from "../../../host-mock/module/load.ts";
import { profileByName } from "../../../host-mock/profiles/index.ts";
import { rawModule, rawPlugin } from "../../support/raw-guest.ts";

const allocator = `(func (export "malloc") (param i32) (result i32) (i32.const 8))`;

function refusal(bytes: Uint8Array): MockHostError {
  try {
    loadModule(bytes, profileByName("envoy"), "p.wasm");
  } catch (error) {
    if (error instanceof MockHostError) return error;
    throw error;
  }
  throw new Error("the module was taken");
}

function abiOf(bytes: Uint8Array): string {
  return loadModule(bytes, profileByName("envoy"), "p.wasm").abi;
}

describe("memory", () => {
  const marked = (fields: string): Uint8Array =>
    rawModule(`(module ${fields} (func (export "proxy_abi_version_0_2_1")) ${allocator})`);

  it("may have any name, and two names", () => {
    expect(abiOf(marked(`(memory (export "heap") (export "memory") 1)`))).toBe("0.2.1");
  });

  it.each([
    ["none at all", ""],
    ["one that is not reachable", "(memory 1)"],
  ])("%s is no matter to a module that never calls the host", (_name, fields) => {
    expect(abiOf(marked(fields))).toBe("0.2.1");
  });

  it("that is not reachable is refused where a host call would crash Envoy", () => {
    const bytes = marked(`(import "env" "proxy_done" (func (result i32))) (memory 1)`);

    expect(refusal(bytes).code).toBe("E_MEMORY");
  });

  it.each([
    [`(memory (export "memory") 16385)`, "Failed to create new Wasm instance"],
    [`(import "env" "memory" (memory 16385))`, "Wasm VM failed Failed to initialize Wasm code"],
  ])("of more than 1 GiB is refused in Envoy's words: %s", (fields, words) => {
    const error = refusal(marked(fields));

    expect(error).toMatchObject({ code: "E_MEMORY", what: words });
    expect(error.remedy).toContain("16385 pages");
  });

  it("of 1 GiB is taken", () => {
    expect(abiOf(marked(`(memory (export "memory") 16384)`))).toBe("0.2.1");
  });
});

describe("data", () => {
  it("that do not fit into the memory are refused in Envoy's words", () => {
    const error = refusal(rawPlugin(`(data (i32.const 65535) "abc")`));

    expect(error).toMatchObject({
      code: "E_NOT_WASM",
      what: "Failed to create new Wasm instance",
    });
    expect(error.remedy).toContain("its data or elements");
  });
});

describe("the start section", () => {
  const started = (body: string, imports = ""): Uint8Array =>
    rawPlugin(`(func $s ${body}) (start $s)`, { imports });

  it("is fine without host calls", () => {
    expect(abiOf(started("(i32.store (i32.const 0) (i32.const 1))"))).toBe("0.2.1");
  });

  it.each([
    [
      "proxy_log",
      "(param i32 i32 i32) (result i32)",
      "(drop (call $f (i32.const 2) (i32.const 0) (i32.const 0)))",
    ],
    ["proxy_done", "(result i32)", "(drop (call $f))"],
  ])("that calls %s is refused: a real Envoy crashes", (name, type, body) => {
    const error = refusal(started(body, `(import "env" "${name}" (func $f ${type}))`));

    expect(error.code).toBe("E_START_SECTION");
    expect(error.what).toContain(`calls env.${name}`);
    expect(error.remedy).toContain("--exportStart _initialize");
  });

  it("that could call and does not is fine", () => {
    const body = "(if (i32.const 0) (then (drop (call $f))))";

    expect(abiOf(started(body, `(import "env" "proxy_done" (func $f (result i32)))`))).toBe(
      "0.2.1",
    );
  });

  it("that traps is refused", () => {
    const error = refusal(started("(unreachable)"));

    expect(error.what).toBe("Failed to create new Wasm instance");
    expect(error.remedy).toContain("its start section");
    expect(error.remedy).toContain("(unreachable)");
  });
});
