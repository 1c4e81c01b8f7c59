/** What a host asks of a module's imports and exports, with Envoy's messages. */
import { callbackTypes, lifecycleTypes } from "../abi/callbacks.ts";
import type { AbiVersion } from "../abi/enums.ts";
import { findHostFunction } from "../abi/signatures.ts";
import {
  equalTypes,
  formatType,
  type ExportEntry,
  type ImportEntry,
  type Limits,
} from "../abi/wasm-types.ts";
import { MockHostError } from "../errors.ts";
import { profiles } from "../profiles/index.ts";
import type { Profile } from "../profiles/profile.ts";

/** Envoy's bound on a VM's memory, 1 GiB. */
const pagesMax = 16384;

/**
 * The imports that a host of this profile lacks, each named once: `env.abort`. Globals and tags
 * exist in no host.
 */
export function missingImports(
  imports: readonly ImportEntry[],
  abi: AbiVersion,
  profile: Profile,
): string[] {
  const missing = imports.filter((entry) => {
    if (entry.kind === "memory" || entry.kind === "table") return false;
    return entry.kind !== "function" || findHostFunction(entry, abi, profile.groups) === undefined;
  });
  return [...new Set(missing.map(({ module, name }) => `${module}.${name}`))];
}

/**
 * E_MISSING_IMPORT with every missing name, or E_SIGNATURE for the first import of another type.
 */
export function requireImports(
  imports: readonly ImportEntry[],
  abi: AbiVersion,
  profile: Profile,
): void {
  const [first, ...others] = missingImports(imports, abi, profile);
  if (first !== undefined) {
    const also = others.length === 0 ? "" : ` (also missing: ${others.join(", ")})`;
    throw new MockHostError(
      "E_MISSING_IMPORT",
      `Failed to load Wasm module due to a missing import: ${first}${also}`,
      { remedy: remedyForMissing(imports, abi, profile) },
    );
  }
  for (const entry of imports) {
    if (entry.kind !== "function" || entry.type === undefined) continue;
    const host = findHostFunction(entry, abi, profile.groups)!.type;
    if (equalTypes(entry.type, host)) continue;
    throw new MockHostError(
      "E_SIGNATURE",
      `Failed to load Wasm module due to an import type mismatch: ${entry.module}.${entry.name}, ` +
        `want: ${formatType(entry.type)}, but host exports: ${formatType(host)}`,
      { remedy: "declare the import with the host's type" },
    );
  }
}

function remedyForMissing(
  imports: readonly ImportEntry[],
  abi: AbiVersion,
  profile: Profile,
): string {
  for (const other of profiles) {
    if (other === profile || !other.abiVersions.has(abi)) continue;
    if (missingImports(imports, abi, other).length === 0)
      return `the profile ${other.name} has all of them`;
  }
  return "no host has them for this ABI version; compile the module without them";
}

/** E_MEMORY unless there is one memory that the host can use, of at most 1 GiB at the start. */
export function requireMemory(
  memories: readonly Limits[],
  imports: readonly ImportEntry[],
  exports: readonly ExportEntry[],
): void {
  const reachable = exports.filter(({ kind }) => kind === "memory");
  const imported = imports.filter(({ kind }) => kind === "memory");
  if (reachable.length === 0 && imported.length === 0) {
    throw new MockHostError("E_MEMORY", "the module neither exports nor imports a memory", {
      remedy: "export its memory under any name",
    });
  }
  const index = reachable[0]?.index ?? 0;
  const pages = memories[index]?.initial ?? 0;
  if (new Set(reachable.map((entry) => entry.index)).size > 1) {
    throw new MockHostError("E_MEMORY", "the module exports more than one memory", {
      remedy: "export one",
    });
  }
  if (pages > pagesMax) {
    throw new MockHostError(
      "E_MEMORY",
      `the module's memory starts with ${pages} pages, hosts allow ${pagesMax} (1 GiB)`,
    );
  }
}

/**
 * E_SIGNATURE for a known export of another type, E_NO_ALLOCATOR without one; the allocator's name.
 */
export function requireExports(
  exports: readonly ExportEntry[],
  abi: AbiVersion,
  profile: Profile,
): "malloc" | "proxy_on_memory_allocate" {
  const functions = exports.filter(({ kind }) => kind === "function");
  const names = new Set(functions.map(({ name }) => name));
  const wanted = new Map([...lifecycleTypes(names), ...callbackTypes(abi, profile.groups)]);
  for (const { name, type } of functions) {
    const want = wanted.get(name);
    if (want === undefined || type === undefined || equalTypes(type, want)) continue;
    throw new MockHostError(
      "E_SIGNATURE",
      `Bad function signature for: ${name}, want: ${formatType(want)}, ` +
        `but the module exports: ${formatType(type)}`,
      { remedy: "export it with the wanted type or under another name" },
    );
  }
  if (names.has("malloc")) return "malloc";
  if (names.has("proxy_on_memory_allocate")) return "proxy_on_memory_allocate";
  throw new MockHostError(
    "E_NO_ALLOCATOR",
    "Wasm VM failed Wasm module is missing malloc function.",
    {
      remedy: "export malloc or proxy_on_memory_allocate, (i32) -> i32",
    },
  );
}
