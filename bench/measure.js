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
  const out = compiledPath(entry);
  mkdirSync(join(root, ".cache/bench"), { recursive: true });
  const asc = join(root, "node_modules/assemblyscript/bin/asc.js");
  const done = spawnSync(process.execPath, [asc, entry, ...args, "--outFile", out], {
    cwd: root,
    encoding: "utf8",
  });
  if (done.status !== 0) throw new Error(`asc ${entry}: ${done.stderr}`);
  return readFileSync(join(root, out));
}

/** Where compile() puts a module, relative to the repository root. */
export function compiledPath(entry) {
  return `.cache/bench/${entry.replaceAll("/", "-")}.wasm`;
}

/** asc's arguments for a guest on raw imports, where what is measured is the host. */
export const rawGuest = [
  ...["--config", "bench/guests/asconfig.json", "-O3", "--runtime", "minimal"],
  ...["--exportStart", "_initialize", "--use", "abort="],
];

/** Runs every kind in each round, in turn; the first round warms up. Times by kind. */
export function alternate(kinds, rounds) {
  const times = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [kind, run] of Object.entries(kinds)) {
      const time = run();
      if (round > 0) times[kind].push(time);
    }
  }
  return times;
}

/** Median over the rounds of how many times as fast as `base` each other kind is. */
export function speedOf(times, kind, base) {
  return median(times[base].map((time, round) => time / times[kind][round]));
}
