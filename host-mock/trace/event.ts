/**
 * The one language between running and judging. `abi/ http/ envoy/` write events, `properties/` and
 * `report/` read them and nothing else, so that they can judge a trace taken elsewhere too.
 */

/** Values in a trace; bytes become `{ "utf8": … }` or `{ "base64": … }` in a file. */
export type TraceValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly TraceValue[]
  | { readonly [name: string]: TraceValue };

export type TraceArgs = { readonly [name: string]: TraceValue };

export type TraceEventKind = "call" | "callback" | "return" | "fault" | "timer" | "log" | "trap";

/** Whose event it is. `main#1` is the first VM of the main thread; base and canary are `main#base`, `main#canary`. */
export interface TraceSubject {
  /** `main`, `worker_0`, …; "" for what concerns the whole process. */
  readonly thread: string;
  /** `THREAD#INCARNATION`; "" when no VM is concerned. Each kind of VM counts for itself: a name is one plugin's. */
  readonly vm: string;
  /** `plugin_name`; "" when no plugin is concerned. */
  readonly plugin: string;
  /** The context the callback is for; 0 when none. */
  readonly context: number;
}

export interface TraceEvent extends TraceSubject {
  /** Position in the trace, from 1. */
  readonly n: number;
  /** Nanoseconds since the start of the run (a safe integer: 104 days). */
  readonly atNs: number;
  /** The guests' monotonic clock. */
  readonly monoNs: bigint;
  readonly event: TraceEventKind;
  readonly name: string;
  readonly args: TraceArgs;
  /** A status name ("Ok", "CasMismatch", "applied" …), or null where there is none. */
  readonly status: string | null;
  readonly result: TraceValue;
}
