/** Memories and tables that a module imports are made by the host. */
import { wasm, type WasmMemory, type WasmTable } from "./wasm-api.ts";
import type { ImportEntry } from "./wasm-types.ts";

export function importedMemory({ limits }: ImportEntry): WasmMemory {
  const { initial = 0, maximum = null, isShared = false } = limits ?? {};
  return new wasm.Memory({ initial, shared: isShared, ...(maximum === null ? {} : { maximum }) });
}

export function importedTable({ limits, elementType }: ImportEntry): WasmTable {
  const { initial = 0, maximum = null } = limits ?? {};
  const element = elementType === "externref" ? "externref" : "anyfunc";
  return new wasm.Table({ element, initial, ...(maximum === null ? {} : { maximum }) });
}
