/**
 * How the parts of the host ask for something to happen later. The order within one instant is the class, then
 * the tie, then the order of asking.
 */
import type { EventClassCode, EventHandle } from "../time/event-queue.ts";

/** A thread's loop: while it stands still, what is for it waits. */
export interface Lane {
  readonly name: string;
  readonly isPaused: boolean;
}

/** Something due. One object may be scheduled again and again, but not twice at a time. */
export interface DueEvent {
  /** Whose loop runs it; null: nobody's, it happens whatever stands still. */
  readonly lane: Lane | null;
  readonly class: EventClassCode;
  run(): void;
}

export interface Scheduler {
  readonly nowNs: number;
  /** In an order drawn by the seed among equals of its class, or by `tie`, low first. */
  schedule(event: DueEvent, dueNs: number, tie?: number): EventHandle<DueEvent>;
  /** What was scheduled does not happen, unless its loop stood still when it was due: then it has moved. */
  cancel(scheduled: EventHandle<DueEvent>): void;
}

/** A tie before everything of its class that was drawn; equal ones run in the order of asking. */
export const FIRST_TIE = -1;
