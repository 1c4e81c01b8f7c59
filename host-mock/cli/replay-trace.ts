import { readFileSync } from "node:fs";
import { encodeEvent, loadScenario, prepareScenario } from "../index.ts";
import { MockHostError } from "../errors.ts";
import { ExitCode, type ExitCodeValue } from "./exit-code.ts";
import { writeAll, type Streams } from "./output.ts";
import { runOptions } from "./run-options.ts";

interface TraceFlags {
  readonly scenario?: string;
  readonly profile?: string;
  readonly json?: boolean;
}

/** Runs the scenario of a trace again and compares every event; the first that differs is told. */
export async function replayTrace(
  file: string,
  flags: TraceFlags,
  streams: Streams,
): Promise<ExitCodeValue> {
  if (flags.scenario === undefined) {
    throw new MockHostError("E_USAGE", "a trace does not say which scenario it is of", {
      place: "proxy-wasm-as replay",
      remedy: "name it with --scenario FILE, and its --seed and --profile where they were given",
    });
  }
  const before = linesOf(file);
  const scenario = loadScenario(flags.scenario);
  const prepared = prepareScenario(scenario, { ...runOptions(flags), trace: "full" });
  let at = 0;
  let differing: { readonly line: number; readonly was: string; readonly is: string } | undefined;
  prepared.run((event) => {
    const is = encodeEvent(event);
    const was = before[at++] ?? "";
    if (differing === undefined && is !== was) differing = { line: at, was, is };
  });
  if (differing === undefined && at < before.length)
    differing = { line: at + 1, was: before[at]!, is: "" };
  await writeAll(streams.stdout, shown(flags, at, differing));
  return differing === undefined ? ExitCode.fine : ExitCode.unexpected;
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch (cause) {
    throw new MockHostError("E_FILE", "the trace cannot be read", {
      place: `${file}:1:1`,
      remedy: "name a file that simulate --trace wrote",
      cause,
    });
  }
}

function shown(
  flags: TraceFlags,
  eventCount: number,
  differing: { readonly line: number; readonly was: string; readonly is: string } | undefined,
): string {
  if (flags.json === true)
    return `${JSON.stringify({ ok: differing === undefined, events: eventCount, difference: differing ?? null })}\n`;
  if (differing === undefined) return `✔ ${eventCount} events, all as in the trace\n`;
  const { line, was, is } = differing;
  return `✘ event ${line} differs\n  was ${was || "(the trace ends before it)"}\n  is  ${is || "(the run ends before it)"}\n`;
}
