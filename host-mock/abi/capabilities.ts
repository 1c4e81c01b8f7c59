/**
 * Capability restriction: which imports and exports of a module a list of allowed names covers.
 *
 * Start functions, the allocator, what toolchains import and Envoy's own additions are never
 * restricted; everything else is, once the list names anything.
 *
 * Source: proxy-wasm-cpp-host `src/wasm.cc` (capabilityAllowed, registerCallbacks, getFunctions),
 * `include/proxy-wasm/exports.h`.
 */
import type { HostSignature } from "./signatures.ts";

/** Allowed names, imports and exports alike; undefined: everything is allowed. */
export type Capabilities = ReadonlySet<string> | undefined;

/** Whether the import is given a function that only refuses. */
export function restrictsImport(
  allowed: Capabilities,
  { module, name }: Pick<HostSignature, "module" | "name">,
): boolean {
  if (allowed === undefined || allowed.has(name)) return false;
  return module === "wasi" || name.startsWith("proxy_");
}

/** Whether the export is treated as if the module did not have it. */
export function restrictsExport(allowed: Capabilities, name: string): boolean {
  if (allowed === undefined || allowed.has(name)) return false;
  return name.startsWith("proxy_") && name !== "proxy_on_memory_allocate";
}
