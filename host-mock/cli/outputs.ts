import type { Scenario } from "../index.ts";
import { MockHostError } from "../errors.ts";
import { isSameFile, openFile, type OpenFile } from "./files.ts";

/** Where the files go that a run writes. */
export interface OutputPaths {
  readonly junit?: string;
  readonly trace?: string;
}

/** The files that a run writes: all of them come to stand complete, or none is touched. */
export class Outputs {
  readonly junit: OpenFile | undefined;
  readonly trace: OpenFile | undefined;

  /** `E_FILE` for a file that cannot be written; no other is left behind then. */
  constructor(paths: OutputPaths) {
    this.junit = paths.junit === undefined ? undefined : openFile(paths.junit);
    try {
      this.trace = paths.trace === undefined ? undefined : openFile(paths.trace);
    } catch (error) {
      this.junit?.discard();
      throw error;
    }
  }

  /** All runs are over; `E_FILE` when a file cannot be completed. */
  keep(junit: () => string): void {
    try {
      this.junit?.write(junit());
      this.trace?.keep();
      this.junit?.keep();
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  discard(): void {
    this.trace?.discard();
    this.junit?.discard();
  }
}

/** `E_USAGE` when an output would take the place of something that the run reads, or of the other output. */
export function requireApart(paths: OutputPaths, scenarios: readonly Scenario[]): void {
  const { junit, trace } = paths;
  const inputs = new Set(scenarios.flatMap(({ file, modulePaths }) => [file, ...modulePaths]));
  for (const [option, output] of [
    ["--junit", junit],
    ["--trace", trace],
  ] as const) {
    if (output === undefined) continue;
    for (const input of inputs) {
      if (!isSameFile(output, input)) continue;
      const what = `${option} ${output} is read by the run, and cannot be written by it`;
      throw wrongUse(what, "name another file");
    }
  }
  if (junit !== undefined && trace !== undefined && isSameFile(junit, trace))
    throw wrongUse("--trace and --junit name one file", "name two");
}

function wrongUse(what: string, remedy: string): MockHostError {
  return new MockHostError("E_USAGE", what, { place: "proxy-wasm-as simulate", remedy });
}
