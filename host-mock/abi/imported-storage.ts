/** Memories and tables that a module imports are made by the host. */
import { memoryPagesMax } from "./wasm-types.ts";
import { wasm, type WasmMemory, type WasmTable } from "./wasm-api.ts";
import type { ImportEntry } from "./wasm-types.ts";

/** Of at most 1 GiB, whatever the module declares. */
export function importedMemory({ limits }: ImportEntry): WasmMemory {
  const { initial = 0, maximum = null, isShared = false } = limits ?? {};
  const bound = Math.min(maximum ?? memoryPagesMax, memoryPagesMax);
  return new wasm.Memory({ initial, shared: isShared, maximum: bound });
}

export function importedTable({ limits, elementType }: ImportEntry): WasmTable {
  const { initial = 0, maximum = null } = limits ?? {};
  const element = elementType === "externref" ? "externref" : "anyfunc";
  return new wasm.Table({ element, initial, ...(maximum === null ? {} : { maximum }) });
}
