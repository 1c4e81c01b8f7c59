import { lowestChoice } from "./choice-mask.ts";
import { Findings } from "./findings.ts";
import { Limits } from "./limits.ts";
import { Preemptions } from "./preemptions.ts";
import type { SearchResult } from "./result.ts";
import { requireSearchOptions, type SearchOptions } from "./search-options.ts";
import { violationOf } from "./violation.ts";
import type { World } from "./world.ts";

const depthMaxDefault = 10_000;

/** What is known of one state on the present path. */
interface Level {
  readonly state: Int32Array;
  enabled: number;
  /** Choices still to be taken from here. */
  rest: number;
  asleep: number;
  used: number;
  /** The choice under way. */
  choice: number;
}

/**
 * Every schedule, depth first, each from its beginning to its end: the plain enumeration that says what merging saves.
 * A schedule ends where nothing can happen, and at a violation unless the search goes beyond.
 *
 * With sleep sets one schedule of each class is run that differ only in the order of independent neighbours; a path on
 * which everything that can happen sleeps is no schedule, since another one has its steps.
 */
export class Enumeration {
  readonly #world: World;
  readonly #options: SearchOptions;
  readonly #limits: Limits;
  readonly #findings: Findings;
  readonly #preemptions: Preemptions | null;
  readonly #goesBeyond: boolean;
  readonly #depthMax: number;
  readonly #levels: Level[] = [];
  #last = 0;
  #schedules = 0;
  #depth = 0;
  #found: { schedule: number[]; violated: number } | null = null;

  constructor(world: World, options: SearchOptions) {
    requireSearchOptions(options);
    this.#world = world;
    this.#options = options;
    this.#depthMax = options.maxDepth ?? depthMaxDefault;
    this.#goesBeyond = options.beyondViolations === true || options.sleepSets === true;
    this.#preemptions = options.preemptions === undefined ? null : new Preemptions(world, options);
    this.#findings = new Findings(world);
    this.#limits = new Limits(options, () => ({
      states: null,
      schedules: this.#schedules,
      depth: this.#last,
    }));
  }

  run(): SearchResult {
    const first = this.#level(0);
    this.#world.begin(first.state, 0);
    first.used = 0;
    this.#enter(first, 0);
    while (this.#last >= 0 && this.#limits.cutBy === null) this.#goOn(this.#levels[this.#last]!);
    return this.#result();
  }

  /** The next step from the path's last state, or one back. */
  #goOn(level: Level): void {
    if (level.rest === 0) {
      this.#last--;
      return;
    }
    const choice = lowestChoice(level.rest);
    level.rest &= level.rest - 1;
    const used = this.#preemptions?.after(level.used, choice, level.enabled) ?? 0;
    if (used < 0) return;
    if (this.#last === this.#depthMax) return this.#limits.cut("depth");
    if (!this.#limits.allowStep()) return;
    level.choice = choice;
    const { state } = level;
    const next = this.#level(this.#last + 1);
    const violated = this.#world.step(state, 0, choice, next.state, 0);
    const asleep =
      level.asleep === 0 ? 0 : level.asleep & this.#world.independent(state, 0, choice);
    if (this.#options.sleepSets === true) level.asleep |= 1 << choice;
    this.#last++;
    this.#depth = Math.max(this.#depth, this.#last);
    next.used = this.#preemptions?.settled(used, next.state, 0) ?? 0;
    if (violated !== 0 && this.#find(violated)) {
      this.#findings.reach(this.#world.reached(next.state, 0));
      this.#schedules++;
      this.#last--;
      return;
    }
    this.#enter(next, asleep);
  }

  #enter(level: Level, asleep: number): void {
    const { state } = level;
    this.#findings.reach(this.#world.reached(state, 0));
    level.enabled = this.#world.choices(state, 0);
    level.asleep = asleep;
    level.rest = level.enabled & ~asleep;
    if (level.enabled !== 0) return;
    this.#schedules++;
    const violated = this.#world.judgeEnd(state, 0);
    if (violated !== 0) this.#find(violated);
  }

  /** Counts a violation and keeps the shortest; true when the schedule ends there. */
  #find(violated: number): boolean {
    this.#findings.count(violated);
    if (this.#found === null || this.#last < this.#found.schedule.length) {
      const schedule = this.#levels.slice(0, this.#last).map(({ choice }) => choice);
      this.#found = { schedule, violated };
    }
    if (this.#options.stopAtViolation === false) return !this.#goesBeyond;
    this.#limits.cut("violation");
    return true;
  }

  #level(depth: number): Level {
    return (this.#levels[depth] ??= {
      state: new Int32Array(this.#world.stateSize),
      ...{ enabled: 0, rest: 0, asleep: 0, used: 0, choice: 0 },
    });
  }

  #result(): SearchResult {
    const { cutBy, steps } = this.#limits;
    const found = this.#found;
    return {
      strategy: "exhaustive",
      seed: null,
      schedules: this.#schedules,
      states: null,
      steps,
      depth: this.#depth,
      complete: cutBy === null,
      cutBy,
      violations: this.#findings.violations,
      missed: this.#findings.missed,
      violation: found === null ? null : violationOf(this.#world, found.schedule, found.violated),
    };
  }
}
