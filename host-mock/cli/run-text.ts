import { styleText } from "node:util";
import type { ScenarioRun, Verdict } from "../index.ts";
import { formatDuration, timeline } from "../index.ts";
import type { RunFlags } from "./run-options.ts";
import { printable } from "./printable.ts";
import { showsColor, widthOf } from "./terminal.ts";
import type { Streams } from "./output.ts";

interface TextOptions extends RunFlags {
  readonly quiet?: boolean;
  readonly color: boolean;
}

/** What people read: each run's timeline and verdicts, and after a failure how to see it again. */
export function runText(
  runs: readonly ScenarioRun[],
  options: TextOptions,
  streams: Streams,
): string {
  const color = options.color && showsColor(streams.stdout);
  const width = widthOf(streams.stdout);
  const parts: string[] = [];
  for (const run of runs) {
    if (options.quiet !== true) parts.push(`${timeline(run, { color, width }).trimEnd()}\n`);
    if (!run.ok) parts.push(failureText(run, options, color));
  }
  if (runs.length > 1 && options.quiet !== true) parts.push(summary(runs));
  return parts.join("\n");
}

/** Property and instant, the seed, and one line to paste that runs it again. */
function failureText(run: ScenarioRun, flags: RunFlags, color: boolean): string {
  const failed = run.verdicts.filter(({ ok }) => !ok);
  const lines = failed.map((verdict) => {
    const line = printable(`${run.name}: ${sentence(verdict)}`);
    return color ? styleText("red", line, { validateStream: false }) : line;
  });
  lines.push(`seed: ${run.seed}`, `again: ${pasteable(run, flags)}`);
  return `${lines.join("\n")}\n`;
}

function sentence({ property, subject, expected, detail, atMs }: Verdict): string {
  const of = subject === "" ? "" : ` of ${subject}`;
  const instant = atMs === null ? "" : ` at ${formatDuration(Math.round(atMs * 1e6))}`;
  const what =
    expected === "holds" ? `is violated${instant}` : "holds, and was expected to be violated";
  return `${property}${of} ${what}${detail === "" ? "" : `: ${detail}`}`;
}

/** The line that runs it again. */
export function pasteable(run: ScenarioRun, flags: RunFlags): string {
  const words = ["npx", "proxy-wasm-as", "simulate", run.file, "--seed", String(run.seed)];
  if (flags.profile !== undefined) words.push("--profile", flags.profile);
  if (flags.logLevel !== undefined) words.push("--log-level", flags.logLevel);
  return words.map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function summary(runs: readonly ScenarioRun[]): string {
  const failed = runs.filter(({ ok }) => !ok).length;
  const verdict = failed === 0 ? "all as expected" : `${failed} not as expected`;
  return `${runs.length} scenarios: ${verdict}\n`;
}
