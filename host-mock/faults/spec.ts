/**
 * Faults as data, with the keys of a scenario file. Durations are text with a unit. `thread` names a thread;
 * `leader_of` names a plugin and stands for the thread that leads at that very instant.
 */
import type { ConfigurationValue } from "../envoy/mock-envoy.ts";

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

export interface CrashSpec extends Target {
  readonly do: "crash";
}

export interface RestartSpec extends Target {
  readonly do: "restart";
}

export interface PauseSpec extends Target {
  readonly do: "pause";
  readonly for: string;
}

export interface TrapSpec extends Target {
  readonly do: "trap";
  readonly callback: string;
  /** Only that plugin's callback; with `leader_of` it is that plugin's anyway. */
  readonly plugin?: string | undefined;
}

export interface WipeSpec {
  readonly do: "wipe";
  readonly vm_id?: string | undefined;
}

export interface WallClockSpec {
  readonly do: "wall_clock";
  /** With a sign: "+1h", "-30s". */
  readonly by: string;
}

export interface SetSharedDataSpec {
  readonly do: "set_shared_data";
  readonly vm_id?: string | undefined;
  readonly key: string;
  readonly value: DataSpec;
  readonly cas?: number | undefined;
}

export interface RefuseSpec extends Target {
  readonly do: "refuse";
  readonly call: string;
  readonly status: string;
  readonly for?: string | undefined;
  readonly count?: number | undefined;
}

export interface DelayCallsSpec extends Target {
  readonly do: "delay_calls";
  readonly cluster: string;
  readonly by: string;
  readonly for: string;
}

export interface ReconfigureSpec {
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

export type FaultSpec =
  | CrashSpec
  | RestartSpec
  | PauseSpec
  | TrapSpec
  | WipeSpec
  | WallClockSpec
  | SetSharedDataSpec
  | RefuseSpec
  | DelayCallsSpec
  | ReconfigureSpec
  | ChaosSpec;
