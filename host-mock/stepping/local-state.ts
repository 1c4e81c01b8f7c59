import type { Snapshot } from "../vm/snapshots.ts";
import type { Answer, Op } from "./op.ts";

/** What a guest's witness lines say at some point: it may act until then. */
export interface Promised {
  readonly id: string;
  /** null with the lease witness, which has none. */
  readonly term: bigint | null;
  readonly untilMs: number;
}

/** Where a guest stands. */
export type LocalKind =
  /** Between two callbacks. */
  | "waiting"
  /** In a callback, before a host call. */
  | "calling"
  /** It has trapped. */
  | "trapped";

/**
 * One guest after one sequence of answers. A guest is a function of what it was answered, so its state is known by that
 * sequence and need never be computed twice.
 */
export interface LocalState {
  readonly number: number;
  readonly guest: number;
  readonly kind: LocalKind;
  /** Before the last answer; null at the beginning. */
  readonly before: LocalState | null;
  readonly answer: Answer;
  /** The host call it stands before, while calling. */
  readonly op: Op | null;
  /** The state in which the running callback began; while waiting, itself. */
  readonly origin: LocalState;
  /** While waiting: what its memory holds; null: as after start-up. */
  readonly snapshot: Snapshot | null;
  /** Ticks begun. */
  readonly tickCount: number;
  /** While waiting: when the timer is due, a period after the last instant read, ms; Infinity without one. */
  readonly dueMs: number;
  readonly periodMs: number;
  readonly drawCount: number;
  readonly tokenCount: number;
  /** The last instant it was told. */
  readonly readMs: number;
  readonly promised: Promised | null;
  /** A leadership began in the step that led here, with this term; undefined: none did. */
  readonly claimed: bigint | null | undefined;
  /** Rules that the step that led here has broken, as a mask of `LocalBreach`. */
  readonly breaches: number;
  /** Number of its kin: states that differ by nothing but the names of guests have the same. */
  readonly kin: number;
  /** Guests in the order in which this one has met their names, itself first. */
  readonly met: readonly number[];
  /** What follows on one answer; nearly all states have one successor, or none. */
  onlyAnswer: Answer;
  onlyNext: LocalState | null;
  /** What follows on further answers. */
  moreNext: Map<Answer, LocalState> | null;
  /** The same state of other guests, by renaming. */
  twins: (LocalState | undefined)[] | null;
  /** Why it trapped; "" otherwise. */
  readonly trap: string;
  /** Lines logged in the step that led here. */
  readonly lines: readonly string[];
}

/** What a guest can do wrong on its own. */
export const LocalBreach = {
  trapped: 1,
  /** A claim while the last one had not been stopped, or a stop without a claim. */
  unpaired: 2,
} as const;
