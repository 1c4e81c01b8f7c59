import { lowestChoice } from "./choice-mask.ts";
import { Findings } from "./findings.ts";
import { Limits } from "./limits.ts";
import { Preemptions } from "./preemptions.ts";
import { realSchedule } from "./real-schedule.ts";
import { RecordList } from "./record-list.ts";
import type { SearchResult, ShardCounts } from "./result.ts";
import { requireSearchOptions, type SearchOptions } from "./search-options.ts";
import { StateStore } from "./state-store.ts";
import { violationOf } from "./violation.ts";
import type { World } from "./world.ts";

const choiceMask = 31;
/** In the list of states to expand next. */
const isQueued = 32;
/** Reached by violating steps only, and not expanded for that. */
const isWithheld = 64;
const judgedAtEnd = -1;

/** Where the words of a record are, behind the state's numbers. */
interface RecordLayout {
  /** Preemptions used; a part of the key. */
  readonly used: number;
  readonly keySize: number;
  readonly parent: number;
  /** The choice that led from the parent, and marks. */
  readonly choice: number;
  readonly asleep: number;
  /** Choices taken from here so far. */
  readonly taken: number;
  readonly violated: number;
  readonly size: number;
}

interface Found {
  readonly from: number;
  /** `judgedAtEnd`: the state itself. */
  readonly choice: number;
  readonly violated: number;
  readonly length: number;
}

/**
 * Breadth-first search in which equal states are one, so that the first violation is a shortest one. It goes level by
 * level: all states of one distance from the beginning, then those one step further.
 *
 * Sleep sets are those of Godefroid, "Partial-order methods for the verification of concurrent systems", LNCS 1032,
 * 1996, chapter 5, with the mask kept in the state: a state reached again with a smaller mask is expanded again, by the
 * choices that slept before and do not now. There the search is depth-first; docs/internals/search.md says why the order
 * does not matter, and why levels keep the first violation a shortest one.
 */
export class BreadthFirst {
  readonly #world: World;
  readonly #layout: RecordLayout;
  readonly #store: StateStore;
  readonly #limits: Limits;
  readonly #findings: Findings;
  readonly #preemptions: Preemptions | null;
  readonly #maxStates: number;
  readonly #hasSymmetry: boolean;
  readonly #hasSleep: boolean;
  readonly #doesStop: boolean;
  readonly #goesBeyond: boolean;
  #frontier = new RecordList();
  #next = new RecordList();
  #level = 0;
  #depth = 0;
  #found: Found | null = null;

