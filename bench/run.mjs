// Runs the benchmarks one after the other, each in a process of its own so that memory is measured from nothing.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const wanted = process.argv.slice(2);
const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".bench.js"));
let failed = false;
for (const file of files) {
  if (wanted.length > 0 && !wanted.includes(file.replace(".bench.js", ""))) continue;
  console.log(`\n== ${file}`);
  const done = spawnSync(process.execPath, ["--expose-gc", join(import.meta.dirname, file)], {
    stdio: "inherit",
  });
  failed ||= done.status !== 0;
}
process.exitCode = failed ? 1 : 0;
