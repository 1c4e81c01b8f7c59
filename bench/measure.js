// What the benchmarks share: medians, and asc as a library.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "..");

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** Compiles an AssemblyScript file with the given asc arguments; the module's bytes. */
export function compile(entry, args) {
  const out = `.cache/bench/${entry.replaceAll("/", "-")}.wasm`;
  mkdirSync(join(root, ".cache/bench"), { recursive: true });
  const asc = join(root, "node_modules/assemblyscript/bin/asc.js");
  const done = spawnSync(process.execPath, [asc, entry, ...args, "--outFile", out], {
    cwd: root,
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(`asc ${entry}: ${done.stderr}`);
  return readFileSync(join(root, out));
}
