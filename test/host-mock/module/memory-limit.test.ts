import { describe, expect, it } from "vitest";
import { memoryPagesMax } from "../../../host-mock/abi/wasm-types.ts";
import { boundMemory } from "../../../host-mock/module/memory-limit.ts";
import { readSections } from "../../../host-mock/module/sections.ts";
import { rawModule } from "../../support/raw-guest.ts";

function limitsOf(bytes: Uint8Array) {
  return readSections(bytes).memories.map(({ initial, maximum }) => [initial, maximum]);
}

describe("a module's memory", () => {
  it.each([
    ["without a maximum", `(memory 1)`, [1, memoryPagesMax]],
    ["with a larger one", `(memory 1 65536)`, [1, memoryPagesMax]],
    ["with a smaller one", `(memory 1 100)`, [1, 100]],
    ["with just that", `(memory 1 16384)`, [1, 16384]],
    ["that is shared", `(memory 1 65536 shared)`, [1, memoryPagesMax]],
    ["that begins large", `(memory 16000)`, [16000, memoryPagesMax]],
  ])("%s cannot outgrow the bound", (_what, memory, limits) => {
    const { bytes } = boundMemory(rawModule(`(module ${memory})`));

    expect(limitsOf(bytes)).toEqual([limits]);
    expect(WebAssembly.validate(bytes)).toBe(true);
  });

  it("that is imported, or not there, leaves the module as it is", () => {
    for (const text of [`(module (import "env" "memory" (memory 1)))`, "(module)"]) {
      const given = rawModule(text);

      const { bytes, originalOffset } = boundMemory(given);

      expect(bytes).toBe(given);
      expect(originalOffset(5)).toBe(5);
    }
  });

  it("is bounded without a change to anything else: offsets are told as in the original", () => {
    const given = rawModule(
      `(module (memory 1) (func (export "f") (drop (i32.const 77))) (data (i32.const 0) "end"))`,
    );

    const { bytes, originalOffset } = boundMemory(given);

    const last = bytes.length - 1;
    expect(bytes.length).toBeGreaterThan(given.length);
    expect(originalOffset(8)).toBe(8);
    expect(originalOffset(last)).toBe(given.length - 1);
    expect(given[originalOffset(last)]).toBe(bytes[last]);
  });
});
