import { importedMemory, importedTable } from "../abi/imported-storage.ts";
import { wasm, type WasmImport, type WasmModule } from "../abi/wasm-api.ts";
import type { ImportEntry } from "../abi/wasm-types.ts";
import { MockHostError } from "../errors.ts";

class HostCallInStart extends Error {
  readonly importName: string;

  constructor(importName: string) {
    super(importName);
    this.importName = importName;
  }
}

/**
 * Runs a start section once, with imports that only say they were called: E_START_SECTION if one
 * was. Envoy has no current context there and crashes. Without host calls a start section does the
 * same each time, so one trial tells.
 */
export function requireQuietStart(module: WasmModule, imports: readonly ImportEntry[]): void {
  let called: string | undefined;
  const trial: Record<string, Record<string, WasmImport>> = {};
  for (const entry of imports) {
    const names = (trial[entry.module] ??= {});
    const importName = `${entry.module}.${entry.name}`;
    if (entry.kind === "memory") names[entry.name] = importedMemory(entry);
    else if (entry.kind === "table") names[entry.name] = importedTable(entry);
    else {
      names[entry.name] = () => {
        called ??= importName;
        throw new HostCallInStart(importName);
      };
    }
  }
  try {
    new wasm.Instance(module, trial);
  } catch (cause) {
    if (called === undefined) throw startFailed(cause);
  }
  if (called === undefined) return;
  throw new MockHostError(
    "E_START_SECTION",
    `the start section calls ${called}, and a real Envoy crashes there`,
    {
      remedy: "export the start function as _initialize (asc: --exportStart _initialize)",
    },
  );
}

function startFailed(cause: unknown): MockHostError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new MockHostError("E_START_SECTION", `the module cannot be instantiated: ${reason}`, {
    cause,
  });
}
