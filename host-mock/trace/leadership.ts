/** How a leadership ended. `running`: it had not when the run ended. */
export type LeadershipEnd =
  | "crashed"
  | "trapped"
  | "released"
  | "replaced"
  | "vanished"
  | "expired"
  | "fenced"
  | "superseded"
  | "error"
  | "running";

/** What tells who led: the SDK's log lines, or the lease record that wasm-go's plugins write. */
export type WitnessKind = "log" | "lease";

/** One context's right to act: the half-open interval [fromNs, untilNs), nanoseconds since the start of the run. */
export interface Leadership {
  readonly thread: string;
  /** `THREAD#INCARNATION` */
  readonly vm: string;
  readonly plugin: string;
  /** The root context. */
  readonly context: number;
  /** What the leader calls itself: the SDK's id of the context, or the lease's vmID. */
  readonly id: string;
  /** The fencing token; null with the lease witness, which has none. */
  readonly term: bigint | null;
  readonly fromNs: number;
  readonly untilNs: number;
  readonly end: LeadershipEnd;
}

/** A context's claim of a leadership, or its stop, as its elector tells it. */
export interface Turn {
  readonly kind: "claim" | "stop";
  readonly thread: string;
  readonly vm: string;
  readonly plugin: string;
  /** The root context. */
  readonly context: number;
  readonly term: bigint | null;
  readonly atNs: number;
}

/** What a line or a set says of its own context. */
export type WitnessStatement =
  | {
      readonly kind: "claim" | "renew";
      readonly id: string;
      readonly term: bigint | null;
      readonly sinceNs: number;
      readonly untilNs: number;
    }
  | { readonly kind: "stop"; readonly term: bigint | null; readonly reason: LeadershipEnd };
