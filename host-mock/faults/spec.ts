/**
 * Faults as data, with the keys of a scenario file. Durations are text with a unit. `thread` names a thread;
 * `leader_of` names a plugin and stands for the thread that leads at that very instant.
 */
import type { ConfigurationValue } from "../envoy/mock-envoy.ts";
import type { FaultRates } from "./plan-spec.ts";

/** One of the two stands. */
export interface Target {
  readonly thread?: string | undefined;
  readonly leader_of?: string | undefined;
}

/** Bytes in a scenario file. */
export type DataSpec =
  | string
  | Uint8Array
  | { readonly base64: string }
  | { readonly repeat: string; readonly times: number };

/** When: at the next instant, or right before a host call that the target's VMs make. */
export interface AtCall {
  readonly before?: string | undefined;
  /** From 1, the default. */
  readonly nth?: number | undefined;
  /** How long the call is waited for; else to the end of the run. */
  readonly within?: string | undefined;
}

export interface Misses {
  /** What cannot happen is skipped, and no missed event. */
  readonly may_miss?: boolean | undefined;
}

interface ThreadSpec extends Target, Misses {}

export interface CrashSpec extends ThreadSpec, AtCall {
  readonly do: "crash";
  /** The thread restarts so much later, if it is still dead then. */
  readonly restart_after?: string | undefined;
}

export interface RestartSpec extends ThreadSpec {
  readonly do: "restart";
}

export interface PauseSpec extends ThreadSpec, AtCall {
  readonly do: "pause";
  readonly for: string;
}

/** `callback` or `before`. */
export interface TrapSpec extends ThreadSpec, AtCall {
  readonly do: "trap";
  readonly callback?: string | undefined;
  /** Only that plugin's callback; with `leader_of` it is that plugin's anyway. */
  readonly plugin?: string | undefined;
}

/** What concerns the whole process: a thread stands with `before` alone, and says whose host call is meant. */
interface ProcessSpec extends Target, Misses, AtCall {}

export interface WipeSpec extends ProcessSpec {
  readonly do: "wipe";
  readonly vm_id?: string | undefined;
}

export interface WallClockSpec extends ProcessSpec {
  readonly do: "wall_clock";
  /** With a sign: "+1h", "-30s". */
  readonly by: string;
}

export interface SetSharedDataSpec extends ProcessSpec {
  readonly do: "set_shared_data";
  readonly vm_id?: string | undefined;
  readonly key: string;
  readonly value: DataSpec;
  readonly cas?: number | undefined;
}

/** `call`, with how long or how often; or `before`, one call. */
export interface RefuseSpec extends ThreadSpec, AtCall {
  readonly do: "refuse";
  readonly call?: string | undefined;
  readonly status: string;
  readonly for?: string | undefined;
  readonly count?: number | undefined;
}

export interface CallsSpec extends ThreadSpec {
  readonly do: "delay_calls" | "late_answers" | "duplicated_calls";
  readonly cluster: string;
  readonly by: string;
  readonly for: string;
}

export interface LostAnswersSpec extends ThreadSpec {
  readonly do: "lost_answers";
  readonly cluster: string;
  readonly for: string;
}

export interface LateTicksSpec extends ThreadSpec {
  readonly do: "late_ticks";
  readonly by: string;
  readonly for: string;
}

export interface BunchedTicksSpec extends ThreadSpec {
  readonly do: "bunched_ticks";
  readonly for: string;
}

export interface FailAllocationSpec extends ThreadSpec {
  readonly do: "fail_allocation";
  readonly plugin?: string | undefined;
  readonly count?: number | undefined;
}

export interface CasStormSpec extends ThreadSpec {
  readonly do: "cas_storm";
  readonly vm_id?: string | undefined;
  readonly key: string;
  readonly count?: number | undefined;
}

export interface ReconfigureSpec extends ProcessSpec {
  readonly do: "reconfigure";
  readonly plugin: string;
  readonly configuration?: ConfigurationValue | undefined;
}

export interface ChaosSpec {
  readonly do: "chaos";
  /** Since the start of the run. */
  readonly until: string;
  /** The mean gap: each is drawn from 0.5 … 1.5 times this. */
  readonly crash_every: string;
  readonly restart_after: string;
  readonly threads?: "all" | readonly string[] | { readonly leader_of: string } | undefined;
}

/** Faults of several kinds, drawn by the seed of the run. */
export interface FaultsSpec {
  readonly do: "faults";
  /** Since the start of the run: all that was drawn is over then. */
  readonly until: string;
  readonly rates: FaultRates;
  readonly threads?: "all" | readonly string[] | undefined;
  /** For `cas_storm`. */
  readonly keys?: readonly string[] | undefined;
  /** For `reconfigure`, by plugin. */
  readonly configurations?: Readonly<Record<string, readonly ConfigurationValue[]>> | undefined;
}

export type FaultSpec =
  | CrashSpec
  | RestartSpec
  | PauseSpec
  | TrapSpec
  | WipeSpec
  | WallClockSpec
  | SetSharedDataSpec
  | RefuseSpec
  | CallsSpec
  | LostAnswersSpec
  | LateTicksSpec
  | BunchedTicksSpec
  | FailAllocationSpec
  | CasStormSpec
  | ReconfigureSpec
  | ChaosSpec
  | FaultsSpec;
