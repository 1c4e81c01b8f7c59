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
 * Makes an instance once and throws it away, with imports that only say they were called. It runs
 * the start section, if there is one: E_START_SECTION when that calls the host, for Envoy has no
 * current context there and crashes. E_NOT_WASM when no instance comes of it. Without host calls it
 * goes the same way each time, so one trial tells.
 *
 * Source: proxy-wasm-cpp-host `src/v8/v8.cc` (link).
 */
export function requireInstantiation(
  module: WasmModule,
  imports: readonly ImportEntry[],
  hasStart: boolean,
): void {
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
    if (called === undefined) throw instanceFailed(cause, hasStart);
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

function instanceFailed(cause: unknown, hasStart: boolean): MockHostError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const where = hasStart ? "its start section, or its data or elements" : "its data or elements";
  return new MockHostError("E_NOT_WASM", "Failed to create new Wasm instance", {
    remedy: `correct ${where} (${reason})`,
    cause,
  });
}