  constructor(world: World, options: SearchOptions) {
    requireSearchOptions(options);
    this.#world = world;
    this.#hasSymmetry = options.symmetry === true && world.renamingCount > 1;
    this.#hasSleep = options.sleepSets === true;
    this.#doesStop = options.stopAtViolation !== false;
    this.#goesBeyond = options.beyondViolations === true || this.#hasSleep;
    this.#maxStates = options.maxStates ?? Infinity;
    this.#preemptions = options.preemptions === undefined ? null : new Preemptions(world, options);
    this.#layout = layoutOf(world, options);
    this.#store = new StateStore(this.#layout.keySize, this.#layout.size);
    this.#findings = new Findings(world);
    this.#limits = new Limits(this.#bounded(options), () => ({
      states: this.#store.count,
      schedules: null,
      depth: this.#level,
    }));
    this.#begin();
  }

  /** Nothing is left to expand, or the search was cut off. */
  get isOver(): boolean {
    return this.#frontier.length === 0 || this.#limits.cutBy !== null;
  }

  get frontierCount(): number {
    return this.#frontier.length;
  }

  get sizeBytes(): number {
    return this.#store.sizeBytes;
  }

  get counts(): ShardCounts {
    const { steps } = this.#limits;
    return { states: this.#store.count, steps, violations: this.#findings.violations };
  }

  /** Expands all states of the present distance. */
  advance(): void {
    const countBefore = this.#store.count;
    for (let i = 0; i < this.#frontier.length && this.#limits.cutBy === null; i++)
      this.#expand(this.#frontier.at(i));
    if (this.#store.count > countBefore) this.#depth = this.#level + 1;
    if (this.#found !== null && this.#doesStop) {
      this.#depth = Math.max(this.#depth, this.#found.length);
      this.#limits.cutBy = "violation";
    }
    [this.#frontier, this.#next] = [this.#next, this.#frontier];
    this.#next.clear();
    this.#level++;
  }

  /** Leaves of the states to expand next every `count`-th, from the one at `index` on; others expand the rest. */
  keepShare(index: number, count: number): void {
    const { choice, asleep, taken } = this.#layout;
    for (let i = 0; i < this.#frontier.length; i++) {
      const record = this.#frontier.at(i);
      if (i % count === index) {
        this.#next.push(record);
        continue;
      }
      const state = this.#store.chunkOf(record);
      const at = this.#store.offsetOf(record);
      state[at + choice]! &= ~isQueued;
      if (this.#hasSleep)
        state[at + taken]! |= this.#world.choices(state, at) & ~state[at + asleep]!;
    }
    [this.#frontier, this.#next] = [this.#next, this.#frontier];
    this.#next.clear();
  }

  result(): SearchResult {
    const { cutBy } = this.#limits;
    const found = this.#found;
    return {
      strategy: "exhaustive",
      seed: null,
      schedules: null,
      ...this.counts,
      depth: this.#depth,
      complete: cutBy === null && this.#frontier.length === 0,
      cutBy,
      missed: this.#findings.missed,
      violation:
        found === null ? null : violationOf(this.#world, this.#schedule(found), found.violated),
    };
  }

  #bounded(options: SearchOptions): SearchOptions {
    const { maxBytes = Infinity, shouldStop } = options;
    const ask = (): boolean => {
      if (this.#store.sizeBytes > maxBytes) this.#limits.cut("memory");
      return shouldStop?.() === true;
    };
    return { ...options, shouldStop: ask };
  }

  #begin(): void {
    const state = this.#store.chunkOf(0);
    this.#world.begin(state, 0);
    if (this.#hasSymmetry) this.#world.canonicalize(state, 0);
    if (this.#preemptions !== null) state[this.#layout.used] = 0;
    this.#store.find();
    this.#keep(state, 0, -1, 0);
    this.#queue(state, 0, 0, 0);
    [this.#frontier, this.#next] = [this.#next, this.#frontier];
  }

  #expand(record: number): void {
    const state = this.#store.chunkOf(record);
    const at = this.#store.offsetOf(record);
    const enabled = this.#world.choices(state, at);
    if (enabled === 0) return this.#judgeEnd(record, state, at);
    // What remains of a level that has a violation behind it may have one in itself, which is shorter by a step.
    if (this.#found !== null && this.#doesStop) return;
    if (!this.#hasSleep) {
      for (let rest = enabled; rest !== 0; rest &= rest - 1)
        this.#take(record, state, at, lowestChoice(rest), enabled, 0);
      return;
    }
    const { choice, asleep, taken } = this.#layout;
    state[at + choice]! &= ~isQueued;
    let sleeping = state[at + asleep]!;
    const awake = enabled & ~sleeping & ~state[at + taken]!;
    state[at + taken]! |= awake;
    for (let rest = awake; rest !== 0; rest &= rest - 1) {
      const next = lowestChoice(rest);
      const passed = sleeping === 0 ? 0 : sleeping & this.#world.independent(state, at, next);
      this.#take(record, state, at, next, enabled, passed);
      sleeping |= 1 << next;
    }
  }

  /** Makes one step from a record's state and looks up where it leads; `passed` sleeps there. */
  #take(
    from: number,
    state: Int32Array,
    at: number,
    choice: number,
    enabled: number,
    passed: number,
  ): void {
    const world = this.#world;
    const store = this.#store;
    let used = 0;
    if (this.#preemptions !== null) {
      used = this.#preemptions.after(state[at + this.#layout.used]!, choice, enabled);
      if (used < 0) return;
    }
    if (!this.#limits.allowStep()) return;
    const into = store.chunkOf(store.count);
    const intoAt = store.offsetOf(store.count);
    const violated = world.step(state, at, choice, into, intoAt);
    if (violated !== 0 && this.#find(from, choice, violated, this.#level + 1)) return;
    if (this.#preemptions !== null) used = this.#preemptions.settled(used, into, intoAt);
    const renaming = this.#hasSymmetry ? world.canonicalize(into, intoAt) : 0;
    if (this.#preemptions !== null)
      into[intoAt + this.#layout.used] = this.#preemptions.renamed(used, renaming);
    const known = store.find();
    if (known < 0 && store.count >= this.#maxStates) return this.#limits.cut("states");
    const record = known < 0 ? this.#keep(into, intoAt, from, choice) : known;
    if (violated !== 0) this.#count(record, violated);
    const slept = renaming === 0 || passed === 0 ? passed : world.renamedChoices(passed, renaming);
    if (known < 0) this.#arrive(into, intoAt, record, slept, violated);
    else this.#arriveAgain(record, slept, violated);
  }

  #keep(state: Int32Array, at: number, parent: number, choice: number): number {
    state[at + this.#layout.parent] = parent;
    state[at + this.#layout.choice] = choice;
    if (!this.#doesStop) state[at + this.#layout.violated] = 0;
    this.#findings.reach(this.#world.reached(state, at));
    return this.#store.keep();
  }

  #arrive(state: Int32Array, at: number, record: number, slept: number, violated: number): void {
    if (violated === 0 || this.#goesBeyond) this.#queue(state, at, record, slept);
    else state[at + this.#layout.choice]! |= isWithheld;
  }

  #queue(state: Int32Array, at: number, record: number, slept: number): void {
    this.#next.push(record);
    if (!this.#hasSleep) return;
    const { choice, asleep, taken } = this.#layout;
    state[at + choice]! |= isQueued;
    state[at + asleep] = slept;
    state[at + taken] = 0;
  }

  #arriveAgain(record: number, slept: number, violated: number): void {
    if (!this.#hasSleep && (violated !== 0 || this.#doesStop)) return;
    const state = this.#store.chunkOf(record);
    const at = this.#store.offsetOf(record);
    const { choice, asleep } = this.#layout;
    if (!this.#hasSleep) {
      if ((state[at + choice]! & isWithheld) === 0) return;
      state[at + choice]! &= ~isWithheld;
      this.#next.push(record);
      return;
    }
    const before = state[at + asleep]!;
    if ((before & ~slept) === 0) return;
    state[at + asleep] = before & slept;
    if ((state[at + choice]! & isQueued) !== 0) return;
    state[at + choice]! |= isQueued;
    this.#next.push(record);
  }

  #judgeEnd(record: number, state: Int32Array, at: number): void {
    const violated = this.#world.judgeEnd(state, at);
    if (violated === 0 || this.#find(record, judgedAtEnd, violated, this.#level)) return;
    this.#count(record, violated);
  }

  /** Remembers the shortest violation; true when it ends the search. */
  #find(from: number, choice: number, violated: number, length: number): boolean {
    if (this.#found === null || length < this.#found.length) {
      this.#found = { from, choice, violated, length };
      if (this.#doesStop) this.#findings.restart(violated);
    }
    return this.#doesStop;
  }

  /** Counts a state once for each property. */
  #count(record: number, violated: number): void {
    const state = this.#store.chunkOf(record);
    const word = this.#store.offsetOf(record) + this.#layout.violated;
    this.#findings.count(violated & ~state[word]!);
    state[word]! |= violated;
  }

  #schedule(found: Found): number[] {
    const path: number[] = found.choice === judgedAtEnd ? [] : [found.choice];
    for (let record = found.from; record > 0;) {
      const state = this.#store.chunkOf(record);
      const at = this.#store.offsetOf(record);
      path.push(state[at + this.#layout.choice]! & choiceMask);
      record = state[at + this.#layout.parent]!;
    }
    path.reverse();
    return this.#hasSymmetry ? realSchedule(this.#world, path) : path;
  }
}

function layoutOf(world: World, options: SearchOptions): RecordLayout {
  const used = world.stateSize;
  const keySize = options.preemptions === undefined ? used : used + 1;
  const choice = keySize + 1;
  const asleep = choice + 1;
  const taken = asleep + 1;
  const violated = options.sleepSets === true ? taken + 1 : asleep;
  const size = options.stopAtViolation === false ? violated + 1 : violated;
  return { used, keySize, parent: keySize, choice, asleep, taken, violated, size };
}
