import { MockEnvoy, type MockEnvoyOptions } from "../envoy/mock-envoy.ts";
import { MockHostError } from "../errors.ts";
import { pausePointsOf } from "../faults/index.ts";
import type { ClusterOptions } from "../http/cluster-options.ts";
import { factsOf, type Property, type RunFacts, type Verdict } from "../properties/index.ts";
import type { TraceEvent } from "../trace/event.ts";
import { HostEvent } from "../trace/names.ts";
import type { WitnessKind } from "../trace/leadership.ts";
import { witnessRules } from "./check-rules.ts";
import { EventSchedule } from "./event-schedule.ts";
import type { Scenario } from "./load.ts";
import { clusterOptions } from "./cluster-options.ts";
import type { LogLevelName } from "./schema/frame.ts";
import { listenerOptions } from "./listener-options.ts";
import { pluginOptions } from "./plugin-options.ts";
import { profileRules } from "./rules.ts";
import { verdictsOf } from "./verdicts.ts";

/** What stands in place of the file's own word. */
export interface RunOptions {
  readonly seed?: number;
  readonly profile?: string;
  readonly logLevel?: LogLevelName;
  /** "full": listeners hear every call and callback too; default "outcome". */
  readonly trace?: "outcome" | "full";
  /** Rules of your own, judged after the file's checks; all are expected to hold. */
  readonly properties?: readonly Property[];
  /** Host calls that the run keeps, for rules of your own and the last calls of a violation. */
  readonly alsoCalls?: readonly string[];
}

export type EventListener = (event: TraceEvent) => void;

/** A scenario's run and what was judged of it; `report/` takes it as it is. */
export interface ScenarioRun {
  readonly file: string;
  readonly name: string;
  readonly seed: number;
  readonly profile: string;
  readonly durationNs: number;
  readonly events: readonly TraceEvent[];
  readonly facts: RunFacts;
  readonly witnesses: Readonly<Record<string, WitnessKind>>;
  /** Of the file's checks, then of its requests, then the implied ones. */
  readonly verdicts: readonly Verdict[];
  /** Every verdict is as expected. */
  readonly ok: boolean;
}

/** A scenario whose modules the chosen host takes: nothing but a run can go wrong from here on. */
export interface PreparedScenario {
  readonly name: string;
  readonly durationNs: number;
  /** Runs it once; a second call throws `E_STATE`. */
  run(onEvent?: EventListener): ScenarioRun;
}

/**
 * Makes the mock Envoy of a scenario, without starting it.
 *
 * Throws `E_SCENARIO` when a check cannot be judged at this log level or a callback is none of the profile, and the module's own error, at the place of
 * its `wasm:`, when the profile refuses a module.
 */
export function prepareScenario(scenario: Scenario, options: RunOptions = {}): PreparedScenario {
  const { frame, source } = scenario;
  const error = source.firstOf([
    ...witnessRules(frame, options.logLevel ?? frame.log_level),
    ...profileRules(frame, options.profile ?? frame.profile),
  ]);
  if (error !== undefined) throw error;
  const envoy = makeEnvoy(scenario, options);
  let hasRun = false;
  return {
    name: frame.name,
    durationNs: frame.duration,
    run: (onEvent) => {
      if (hasRun) {
        throw new MockHostError("E_STATE", "the scenario has run already", {
          remedy: "prepare it again",
        });
      }
      hasRun = true;
      if (onEvent !== undefined) envoy.recorder.listen(onEvent);
      return runOn(envoy, scenario, options);
    },
  };
}

/**
 * Prepares and runs a scenario. Equal inputs give equal runs.
 *
 *     const { ok, verdicts } = runScenario(loadScenario("scenarios/day17.yaml"), { seed: 7 });
 */
export function runScenario(
  scenario: Scenario,
  options: RunOptions & { readonly onEvent?: EventListener } = {},
): ScenarioRun {
  return prepareScenario(scenario, options).run(options.onEvent);
}

