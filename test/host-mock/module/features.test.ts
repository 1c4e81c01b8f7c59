import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inspectModule } from "../../../host-mock/module/inspect.ts";
import { rawModule, rawPlugin } from "../../support/raw-guest.ts";

function features(bytes: Uint8Array): readonly string[] {
  return inspectModule(bytes).features;
}

function ofFunction(body: string, fields = ""): readonly string[] {
  return features(rawPlugin(`${fields} (func (export "f") ${body})`));
}

const wat = join(import.meta.dirname, "../../conformance/wat");

describe("features of the modules that a real Envoy has run", () => {
  it.each([
    ["feat-atomics", ["threads"]],
    ["feat-bulk", ["bulk-memory"]],
    ["feat-eh-legacy", ["exceptions-legacy"]],
    ["feat-eh-uncaught", ["exceptions"]],
    ["feat-multivalue", ["multi-value"]],
    ["feat-mutglobal", ["mutable-globals"]],
    ["feat-reftypes", ["reference-types"]],
    ["feat-satconv", ["saturating-conversion"]],
    ["feat-signext", ["sign-extension"]],
    ["feat-simd", ["simd"]],
    ["feat-tailcall", ["tail-calls"]],
    ["memory-shared", ["bulk-memory", "threads"]],
    ["abi-0-2-1", []],
    ["start-restricted", []],
  ])("%s: %j", (name, expected) => {
    const text = readFileSync(join(wat, `${name}.wat`), "utf8");

    expect(features(rawModule(text))).toEqual(expected);
  });
});

describe("features that this engine need not have", () => {
  it.each<[string, string, string[]]>([
    ["(block $h (try_table (catch_all $h) (unreachable)))", "(tag $e (param i32))", ["exceptions"]],
    [
      "(drop (struct.get $s 0 (struct.new $s (i32.const 1))))",
      "(type $s (struct (field i32)))",
      ["gc"],
    ],
    [
      "(drop (call_ref $t (ref.func $one)))",
      "(type $t (func (result i32))) (func $one (type $t) (i32.const 1)) (elem declare func $one)",
      ["reference-types", "typed-function-references"],
    ],
    ["", "(global i32 (i32.add (i32.const 1) (i32.const 2)))", ["extended-const"]],
    ["(drop (i32.load $m (i32.const 0)))", "(memory $m 1)", ["multi-memory"]],
    ["(drop (i32.load $m (i64.const 0)))", "(memory $m i64 1)", ["multi-memory", "memory64"]],
    [
      "(drop (f32x4.relaxed_madd (f32x4.splat (f32.const 2)) (f32x4.splat (f32.const 3)) (f32x4.splat (f32.const 1))))",
      "",
      ["simd", "relaxed-simd"],
    ],
    ["(param v128)", "", ["simd"]],
    ["(param externref)", "", ["reference-types"]],
    ["", `(table 1 funcref) (table $two 1 funcref)`, ["reference-types"]],
    ["", `(data "passive")`, ["bulk-memory"]],
    ["", `(tag (param i32))`, ["exceptions"]],
  ])("%s in %s: %j", (body, fields, expected) => {
    expect(ofFunction(body, fields)).toEqual(expected);
  });
});

describe("features of code", () => {
  it("are found behind every kind of operand", () => {
    const body = `(param i32) (result i32) (local i64 f32 f64 v128)
      (block $outer (loop $inner (br_table $outer $inner $outer (local.get 0))))
      (i64.store offset=300 (i32.const -70000) (i64.const -9223372036854775808))
      (local.set 2 (f32.const 1.5)) (local.set 3 (f64.const -2.5))
      (local.set 4 (v128.const i64x2 -1 -1))
      (local.set 4 (i8x16.shuffle 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 (local.get 4) (local.get 4)))
      (v128.store8_lane 3 (i32.const 64) (local.get 4))
      (memory.copy (i32.const 0) (i32.const 8) (i32.const 8))
      (drop (memory.grow (i32.const 1)))
      (call_indirect $table (param i32) (i32.const 0) (i32.const 0))
      (if (result i32) (i32.atomic.rmw8.cmpxchg_u (i32.const 0) (i32.const 1) (i32.const 2))
        (then (i32.extend16_s (local.get 0))) (else (i32.trunc_sat_f64_u (f64.const 1e30))))`;

    expect(ofFunction(body, "(table $table 1 funcref)")).toEqual([
      "sign-extension",
      "saturating-conversion",
      "bulk-memory",
      "simd",
      "threads",
    ]);
  });

  it("that is none ends the reading of that function only", () => {
    const bytes = rawModule(
      `(module (func (i32.store (i32.const 7) (i32.const 7))) (memory 1)
        (func (drop (i32.extend8_s (i32.const 1)))))`,
    );
    const at = bytes.findIndex((byte, index) => byte === 0x41 && bytes[index + 1] === 7);
    bytes[at] = 0xff;

    expect(features(bytes)).toEqual(["sign-extension", "unknown-instructions"]);
  });

  it("of a compiler's module are those of its sections", () => {
    const bytes = rawPlugin("");

    const { sections } = inspectModule(bytes);

    expect(sections.reduce((size, section) => size + section.bytes, 8)).toBe(bytes.length);
  });
});
