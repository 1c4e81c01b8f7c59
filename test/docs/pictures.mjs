// Writes every output that the pages show anew, from fresh runs: `node test/docs/pictures.mjs`, after `make build`.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const tests = [
  "test/docs/pictures.test.ts",
  "test/docs/pages.test.ts",
  "test/docs/lease-pause.test.ts",
];
const run = spawnSync("npx", ["--no-install", "vitest", "run", ...tests], {
  cwd: join(import.meta.dirname, "../.."),
  env: { ...process.env, RECORD: "1" },
  stdio: "inherit",
});
process.exitCode = run.status ?? 1;
