/**
 * What a report's page hands to its script, as JSON: columns rather than objects, differences rather than values, so
 * that an hour of nine VMs fits into some hundred kilobytes. Times are whole units of `unitNs` since the start of the
 * run; columns marked Δ hold the difference to the entry before.
 */
export interface ReportData {
  readonly unitNs: number;
  /** The run's length. */
  readonly duration: number;
  readonly rows: readonly RowData[];
  readonly kinds: readonly ItemKind[];
  readonly items: ItemColumns;
  readonly texts: TextColumns;
  /** Null where the trace has no callbacks. */
  readonly callbacks: CallbackColumns | null;
}

/** One line of the picture, from top to bottom. */
export interface RowData {
  /** "run": what concerns all; "leader": who leads; "vm": a thread's VMs, one after the other; "key": shared data. */
  readonly kind: "run" | "leader" | "vm" | "key";
  readonly label: string;
}

/**
 * life: a VM's context; draining: an older one beside a younger; lead: a leadership; gap: nobody leads; double: two
 * lead; pause and band: stretches in which something is done to a VM; missed: a fault that did not happen; set and
 * unset: what a key holds from then on; mismatch: a set that was refused; violation: not as expected; expected: a
 * violation that was.
 */
export type ItemKind =
  | "life"
  | "draining"
  | "lead"
  | "gap"
  | "double"
  | "pause"
  | "band"
  | "crash"
  | "restart"
  | "trap"
  | "fault"
  | "missed"
  | "call"
  | "refused"
  | "request"
  | "config"
  | "log"
  | "warning"
  | "set"
  | "unset"
  | "mismatch"
  | "violation"
  | "expected";

/** In the order of their instants. */
export interface ItemColumns {
  /** Δ */
  readonly at: readonly number[];
  readonly length: readonly number[];
  /** −1: all rows. */
  readonly row: readonly number[];
  /** Index in `kinds`. */
  readonly kind: readonly number[];
  /** Number of the term that colours it; −1: none. */
  readonly tone: readonly number[];
  /** Index of the short text drawn on it; −1: none. */
  readonly label: readonly number[];
  /** Index of the sentence. */
  readonly text: readonly number[];
}

/**
 * Texts as patterns with numbers in them: witness lines differ in nothing else. A pattern has U+0001 for each number;
 * `numbers` has them text by text, each as the difference to the one in its place in the pattern's last text.
 */
export interface TextColumns {
  readonly patterns: readonly string[];
  readonly of: readonly number[];
  readonly numbers: readonly number[];
}

/** Callbacks that came at equal distances with the same calls are one entry. */
export interface CallbackColumns {
  /** Δ */
  readonly at: readonly number[];
  readonly row: readonly number[];
  /** Index in `names`. */
  readonly name: readonly number[];
  readonly period: readonly number[];
  readonly count: readonly number[];
  /** How long one of them took: 0 unless host calls cost time. */
  readonly length: readonly number[];
  /** Index in `sequences`. */
  readonly sequence: readonly number[];
  readonly names: readonly string[];
  /** Host calls in words: name, what it was about, status. */
  readonly calls: readonly string[];
  /** Indices in `calls`, in the order in which they were made. */
  readonly sequences: readonly (readonly number[])[];
}
