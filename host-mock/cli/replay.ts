import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  exploredWorld,
  loadScenario,
  parseSchedule,
  replaySchedule,
  stepTable,
  type Replay,
} from "../index.ts";
import { MockHostError } from "../errors.ts";
import { ExitCode, type ExitCodeValue } from "./exit-code.ts";
import { exploreOptions, type ExploreFlags } from "./explore.ts";
import { writeAll, type Streams } from "./output.ts";
import { printable } from "./printable.ts";
import { replayTrace } from "./replay-trace.ts";

/** As commander hands them over. */
export interface ReplayFlags extends Pick<
  ExploreFlags,
  | "ticks"
  | "timeSteps"
  | "timeStep"
  | "crashes"
  | "wipes"
  | "refusals"
  | "corruptions"
  | "profile"
  | "json"
  | "quiet"
  | "color"
> {
  readonly schedule?: string;
  readonly scenario?: string;
}

/** `replay TRACE-OR-SCHEDULE`: a scenario with `--schedule`, a schedule that `explore --save` wrote, or a trace. */
export async function replay(
  file: string,
  flags: ReplayFlags,
  streams: Streams,
): Promise<ExitCodeValue> {
  if (flags.schedule === undefined && isTrace(file)) return replayTrace(file, flags, streams);
  const { scenario, schedule, options } = given(file, flags);
  const world = exploredWorld(loadScenario(scenario), options);
  const run = replaySchedule(world, parseSchedule(world, schedule));
  await writeAll(streams.stdout, shown(run, flags));
  return run.violation === null ? ExitCode.fine : ExitCode.unexpected;
}

function isTrace(file: string): boolean {
  return file.endsWith(".jsonl");
}

interface Given {
  readonly scenario: string;
  readonly schedule: string;
  readonly options: ReturnType<typeof exploreOptions>;
}

function given(file: string, flags: ReplayFlags): Given {
  const own = { ...flags, symmetry: true };
  const profile = flags.profile === undefined ? {} : { profile: flags.profile };
  if (flags.schedule !== undefined)
    return {
      scenario: file,
      schedule: flags.schedule,
      options: { ...exploreOptions(own), ...profile },
    };
  const saved = readSaved(file);
  const bounds = Object.fromEntries(
    Object.entries(saved.bounds).map(([name, value]) => [camel(name), value]),
  );
  return {
    scenario: resolve(dirname(file), flags.scenario ?? saved.scenario),
    schedule: saved.schedule,
    options: { ...exploreOptions({ ...own, ...bounds }), profile: flags.profile ?? saved.profile },
  };
}

function camel(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

interface SavedSchedule {
  readonly schedule: string;
  readonly scenario: string;
  readonly profile: string;
  readonly bounds: Readonly<Record<string, string>>;
}

function readSaved(file: string): SavedSchedule {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw notSaved(file, cause);
  }
  const saved = found as Partial<SavedSchedule> | null;
  const isSaved =
    typeof saved?.schedule === "string" &&
    typeof saved.scenario === "string" &&
    typeof saved.profile === "string" &&
    typeof saved.bounds === "object";
  if (!isSaved) throw notSaved(file, undefined);
  return saved as SavedSchedule;
}

function notSaved(file: string, cause: unknown): MockHostError {
  return new MockHostError("E_FILE", "this is no schedule that can be run again", {
    place: `${file}:1:1`,
    remedy:
      "name a file of explore --save, a trace that ends in .jsonl, or a scenario with --schedule",
    cause,
  });
}

function shown(run: Replay, flags: ReplayFlags): string {
  const { violation, views, isEnded } = run;
  if (flags.json === true) {
    const steps = views;
    const property = violation?.property ?? null;
    return `${JSON.stringify({ ok: violation === null, property, steps, ended: isEnded })}\n`;
  }
  const table = flags.quiet === true ? [] : stepTable(views);
  const verdict =
    violation === null
      ? `✔ nothing is violated in ${views.length} steps`
      : `✘ ${violation.property} is violated after ${violation.schedule.length} steps`;
  return `${[...table, verdict].map(printable).join("\n")}\n`;
}
