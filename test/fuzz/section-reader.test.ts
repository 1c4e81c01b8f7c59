import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { MockHostError } from "../../host-mock/errors.ts";
import { inspectModule } from "../../host-mock/module/inspect.ts";
import { loadModule } from "../../host-mock/module/load.ts";
import { profileByName } from "../../host-mock/profiles/index.ts";
import { rawModule } from "../support/raw-guest.ts";

const sample = rawModule(
  `(module
    (import "env" "proxy_log" (func (param i32 i32 i32) (result i32)))
    (import "env" "table" (table 1 4 funcref))
    (memory (export "memory") 1 3)
    (global (export "g") (mut i64) (i64.const 1))
    (tag $tag (param i32))
    (type $pair (func (param i64 v128) (result i32 f64)))
    (func $start (nop)) (start $start)
    (func $code (param i32) (result i32) (local v128 f64)
      (local.set 1 (i8x16.shuffle 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 (local.get 1) (local.get 1)))
      (memory.fill (i32.const 0) (i32.const 1) (i32.const 2))
      (drop (i32.atomic.load offset=8 (i32.const 0)))
      (try (do (throw $tag (i32.const 1))) (catch_all))
      (block $out (loop $again (br_table $out $again (local.get 0))))
      (i32.trunc_sat_f64_s (f64.const 1.5)))
    (data (i32.const 1036) "\\1c")
    (func (export "proxy_abi_version_0_2_1"))
    (func $malloc (export "malloc") (param i32) (result i32) (i32.const 8)))`,
  { names: true },
);

/**
 * The module is taken, or refused by an error of the user's that says so: nothing else ever comes
 * out.
 */
function isAnswered(bytes: Uint8Array): boolean {
  for (const read of [
    inspectModule,
    (b: Uint8Array) => loadModule(b, profileByName("envoy"), "fuzz"),
  ]) {
    try {
      read(bytes);
    } catch (error) {
      if (!(error instanceof MockHostError) || error.isOurs) throw error;
    }
  }
  return true;
}

const change = fc.tuple(fc.nat(sample.length - 1), fc.nat(255));
const numRuns = 1500;

describe("the section reader under mutation", () => {
  it("takes the sample", () => {
    expect(inspectModule(sample).abi).toEqual(["0.2.1"]);
    expect(loadModule(sample, profileByName("envoy"), "sample").allocator).toBe("malloc");
  });

  test.prop([fc.array(change, { minLength: 1, maxLength: 6 })], { numRuns })(
    "answers for changed bytes",
    (changes) => {
      const bytes = new Uint8Array(sample);
      for (const [at, value] of changes) bytes[at] = value;

      expect(isAnswered(bytes)).toBe(true);
    },
  );

  test.prop([fc.nat(sample.length), fc.uint8Array({ maxLength: 20 })], { numRuns })(
    "answers for modules cut off and continued with anything",
    (at, tail) => {
      expect(isAnswered(new Uint8Array([...sample.slice(0, at), ...tail]))).toBe(true);
    },
  );

  test.prop([fc.uint8Array({ maxLength: 200 })], { numRuns })(
    "answers for anything behind a module's header",
    (tail) => {
      expect(isAnswered(new Uint8Array([...sample.slice(0, 8), ...tail]))).toBe(true);
    },
  );

  it.each([
    [
      "a type section that claims four thousand million types",
      [1, 6, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x60],
    ],
    [
      "an import section that claims four thousand million imports",
      [2, 5, 0xff, 0xff, 0xff, 0xff, 0x0f],
    ],
    [
      "a recursion group that claims four thousand million types",
      [1, 8, 1, 0x4e, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x60],
    ],
    ["a number of more than 32 bits", [1, 6, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]],
    ["a name beyond the end of its section", [0, 2, 0x7f, 0x61]],
    ["a name that is not UTF-8", [0, 2, 1, 0xff]],
    ["a section beyond the end of the module", [0, 0x7f, 1, 0x61]],
  ])("refuses %s at once", (_name, section) => {
    const bytes = new Uint8Array([...sample.slice(0, 8), ...section]);

    expect(() => inspectModule(bytes)).toThrow(expect.objectContaining({ code: "E_NOT_WASM" }));
  });
});
