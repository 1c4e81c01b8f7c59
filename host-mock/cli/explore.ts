import type { ExploreBlock, ExploreOptions, ExploreRun, Scenario } from "../index.ts";
import {
  exploreScenario,
  explorationToHtml,
  loadScenario,
  parseDuration,
  parseShard,
  profileNames,
  strategyNames,
} from "../index.ts";
import { MockHostError } from "../errors.ts";
import { ExitCode, gravestOf, type ExitCodeValue } from "./exit-code.ts";
import { exploreText } from "./explore-text.ts";
import { openFile } from "./files.ts";
import { writeAll, type Streams } from "./output.ts";
import { profileTable } from "./profile-table.ts";
import { profileOf } from "./run-options.ts";

/** As commander hands them over. */
export interface ExploreFlags {
  readonly strategy?: string;
  readonly seed?: string;
  readonly schedules?: string;
  readonly depth?: string;
  readonly ticks?: string;
  readonly timeSteps?: string;
  readonly timeStep?: string;
  readonly crashes?: string;
  readonly wipes?: string;
  readonly refusals?: string;
  readonly corruptions?: string;
  readonly preemptions?: string;
  readonly maxStates?: string;
  readonly timeLimit?: string;
  readonly shard?: string;
  readonly profile?: string;
  readonly all?: boolean;
  readonly symmetry: boolean;
  readonly sleepSets?: boolean;
  readonly save?: string;
  readonly report?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color: boolean;
}

/** `explore FILE` */
export async function explore(
  file: string,
  flags: ExploreFlags,
  streams: Streams,
): Promise<ExitCodeValue> {
  const options = exploreOptions(flags);
  const scenario = loadScenario(file);
  const chosen = flags.profile === "all" ? profileNames : [flags.profile];
  const found: Found[] = [];
  for (const profile of chosen)
    found.push(
      timed(scenario, { ...options, ...(profile === undefined ? {} : { profile }) }, flags),
    );
  writeFiles(found, flags);
  await writeAll(streams.stdout, shownResult(found, flags));
  return gravestOf(found.map(({ run }) => codeOf(run)));
}

interface Found {
  readonly run: ExploreRun;
  readonly seconds: number;
}

function timed(scenario: Scenario, options: ExploreOptions, flags: ExploreFlags): Found {
  const startMs = performance.now();
  const limitMs =
    flags.timeLimit === undefined ? Infinity : parseDuration(flags.timeLimit, "--time-limit") / 1e6;
  const run = exploreScenario(scenario, {
    ...options,
    search: { ...options.search, shouldStop: () => performance.now() - startMs > limitMs },
  });
  return { run, seconds: (performance.now() - startMs) / 1000 };
}

function codeOf(run: ExploreRun): ExitCodeValue {
  if (run.ok) return ExitCode.fine;
  const { complete, violation, cutBy } = run.search;
  return !complete && violation === null && cutBy !== null ? ExitCode.cutOff : ExitCode.unexpected;
}

function shownResult(found: readonly Found[], flags: ExploreFlags): string {
  if (flags.json === true) {
    const results = found.map(toJson);
    const [only] = results;
    const document =
      results.length === 1 ? only : { ok: results.every(({ ok }) => ok), profiles: results };
    return `${JSON.stringify(document)}\n`;
  }
  if (found.length > 1) return profileTable(found.map(({ run }) => run));
  return found
    .filter(({ run }) => flags.quiet !== true || !run.ok)
    .map(({ run, seconds }) => exploreText(run, seconds, replayLine(run, flags)))
    .join("\n");
}

/** The result of one search; a shard's has what `merge` needs. */
export function toJson({ run, seconds }: Found) {
  const { search } = run;
  const { violation } = search;
  return {
    ok: run.ok,
    strategy: search.strategy,
    vms: run.vms.length,
    schedules: search.schedules,
    states: search.states,
    steps: search.steps,
    complete: search.complete,
    cut_by: search.cutBy,
    seconds: Math.round(seconds * 1000) / 1000,
    violation:
      violation === null
        ? null
        : { property: violation.property, schedule: violation.text, steps: violation.steps },
    scenario: run.name,
    file: run.file,
    profile: run.profile,
    seed: search.seed,
    depth: search.depth,
    bounds: run.bounds,
    judged: run.judged,
    expected: run.expected,
    violations: search.violations,
    missed: search.missed,
    ...(search.shard === undefined ? {} : { shard: search.shard }),
    ...(search.isUpperBound === undefined ? {} : { is_upper_bound: search.isUpperBound }),
  };
}

export type ExploreJson = ReturnType<typeof toJson>;

