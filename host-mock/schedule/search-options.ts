import { exclude, requireCount } from "./options.ts";
import type { LimitOptions } from "./limits.ts";
import type { PreemptionOptions } from "./preemptions.ts";

/** Bounds and reductions of a search through every schedule. */
export interface SearchOptions extends LimitOptions, PreemptionOptions {
  /** Whether equal states are looked at once; default true. Without it every schedule is run, and counted. */
  readonly merging?: boolean;
  /** Whether states that are equal up to the names of agents count as equal; default false. Needs merging. */
  readonly symmetry?: boolean;
  /**
   * Whether steps are left out that only swap independent neighbours of a schedule seen elsewhere; default false. All
   * states are still seen, and schedules go on beyond violations. The world's `independent` must then hold for verdicts
   * too: a step that commutes with another violates the same before and after it, what the state after both shows aside.
   * Not together with `preemptions`: of two schedules that are equal but for their order, one may be within the bound.
   */
  readonly sleepSets?: boolean;
  /** Whether the first violation ends the search; default true. Else violating states are counted by property. */
  readonly stopAtViolation?: boolean;
  /** Whether to go on from violating states too; default false. */
  readonly beyondViolations?: boolean;
  /** Distinct states; default: no bound. Needs merging. */
  readonly maxStates?: number;
  /** Memory for states; default: no bound. Asked every few thousand steps. Needs merging. */
  readonly maxBytes?: number;
  /** How long a schedule may be where states are not merged; default 10,000. */
  readonly maxDepth?: number;
}

/** E_OPTION for options that are wrong, alone or together. */
export function requireSearchOptions(options: SearchOptions): void {
  requireCount("maxStates", options.maxStates, 1);
  requireCount("maxBytes", options.maxBytes, 1);
  requireCount("maxDepth", options.maxDepth, 1);
  if (options.sleepSets === true && options.preemptions !== undefined)
    exclude("sleepSets", "preemptions", "a sleeping step may be the one within the bound");
  if (options.merging !== false) return;
  if (options.symmetry === true)
    exclude("symmetry", "merging: false", "without merging nothing is compared");
  for (const bound of ["maxStates", "maxBytes"] as const) {
    if (options[bound] !== undefined)
      exclude(bound, "merging: false", "without merging no states are kept");
  }
}
