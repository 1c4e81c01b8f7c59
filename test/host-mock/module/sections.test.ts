import { describe, expect, it } from "vitest";
import { formatType } from "../../../host-mock/abi/wasm-types.ts";
import { readSections } from "../../../host-mock/module/sections.ts";
import { rawModule } from "../../support/raw-guest.ts";

describe("the section reader", () => {
  it("reads imports and exports of every kind with their types", () => {
    const sections = readSections(
      rawModule(`(module
        (import "a" "f" (func $f (param i32 i64 f32 f64) (result f64)))
        (import "a" "t" (table 2 7 funcref))
        (import "a" "g" (global (mut i32)))
        (import "a" "m" (memory 3 9))
        (tag $e (export "e") (param i32))
        (global (export "own") i32 (i32.const 1))
        (export "back" (func $f))
        (func (export "two") (param externref) (result i32 i32) (i32.const 1) (i32.const 2)))`),
    );

    const [f, t, g, m] = ["f", "t", "g", "m"].map((name) =>
      sections.imports.find((entry) => entry.name === name)!,
    );
    expect(formatType(f!.type!)).toBe("i32 i64 f32 f64 -> f64");
    expect(t).toMatchObject({
      kind: "table",
      elementType: "funcref",
      limits: { initial: 2, maximum: 7 },
    });
    expect(g).toEqual({ module: "a", name: "g", kind: "global" });
    expect(m).toMatchObject({
      kind: "memory",
      limits: { initial: 3, maximum: 9, isShared: false, isLong: false },
    });
    const shown = sections.exports.map(({ name, kind, type }) => [
      name,
      kind,
      type && formatType(type),
    ]);
    expect(shown).toContainEqual(["back", "function", "i32 i64 f32 f64 -> f64"]);
    expect(shown).toContainEqual(["two", "function", "externref -> i32 i32"]);
    expect(shown).toContainEqual(["own", "global", undefined]);
    expect(shown).toContainEqual(["e", "tag", undefined]);
  });

  it("reads memories, imported ones first, shared ones and those without a maximum", () => {
    const own = readSections(rawModule(`(module (memory (export "memory") 4))`));
    const shared = readSections(rawModule(`(module (import "env" "memory" (memory 1 2 shared)))`));

    expect(own.memories).toEqual([{ initial: 4, maximum: null, isShared: false, isLong: false }]);
    expect(shared.memories).toEqual([{ initial: 1, maximum: 2, isShared: true, isLong: false }]);
  });

  it("says which function the start section names, and that there is none", () => {
    const withStart = readSections(
      rawModule(`(module (import "a" "f" (func)) (func $s) (start $s))`),
    );
    const without = readSections(rawModule(`(module (func (export "s")))`));

    expect(withStart.startFunction).toBe(1);
    expect(without.startFunction).toBeUndefined();
  });

  it("lists custom sections where they lie", () => {
    const bytes = rawModule(`(module (func $named (export "f")))`, { names: true });

    const [names] = readSections(bytes).customs;

    expect(names?.name).toBe("name");
    expect(new TextDecoder().decode(bytes.slice(names!.start, names!.end))).toContain("named");
  });

  it("goes past struct, array and recursive types", () => {
    const sections = readSections(
      rawModule(`(module
        (rec (type $list (sub (struct (field i8) (field (ref null $list))))) (type $bytes (array (mut i8))))
        (global (export "l") (ref null $list) (ref.null $list))
        (global (export "b") (ref null $bytes) (ref.null $bytes))
        (func (export "f") (param i32) (result i32) (local.get 0)))`),
    );

    const found = sections.exports.find(({ name }) => name === "f");
    expect(formatType(found!.type!)).toBe("i32 -> i32");
  });

  it("agrees with the engine on a module of many imports and exports", () => {
    const bytes = rawModule(`(module
      ${Array.from({ length: 300 }, (_, i) => `(import "m" "import_${i}" (func (param ${"i32 ".repeat(i % 5)})))`).join("\n")}
      ${Array.from({ length: 300 }, (_, i) => `(func (export "export_${i}"))`).join("\n")})`);

    const sections = readSections(bytes);

    expect(sections.imports).toHaveLength(300);
    expect(sections.imports[299]?.type?.params).toHaveLength(4);
    expect(sections.exports.map(({ name }) => name)).toContain("export_299");
  });
});
