/**
 * Runs the asc command in a folder, as a plugin author does; for what must not share this process.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "./build-guest.ts";

export interface AscRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function runAsc(options: {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The installation of assemblyscript to use. Default: the repository's. */
  readonly modules?: string;
}): AscRun {
  const command = join(options.modules ?? join(root, "node_modules"), "assemblyscript/bin/asc.js");
  const environment = { ...process.env };
  delete environment["JSON_CACHE"];
  const run = spawnSync(process.execPath, [command, ...options.args], {
    cwd: options.cwd,
    env: { ...environment, ...options.env },
    encoding: "utf8",
  });
  return {
    code: run.status,
    // asc colours its messages where the environment asks for it, as some CI does.
    stdout: stripVTControlCharacters(run.stdout),
    stderr: stripVTControlCharacters(run.stderr),
  };
}
