/** Transcripts on file: recorded from a real Envoy, one file for each suite. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The version that the mock is held against. */
export const envoyVersion = "1.40.0";

export function expectedPath(suite: string): string {
  return join(import.meta.dirname, "expected", `${suite}.txt`);
}

/** Blocks by their case's id; a file that does not exist, or is of another version, is an error. */
export function readExpected(suite: string): Map<string, readonly string[]> {
  const path = expectedPath(suite);
  if (!existsSync(path)) {
    throw new Error(`${path} does not exist: record it (RECORD=1, test/conformance/README.md)`);
  }
  return readBlocks(path, envoyVersion);
}

/** Blocks by their case's id. */
export function readBlocks(path: string, version: string): Map<string, readonly string[]> {
  const [first = "", ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
  if (first !== `# Envoy ${version}`) throw new Error(`${path} begins with: ${first}`);
  const blocks = new Map<string, string[]>();
  let block: string[] = [];
  for (const line of lines) {
    const id = /^# ([a-z0-9-]+): /.exec(line)?.[1];
    if (id !== undefined) {
      block = [];
      blocks.set(id, block);
    }
    if (line !== "") block.push(line);
  }
  return blocks;
}

export function writeTranscript(
  path: string,
  version: string,
  blocks: readonly (readonly string[])[],
): void {
  mkdirSync(dirname(path), { recursive: true });
  const text = blocks.map((block) => `${block.join("\n")}\n`).join("\n");
  writeFileSync(path, `# Envoy ${version}\n\n${text}`);
}
