import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { MockHostError } from "../errors.ts";
import { rememberOrigin } from "../module/origin.ts";
import { explain } from "./explain.ts";
import { brokenRules } from "./rules.ts";
import { frame as frameSchema, type Frame } from "./schema/frame.ts";
import { Source, type Problem } from "./source.ts";

/** A scenario file that is right as far as it can be told without running it. */
export interface Scenario {
  /** As the user named it. */
  readonly file: string;
  readonly frame: Frame;
  /** The modules' bytes, in the order of the plugins; plugins of one file share them. */
  readonly modules: readonly Uint8Array[];
  /** Where they were read, in the same order. */
  readonly modulePaths: readonly string[];
  readonly source: Source;
}

/**
 * Reads a scenario file, YAML or JSON, and the modules it names.
 *
 * Throws `E_FILE` when a file cannot be read and `E_SCENARIO` for everything else, with `FILE:LINE:COLUMN` and what
 * to do.
 *
 *     const scenario = loadScenario("scenarios/day17.yaml");
 */
export function loadScenario(file: string): Scenario {
  return parseScenario(file, readScenarioText(file));
}

/** The same for a text that stands in no file; `file` names it in messages and is where `wasm` paths start. */
export function parseScenario(file: string, text: string): Scenario {
  const source = new Source(file, text);
  const shape = frameSchema.safeParse(source.value);
  if (!shape.success) throwFirst(source, shape.error.issues.map(explain));
  const frame = shape.data as Frame;
  throwFirst(source, brokenRules(frame));
  const modulePaths = frame.plugins.map(({ wasm }) => resolve(dirname(file), wasm));
  return { file, frame, source, modulePaths, modules: readModules(modulePaths, frame, source) };
}

function throwFirst(source: Source, problems: readonly Problem[]): void {
  const error = source.firstOf(problems);
  if (error !== undefined) throw error;
}

function readScenarioText(file: string): string {
  const place = `${file}:1:1`;
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    throw new MockHostError("E_FILE", `the scenario cannot be read (${reason(cause)})`, {
      place,
      remedy: "name an existing scenario file",
      cause,
    });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new MockHostError("E_SCENARIO", "the file is not UTF-8 text", {
      place,
      remedy: "name a scenario, which is a YAML or JSON file",
      cause,
    });
  }
}

function readModules(paths: readonly string[], frame: Frame, source: Source): Uint8Array[] {
  const byPath = new Map<string, Uint8Array>();
  return frame.plugins.map(({ wasm }, index) => {
    const path = paths[index]!;
    const known = byPath.get(path);
    if (known !== undefined) return known;
    try {
      const bytes = new Uint8Array(readFileSync(path));
      rememberOrigin(bytes, path);
      byPath.set(path, bytes);
      return bytes;
    } catch (cause) {
      throw new MockHostError("E_FILE", `the module ${wasm} cannot be read (${reason(cause)})`, {
        place: source.place(["plugins", index, "wasm"]),
        remedy: "build it first, or correct the path, which starts at the scenario file",
        cause,
      });
    }
  });
}

function reason(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "ENOENT") return "no such file";
  if (code === "EISDIR") return "it is a directory";
  if (code === "EACCES") return "permission denied";
  return code === "" ? String(cause) : code;
}
