import { MockHostError } from "../errors.ts";
import { Findings } from "./findings.ts";
import { Limits, type LimitOptions } from "./limits.ts";
import { requireCount } from "./options.ts";
import type { SearchResult } from "./result.ts";
import { shrunkViolation } from "./shrink.ts";
import type { Strategy, Turn } from "./strategy.ts";
import { violationOf } from "./violation.ts";
import { Walk } from "./walk.ts";
import type { World } from "./world.ts";

/** Bounds of strategies that run one schedule after the other. */
export interface RunOptions extends LimitOptions {
  /** How many to run; default: as many as the strategy has. */
  readonly schedules?: number;
  /** How long one may be; default 10,000. A longer one is cut there, and the result says so. */
  readonly maxDepth?: number;
  /** Whether the first violation ends the run; default true. Else violating steps are counted by property. */
  readonly stopAtViolation?: boolean;
  /** Whether schedules go on behind a violation; default false. */
  readonly beyondViolations?: boolean;
  /** Whether the violation is made shorter and simpler; default true. */
  readonly shrink?: boolean;
}

const depthMaxDefault = 10_000;

/**
 * Runs a strategy's schedules. They are a sample, never everything: `complete` is false. A run that made all it was
 * asked for is cut by "schedules".
 */
export function runSchedules(
  world: World,
  strategy: Strategy,
  options: RunOptions = {},
): SearchResult {
  requireCount("schedules", options.schedules, 1);
  requireCount("maxDepth", options.maxDepth, 1);
  return new ScheduleRun(world, strategy, options).run();
}

class ScheduleRun {
  readonly #world: World;
  readonly #strategy: Strategy;
  readonly #options: RunOptions;
  readonly #limits: Limits;
  readonly #findings: Findings;
  readonly #walk: Walk;
  readonly #depthMax: number;
  #schedule: number[] = [];
  #schedules = 0;
  #depth = 0;
  #isTooLong = false;
  #found: { schedule: number[]; violated: number } | null = null;

  constructor(world: World, strategy: Strategy, options: RunOptions) {
    this.#world = world;
    this.#strategy = strategy;
    this.#options = options;
    this.#depthMax = options.maxDepth ?? depthMaxDefault;
    this.#findings = new Findings(world);
    this.#walk = new Walk(world);
    this.#limits = new Limits(options, () => ({
      states: null,
      schedules: this.#schedules,
      depth: this.#schedule.length,
    }));
  }

  run(): SearchResult {
    const { schedules = Infinity } = this.#options;
    while (this.#limits.cutBy === null && this.#schedules < schedules) {
      if (!this.#strategy.begin(this.#schedules)) break;
      this.#one();
      if (this.#limits.cutBy === null || this.#limits.cutBy === "violation") this.#schedules++;
    }
    this.#limits.cut(this.#isTooLong ? "depth" : "schedules");
    return this.#result();
  }

  #one(): void {
    const walk = this.#walk;
    this.#schedule = [];
    walk.restart();
    this.#findings.reach(walk.goals);
    for (;;) {
      const { enabled } = walk;
      if (enabled === 0) {
        this.#strategy.ended?.(walk.length);
        this.#judge(walk.judgeEnd());
        return;
      }
      if (walk.length === this.#depthMax) {
        this.#isTooLong = true;
        return;
      }
      const choice = this.#choose(enabled);
      if (choice < 0 || !this.#limits.allowStep()) return;
      this.#schedule.push(choice);
      const violated = walk.take(choice);
      this.#depth = Math.max(this.#depth, walk.length);
      this.#findings.reach(walk.goals);
      if (this.#judge(violated)) return;
    }
  }

  #choose(enabled: number): number {
    const { state, length } = this.#walk;
    const turn: Turn = { enabled, state, length, previous: this.#schedule.at(-1) ?? -1 };
    const choice = this.#strategy.next(turn);
    if (choice < 0 || (enabled & (1 << choice)) !== 0) return choice;
    const what = `${this.#strategy.name} chose ${choice}, which cannot happen`;
    throw new MockHostError("E_INTERNAL", what);
  }

  /** Counts a violation and keeps the shortest; true when the schedule ends there. */
  #judge(violated: number): boolean {
    if (violated === 0) return false;
    this.#findings.count(violated);
    if (this.#found === null || this.#schedule.length < this.#found.schedule.length)
      this.#found = { schedule: [...this.#schedule], violated };
    if (this.#options.stopAtViolation === false) return this.#options.beyondViolations !== true;
    this.#limits.cut("violation");
    return true;
  }

  #result(): SearchResult {
    const { cutBy, steps } = this.#limits;
    const found = this.#found;
    const violation =
      found === null ? null : violationOf(this.#world, found.schedule, found.violated);
    const { shouldStop, shrink } = this.#options;
    return {
      strategy: this.#strategy.name,
      seed: this.#strategy.seed,
      schedules: this.#schedules,
      states: null,
      steps,
      depth: this.#depth,
      complete: false,
      cutBy,
      violations: this.#findings.violations,
      missed: this.#findings.missed,
      violation:
        violation === null || shrink === false
          ? violation
          : shrunkViolation(this.#world, violation, shouldStop === undefined ? {} : { shouldStop }),
    };
  }
}
