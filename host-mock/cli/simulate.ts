import type { PreparedScenario, RunOptions, Scenario, ScenarioRun } from "../index.ts";
import { CallDetail, loadScenario, prepareScenario, toHtml, toJunit, toResult } from "../index.ts";
import { MockHostError } from "../errors.ts";
import { ExitCode, exitCodeOf, gravestOf, told, type ExitCodeValue } from "./exit-code.ts";
import type { OpenFile } from "./files.ts";
import { writeAll, type Streams } from "./output.ts";
import { Outputs, requireApart } from "./outputs.ts";
import { Progress } from "./progress.ts";
import { runOptions, type RunFlags } from "./run-options.ts";
import { pasteable, runText } from "./run-text.ts";
import { traceInto } from "./trace-file.ts";

/** As commander hands them over. */
export interface SimulateOptions extends RunFlags {
  readonly json?: boolean;
  readonly junit?: string;
  readonly trace?: string;
  readonly report?: string;
  readonly quiet?: boolean;
  readonly color: boolean;
}

/** `simulate FILE…`: nothing runs, and nothing is printed, before every file is known to be right. */
export async function simulate(
  files: readonly string[],
  options: SimulateOptions,
  streams: Streams,
): Promise<ExitCodeValue> {
  requireOneFile(files, options);
  const choices = runOptions(options);
  const scenarios: Scenario[] = [];
  const prepared: PreparedScenario[] = [];
  const failures: ExitCodeValue[] = [];
  for (const file of files) {
    const outcome = attempt(() => {
      const scenario = loadScenario(file);
      scenarios.push(scenario);
      return prepareScenario(scenario, prepareOptions(choices, options));
    });
    if (outcome.ok) prepared.push(outcome.value);
    else failures.push(await tell(outcome.error, streams));
  }
  if (failures.length > 0) return gravestOf(failures);
  requireApart(options, scenarios);
  const outputs = new Outputs(options);
  const detail = options.report === undefined ? undefined : new CallDetail();
  const runs: ScenarioRun[] = [];
  for (const scenario of prepared) {
    const outcome = attempt(() => runOne(scenario, { trace: outputs.trace, detail }, streams));
    if (outcome.ok) runs.push(outcome.value);
    else failures.push(await tell(outcome.error, streams));
  }
  if (failures.length > 0) {
    outputs.discard();
    return gravestOf(failures);
  }
  outputs.keep(
    () => toJunit(runs),
    () => runs.map((run) => report(run, detail, options)).join(""),
  );
  await writeAll(
    streams.stdout,
    options.json === true ? json(runs) : runText(runs, options, streams),
  );
  return gravestOf(runs.map((run) => (run.ok ? ExitCode.fine : ExitCode.unexpected)));
}

function requireOneFile(files: readonly string[], options: SimulateOptions): void {
  if (files.length < 2) return;
  for (const name of ["trace", "report"] as const) {
    if (options[name] === undefined) continue;
    throw new MockHostError(
      "E_USAGE",
      `--${name} goes with one scenario file, and ${files.length} are given`,
      {
        place: "proxy-wasm-as simulate",
        remedy: `run them one by one, each with a ${name} file of its own`,
      },
    );
  }
}

function prepareOptions(choices: RunOptions, options: SimulateOptions): RunOptions {
  const isWhole = options.trace !== undefined || options.report !== undefined;
  return isWhole ? { ...choices, trace: "full" } : choices;
}

function report(
  run: ScenarioRun,
  detail: CallDetail | undefined,
  options: SimulateOptions,
): string {
  return toHtml(run, {
    again: pasteable(run, options),
    ...(detail === undefined ? {} : { detail }),
  });
}

function runOne(
  scenario: PreparedScenario,
  into: { readonly trace: OpenFile | undefined; readonly detail: CallDetail | undefined },
  streams: Streams,
): ScenarioRun {
  const progress = new Progress(streams.stderr, scenario.name, scenario.durationNs);
  const toTrace = into.trace === undefined ? undefined : traceInto(into.trace);
  try {
    return scenario.run((event) => {
      progress.reached(event.atNs);
      toTrace?.(event);
      into.detail?.feed(event);
    });
  } finally {
    progress.end();
  }
}

function json(runs: readonly ScenarioRun[]): string {
  const results = runs.map((run) => toResult(run));
  const [only] = results;
  const document =
    results.length === 1 ? only : { ok: runs.every((run) => run.ok), scenarios: results };
  return `${JSON.stringify(document)}\n`;
}

async function tell(error: unknown, streams: Streams): Promise<ExitCodeValue> {
  await writeAll(streams.stderr, told(error));
  return exitCodeOf(error);
}

type Attempt<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error };
  }
}
