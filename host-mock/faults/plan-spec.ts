import type { ConfigurationValue } from "../envoy/mock-envoy.ts";
import type { FaultSpec } from "./spec.ts";

/** What a random plan can be made of. */
export const faultKinds = [
  ...(["crash", "pause", "trap", "refuse"] as const),
  ...(["delay_calls", "lost_answers", "late_answers", "duplicated_calls"] as const),
  ...(["late_ticks", "bunched_ticks", "fail_allocation", "cas_storm"] as const),
  ...(["wall_clock", "reconfigure", "wipe"] as const),
];

export type FaultKind = (typeof faultKinds)[number];

/** The mean time between two faults of a kind; a kind that is not named does not happen. */
export type FaultRates = { readonly [Kind in FaultKind]?: string | undefined };

/** What the drawn faults may name. */
export interface PlanNames {
  readonly threads: readonly string[];
  /** Plugins whose leader can be hit. Without one only threads are. */
  readonly plugins?: readonly string[];
  /** For faults of calls. */
  readonly clusters?: readonly string[];
  /** For `cas_storm`. */
  readonly keys?: readonly string[];
  /** For `reconfigure`: what each plugin may get. */
  readonly configurations?: Readonly<Record<string, readonly ConfigurationValue[]>>;
}

export interface PlanOptions extends PlanNames {
  readonly seed: number;
  readonly duration: string;
  /** How long nothing happens at the end: what is healthy must find together again. */
  readonly calm: string;
  readonly rates: FaultRates;
  /** When the first fault may come; default `1ms`. */
  readonly from?: string;
}

/** An event of a scenario file. */
export type PlannedFault = FaultSpec & { readonly at: string };

/** Faults to come, as data: written into a scenario file, they come again. */
export interface FaultPlan {
  readonly seed: number;
  readonly duration: string;
  /** From here on nothing happens. */
  readonly calmFrom: string;
  /** In the order of their instants. */
  readonly faults: readonly PlannedFault[];
}
