/** What a strategy is asked before each step. */
export interface Turn {
  /** What can happen, as a mask that is not empty. */
  readonly enabled: number;
  /** The present state; to be read only, and only now. */
  readonly state: Int32Array;
  /** Steps made in this schedule. */
  readonly length: number;
  /** The choice made before; −1 at the beginning. */
  readonly previous: number;
}

/** Draws up schedules one after the other, a choice at a time. `runSchedules` runs it. */
export interface Strategy {
  readonly name: string;
  /** The seed of its chance; null where it has none. */
  readonly seed: number | null;

  /** Begins a schedule, numbered from 0; false when there is no such schedule. */
  begin(schedule: number): boolean;

  /** One of the choices that can happen; −1 ends the schedule here. */
  next(turn: Turn): number;

  /** Nothing can happen after so many steps; asked only where `next` would have been. */
  ended?(length: number): void;
}
