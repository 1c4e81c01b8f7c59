import { factsOf, type RunFacts } from "../properties/facts.ts";
import type { Verdict } from "../properties/property.ts";
import type { TraceEvent } from "../trace/event.ts";
import type { WitnessKind } from "../trace/leadership.ts";

/** A run and what was judged of it: all that a report knows. */
export interface JudgedRun {
  readonly name: string;
  readonly seed: number;
  readonly profile: string;
  readonly durationNs: number;
  readonly events: readonly TraceEvent[];
  readonly verdicts: readonly Verdict[];
  /** Every plugin, and what tells who leads in it. */
  readonly witnesses: Readonly<Record<string, WitnessKind>>;
  /** `factsOf(events)`, where it was made already. */
  readonly facts?: RunFacts;
}

export function factsOfRun(run: JudgedRun): RunFacts {
  return run.facts ?? factsOf(run.events, { durationNs: run.durationNs, witnesses: run.witnesses });
}

/** Every verdict is as expected. */
export function isOk(run: JudgedRun): boolean {
  return run.verdicts.every((verdict) => verdict.ok);
}