function writeFiles(found: readonly Found[], flags: ExploreFlags): void {
  const [first] = found;
  if (first === undefined) return;
  if (flags.save !== undefined) {
    const { violation } = first.run.search;
    if (violation === null) return;
    write(flags.save, `${JSON.stringify(savedSchedule(first.run, flags), null, 1)}\n`);
  }
  if (flags.report !== undefined) write(flags.report, page(first, flags));
}

function write(path: string, text: string): void {
  const file = openFile(path);
  try {
    file.write(text);
    file.keep();
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** A schedule with all that it belongs to, as `replay` reads it. */
function savedSchedule(run: ExploreRun, flags: ExploreFlags) {
  return {
    schedule: run.search.violation?.text ?? "",
    scenario: run.file,
    profile: run.profile,
    bounds: boundFlags(flags),
    property: run.search.violation?.property ?? null,
  };
}

function page({ run, seconds }: Found, flags: ExploreFlags): string {
  const { search, bounds } = run;
  const shown = Object.entries(bounds).flatMap(([name, value]) =>
    typeof value === "string" || typeof value === "number" ? [[name, value] as const] : [],
  );
  return explorationToHtml({
    ...search,
    title: run.name,
    file: run.file,
    vms: run.vms.length,
    bounds: { profile: run.profile, ...Object.fromEntries(shown) },
    seconds,
    ...(search.violation === null ? {} : { replay: replayLine(run, flags) }),
  });
}

/** The line that runs the violation again. */
function replayLine(run: ExploreRun, flags: ExploreFlags): string {
  const bounds = Object.entries(boundFlags(flags)).flatMap(([name, value]) => [`--${name}`, value]);
  const profile = flags.profile === undefined ? [] : ["--profile", run.profile];
  const words = ["npx proxy-wasm-as replay", quoted(run.file), ...bounds, ...profile];
  return `${words.join(" ")} --schedule "${run.search.violation?.text ?? ""}"`;
}

function quoted(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

const boundNames = [
  ["ticks", "ticks"],
  ["time-steps", "timeSteps"],
  ["time-step", "timeStep"],
  ["crashes", "crashes"],
  ["wipes", "wipes"],
  ["refusals", "refusals"],
  ["corruptions", "corruptions"],
] as const;

/** The bounds that were given on the command line: they decide what a schedule's words mean. */
function boundFlags(flags: ExploreFlags): Record<string, string> {
  return Object.fromEntries(
    boundNames.flatMap(([name, key]) => (flags[key] === undefined ? [] : [[name, flags[key]]])),
  );
}

/** `E_USAGE` for what no scenario file could say either. */
export function exploreOptions(flags: ExploreFlags): ExploreOptions {
  const count = (name: string, text: string | undefined): number | undefined => {
    if (text === undefined) return undefined;
    if (/^\d{1,15}$/.test(text)) return Number(text);
    throw wrong(`--${name}`, text, "give a whole number");
  };
  const entries: [keyof ExploreBlock, ExploreBlock[keyof ExploreBlock] | undefined][] = [
    ["ticks", count("ticks", flags.ticks)],
    ["time_steps", count("time-steps", flags.timeSteps)],
    [
      "time_step",
      flags.timeStep === undefined ? undefined : parseDuration(flags.timeStep, "--time-step"),
    ],
    ["crashes", count("crashes", flags.crashes)],
    ["wipes", count("wipes", flags.wipes)],
    ["refusals", count("refusals", flags.refusals)],
    ["corruptions", count("corruptions", flags.corruptions)],
    ["max_states", count("max-states", flags.maxStates)],
    [
      "preemptions",
      flags.preemptions === "none" ? "none" : count("preemptions", flags.preemptions),
    ],
    ["strategy", strategyOf(flags.strategy)],
  ];
  const bounds = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  const search: [string, number | boolean | undefined][] = [
    ["seed", count("seed", flags.seed)],
    ["schedules", count("schedules", flags.schedules)],
    ["depth", count("depth", flags.depth)],
    ["stopAtViolation", flags.all === true ? false : undefined],
    ["sleepSets", flags.sleepSets],
  ];
  if (flags.profile !== undefined && flags.profile !== "all") profileOf(flags.profile);
  return {
    bounds,
    search: Object.fromEntries(search.filter(([, value]) => value !== undefined)),
    symmetry: flags.symmetry,
    ...(flags.shard === undefined ? {} : { shard: parseShard(flags.shard) }),
  };
}

function strategyOf(text: string | undefined): ExploreBlock["strategy"] | undefined {
  if (text === undefined) return undefined;
  const found = strategyNames.find((name) => name === text);
  if (found === undefined) throw wrong("--strategy", text, `there are ${strategyNames.join(", ")}`);
  return found;
}

function wrong(option: string, text: string, remedy: string): MockHostError {
  return new MockHostError("E_USAGE", `${option} cannot be ${JSON.stringify(text)}`, {
    place: "proxy-wasm-as explore",
    remedy,
  });
}
