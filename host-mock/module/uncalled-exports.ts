import { callbackTypes, lifecycleTypes } from "../abi/callbacks.ts";
import type { AbiVersion } from "../abi/enums.ts";
import type { ExportEntry } from "../abi/wasm-types.ts";
import type { Profile } from "../profiles/profile.ts";

/** Looked up, their types checked, and never called. */
const idle: ReadonlySet<string> = new Set([
  "proxy_validate_configuration",
  "proxy_on_foreign_function",
]);

const marker = /^proxy_abi_version_\d+_\d+_\d+$/;

/**
 * The exported functions that a host of this profile will never call, in the module's order: a
 * callback of another host or with a slip in its name, `_start` beside `_initialize`, the second of
 * two allocators, what a compiler exports for hosts of other kinds. Markers are not among them: they
 * are read, not called.
 *
 * Source: proxy-wasm-cpp-host `src/wasm.cc` (getFunctions, startVm).
 */
export function uncalledExports(
  exports: readonly ExportEntry[],
  abi: AbiVersion,
  profile: Profile,
): string[] {
  const names = exports.filter(({ kind }) => kind === "function").map(({ name }) => name);
  const lifecycle = lifecycleTypes(new Set(names));
  const callbacks = callbackTypes(abi, profile.groups);
  const isCalled = (name: string): boolean =>
    lifecycle.has(name) || (callbacks.has(name) && !idle.has(name));
  return names.filter((name) => !marker.test(name) && !isCalled(name));
}
