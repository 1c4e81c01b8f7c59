import type { StepView } from "./world.ts";

/**
 * Why a search ended before it had seen everything it was asked for. `depth`: a schedule was longer than the bound;
 * `shard`: the results of some shards are missing.
 */
export type CutBy =
  "states" | "steps" | "schedules" | "time" | "memory" | "violation" | "depth" | "shard";

/** What a strategy found; all of them answer in this form. */
export interface SearchResult {
  readonly strategy: string;
  readonly seed: number | null;
  /** Schedules run to their end; null where states are merged, which has no schedules to count. */
  readonly schedules: number | null;
  /** Distinct states; null where they are not counted. */
  readonly states: number | null;
  readonly steps: number;
  /** The longest path from the beginning. */
  readonly depth: number;
  /** Everything within the bounds was seen. */
  readonly complete: boolean;
  readonly cutBy: CutBy | null;
  /** How many states (or steps, where states are not counted) violate each property, by its name. */
  readonly violations: Readonly<Record<string, number>>;
  /** Goals never reached, by name: a complete search with one of them proves nothing. */
  readonly missed: readonly string[];
  /** The first violation found; null when there is none. */
  readonly violation: Violation | null;
  /** Which part of a search over several machines this is; absent where it is a whole one. */
  readonly shard?: ShardInfo;
  /** Joined from shards, which overlap: `states`, `steps` and `violations` are upper bounds. */
  readonly isUpperBound?: boolean;
}

/** What a shard has in common with the others of its search, and by what they know each other. */
export interface ShardInfo {
  /** 1 … count. */
  readonly index: number;
  readonly count: number;
  /** States at which the search was split; null when it was cut before. */
  readonly frontierCount: number | null;
  /** What was searched, as text: results of different searches cannot be joined. */
  readonly fingerprint: string;
  /** What every shard counted before the split, the frontier's states included. */
  readonly common: ShardCounts;
}

export interface ShardCounts {
  readonly states: number;
  readonly steps: number;
  readonly violations: Readonly<Record<string, number>>;
}

export interface Violation {
  readonly property: string;
  /** Choices from the beginning to it. */
  readonly schedule: readonly number[];
  /** The schedule as text that `replay` takes: `main*3 worker_0*2 time`. */
  readonly text: string;
  readonly steps: readonly StepView[];
  /** How many schedules the shrinking tried; 0 where none was needed. */
  readonly shrinkCount: number;
}
