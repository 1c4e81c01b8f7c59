import type { ExportEntry } from "../abi/wasm-types.ts";

const pattern = /^proxy_abi_version_(\d+)_(\d+)_(\d+)$/;

/** The ABI versions whose marker functions a module exports, in its order: `["0.2.1"]`. */
export function markersOf(exports: readonly ExportEntry[]): string[] {
  const markers: string[] = [];
  for (const { name, kind } of exports) {
    const match = kind === "function" ? pattern.exec(name) : null;
    if (match !== null) markers.push(match.slice(1).join("."));
  }
  return markers;
}
