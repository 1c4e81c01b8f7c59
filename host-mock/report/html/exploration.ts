/** A search over schedules as its report needs it; what a strategy answers fits, with a name and a place. */
export interface Exploration {
  readonly title: string;
  /** The scenario file, as the command was given it. */
  readonly file: string;
  readonly strategy: string;
  readonly seed: number | null;
  /** In words and numbers: `{ ticks: 3, time_steps: 2 }`. */
  readonly bounds: Readonly<Record<string, string | number>>;
  readonly vms: number;
  readonly schedules: number | null;
  readonly states: number | null;
  readonly steps: number;
  readonly depth: number;
  readonly complete: boolean;
  readonly cutBy: string | null;
  readonly seconds?: number;
  /** How many states or steps violate each property. */
  readonly violations: Readonly<Record<string, number>>;
  /** Goals that were never reached. */
  readonly missed: readonly string[];
  /** States first met at each depth, from 0. */
  readonly statesByDepth?: readonly number[];
  readonly violation: Counterexample | null;
  /** The line that runs the counterexample again. */
  readonly replay?: string;
}

export interface Counterexample {
  readonly property: string;
  /** The schedule as `replay` takes it. */
  readonly text: string;
  readonly steps: readonly ExplorationStep[];
}

/** One step in the words of `schedule/world.ts`. */
export interface ExplorationStep {
  /** "" for time and faults that concern nobody alone. */
  readonly vm: string;
  readonly call: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly status: string | null;
  readonly result: unknown;
  /** `main`, or `main` and its term in whatever form. */
  readonly leaders: readonly string[];
}
