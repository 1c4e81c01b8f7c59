/** What a host asks of a module's imports and exports, with Envoy's messages. */
import { callbackTypes, lifecycleTypes } from "../abi/callbacks.ts";
import type { AbiVersion } from "../abi/enums.ts";
import { findHostFunction } from "../abi/signatures.ts";
import {
  equalTypes,
  formatType,
  memoryPagesMax,
  type ExportEntry,
  type FunctionType,
  type ImportEntry,
  type Limits,
} from "../abi/wasm-types.ts";
import { MockHostError } from "../errors.ts";
import { profiles } from "../profiles/index.ts";
import type { Profile } from "../profiles/profile.ts";

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
 * E_MISSING_IMPORT or E_SIGNATURE, whichever comes first in the module; the remedy names every
 * other import that is missing.
 */
export function requireImports(
  imports: readonly ImportEntry[],
  abi: AbiVersion,
  profile: Profile,
): void {
  for (const entry of imports) {
    if (entry.kind === "memory" || entry.kind === "table") continue;
    const host = entry.kind === "function" && findHostFunction(entry, abi, profile.groups);
    if (!host) throw missingImport(imports, abi, profile);
    if (entry.type === undefined || equalTypes(entry.type, host.type)) continue;
    throw new MockHostError(
      "E_SIGNATURE",
      `Failed to load Wasm module due to an import type mismatch: ${entry.module}.${entry.name}, ` +
        `want: ${formatType(entry.type)}, but host exports: ${formatType(host.type)}`,
      { remedy: "declare the import with the host's type" },
    );
  }
}

function missingImport(
  imports: readonly ImportEntry[],
  abi: AbiVersion,
  profile: Profile,
): MockHostError {
  const [first, ...others] = missingImports(imports, abi, profile);
  const also = others.length === 0 ? "" : `also missing: ${others.join(", ")}; `;
  return new MockHostError(
    "E_MISSING_IMPORT",
    `Failed to load Wasm module due to a missing import: ${first}`,
    { remedy: `${also}${remedyForMissing(imports, abi, profile)}` },
  );
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

/**
 * E_MEMORY for a memory of more than 1 GiB at the start, and where host functions have none to work
 * on: a real Envoy takes such a module and crashes at its first host call.
 */
export function requireMemory(
  memories: readonly Limits[],
  imports: readonly ImportEntry[],
  exports: readonly ExportEntry[],
): void {
  const isReachable = [...imports, ...exports].some(({ kind }) => kind === "memory");
  if (!isReachable && imports.some(({ kind }) => kind === "function")) {
    throw new MockHostError(
      "E_MEMORY",
      "the module neither exports nor imports a memory, and a real Envoy crashes at its first call",
      { remedy: "export its memory under any name" },
    );
  }
  const importedCount = imports.filter(({ kind }) => kind === "memory").length;
  for (const [index, { initial }] of memories.entries()) {
    if (initial <= memoryPagesMax) continue;
    throw new MockHostError(
      "E_MEMORY",
      index < importedCount
        ? "Wasm VM failed Failed to initialize Wasm code"
        : "Failed to create new Wasm instance",
      {
        remedy:
          `its memory starts with ${initial} pages, and hosts allow ${memoryPagesMax} (1 GiB): ` +
          "let it start smaller",
      },
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
  const types = new Map<string, FunctionType>();
  for (const { kind, name, type } of exports)
    if (kind === "function" && type !== undefined) types.set(name, type);
  const names = new Set(types.keys());
  const lifecycle = lifecycleTypes(names);
  // In the order in which the host looks them up: the first that does not fit is what it speaks of.
  const allocator = names.has("malloc") ? "malloc" : "proxy_on_memory_allocate";
  requireType(types, allocator, lifecycle.get(allocator));
  if (!names.has(allocator)) {
    throw new MockHostError(
      "E_NO_ALLOCATOR",
      "Wasm VM failed Wasm module is missing malloc function.",
      { remedy: "export malloc or proxy_on_memory_allocate, (i32) -> i32" },
    );
  }
  for (const [name, want] of [...lifecycle, ...callbackTypes(abi, profile.groups)])
    requireType(types, name, want);
  return allocator;
}

function requireType(
  types: ReadonlyMap<string, FunctionType>,
  name: string,
  want: FunctionType | undefined,
): void {
  const type = types.get(name);
  if (type === undefined || want === undefined || equalTypes(type, want)) return;
  throw new MockHostError(
    "E_SIGNATURE",
    `Bad function signature for: ${name}, want: ${formatType(want)}, ` +
      `but the module exports: ${formatType(type)}`,
    { remedy: "export it with the wanted type or under another name" },
  );
}
