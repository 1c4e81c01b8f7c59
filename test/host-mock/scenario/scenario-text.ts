import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of its own with an eight-byte module in it: enough for a file that is read and not run. */
export function scenarioFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "proxy-wasm-as-"));
  writeFileSync(join(folder, "plugin.wasm"), new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  return folder;
}

const frame: Readonly<Record<string, string>> = {
  name: "name: a run",
  concurrency: "concurrency: 2",
  duration: "duration: 30s",
  plugins: "plugins:\n  - {name: reporter, wasm: plugin.wasm}",
  clusters: "clusters:\n  collector: {status: 204}",
};

/** A right scenario, with some of its parts replaced; an empty text leaves the part out. */
export function scenarioText(parts: Readonly<Record<string, string>> = {}): string {
  return Object.values({ ...frame, ...parts })
    .filter((part) => part !== "")
    .map((part) => `${part}\n`)
    .join("");
}