function runOn(envoy: MockEnvoy, scenario: Scenario, options: RunOptions): ScenarioRun {
  const { frame, file } = scenario;
  const schedule = new EventSchedule(envoy, scenario);
  envoy.advance(`${frame.duration}ns`);
  envoy.end();
  const witnesses = Object.fromEntries(frame.plugins.map(({ name, witness }) => [name, witness]));
  const events = withinRun(envoy.recorder.events, frame.duration);
  const facts = factsOf(events, { durationNs: frame.duration, witnesses });
  const { properties = [] } = options;
  const verdicts = verdictsOf(frame, schedule.expectations, facts, properties);
  return {
    file,
    name: frame.name,
    seed: options.seed ?? frame.seed,
    profile: options.profile ?? frame.profile,
    durationNs: frame.duration,
    events,
    facts,
    witnesses,
    verdicts,
    ok: verdicts.every(({ ok }) => ok),
  };
}

/** What a last callback did after the end, by the cost of its calls, belongs to no result. */
function withinRun(events: readonly TraceEvent[], durationNs: number): readonly TraceEvent[] {
  const isWithin = ({ atNs, name }: TraceEvent) =>
    atNs <= durationNs || name === HostEvent.runEnded;
  return events.every(isWithin) ? events : events.filter(isWithin);
}

function makeEnvoy(scenario: Scenario, options: RunOptions): MockEnvoy {
  const { frame } = scenario;
  try {
    return new MockEnvoy({
      concurrency: frame.concurrency,
      seed: options.seed ?? frame.seed,
      profile: options.profile ?? frame.profile,
      start: frame.start,
      logLevel: options.logLevel ?? frame.log_level,
      tickJitter: `${frame.tick_jitter}ns`,
      callCost: `${frame.call_cost}ns`,
      drain: `${frame.drain}ns`,
      undeclaredClusters: frame.undeclared_clusters,
      trace: options.trace ?? "outcome",
      alsoCalls: alsoCallsOf(scenario, options),
      pausePoints: pausePointsOf(frame.events),
      allowRefusedStart: true,
      statsFlushInterval: `${frame.stats_flush_interval}ns`,
      plugins: frame.plugins.map((plugin, index) =>
        pluginOptions(plugin, scenario.modules[index] ?? new Uint8Array()),
      ),
      clusters: clustersOf(scenario),
      ...listenersOf(scenario),
    });
  } catch (error) {
    throw atItsModule(error, scenario);
  }
}

/** What the caller wants, and what the file's checks read. */
function alsoCallsOf({ frame }: Scenario, { alsoCalls = [] }: RunOptions): string[] {
  const reads = frame.properties.some(({ check }) => check === "no_foreign_write");
  return [...alsoCalls, ...(reads ? ["proxy_set_shared_data"] : [])];
}

function clustersOf({ frame }: Scenario): Record<string, ClusterOptions> {
  return Object.fromEntries(
    Object.entries(frame.clusters).map(([name, entry]) => [name, clusterOptions(entry)]),
  );
}

function listenersOf({ frame }: Scenario): Pick<MockEnvoyOptions, "listeners"> {
  if (frame.listeners === undefined) return {};
  const listeners = Object.entries(frame.listeners).map(
    ([name, entry]) => [name, listenerOptions(entry)] as const,
  );
  return { listeners: Object.fromEntries(listeners) };
}

/** A module that the host refuses is shown where the file names it: its error's place is the plugin's name. */
function atItsModule(error: unknown, { frame, source }: Scenario): unknown {
  if (!(error instanceof MockHostError)) return error;
  const index = frame.plugins.findIndex(({ name }) => name === error.place);
  if (index < 0) return error;
  return new MockHostError(error.code, error.what, {
    place: source.place(["plugins", index, "wasm"]),
    remedy: error.remedy ?? "compile the module anew",
    cause: error,
  });
}
