import type { Scenario } from "../index.ts";
import { MockHostError } from "../errors.ts";
import { isSameFile, openFile, type OpenFile } from "./files.ts";

/** Where the files go that a run writes. */
export interface OutputPaths {
  readonly junit?: string;
  readonly trace?: string;
  readonly report?: string;
}

/** The files that a run writes: all of them come to stand complete, or none is touched. */
export class Outputs {
  readonly trace: OpenFile | undefined;
  readonly #junit: OpenFile | undefined;
  readonly #report: OpenFile | undefined;
  readonly #all: OpenFile[] = [];

  /** `E_FILE` for a file that cannot be written; no other is left behind then. */
  constructor(paths: OutputPaths) {
    try {
      this.#junit = this.#open(paths.junit);
      this.trace = this.#open(paths.trace);
      this.#report = this.#open(paths.report);
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** All runs are over; `E_FILE` when a file cannot be completed. */
  keep(junit: () => string, report: () => string): void {
    try {
      this.#junit?.write(junit());
      this.#report?.write(report());
      for (const file of this.#all) file.keep();
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  discard(): void {
    for (const file of this.#all) file.discard();
  }

  #open(path: string | undefined): OpenFile | undefined {
    if (path === undefined) return undefined;
    const file = openFile(path);
    this.#all.push(file);
    return file;
  }
}

/** `E_USAGE` when an output would take the place of something that the run reads, or of another output. */
export function requireApart(paths: OutputPaths, scenarios: readonly Scenario[]): void {
  const outputs = (["trace", "junit", "report"] as const).flatMap((name) => {
    const path = paths[name];
    return path === undefined ? [] : [{ option: `--${name}`, path }];
  });
  const inputs = new Set(scenarios.flatMap(({ file, modulePaths }) => [file, ...modulePaths]));
  for (const [index, { option, path }] of outputs.entries()) {
    for (const input of inputs) {
      if (!isSameFile(path, input)) continue;
      const what = `${option} ${path} is read by the run, and cannot be written by it`;
      throw wrongUse(what, "name another file");
    }
    const same = outputs.slice(index + 1).find((other) => isSameFile(path, other.path));
    if (same !== undefined)
      throw wrongUse(`${option} and ${same.option} name one file`, "name two");
  }
}

function wrongUse(what: string, remedy: string): MockHostError {
  return new MockHostError("E_USAGE", what, { place: "proxy-wasm-as simulate", remedy });
}
