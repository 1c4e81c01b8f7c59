import { requireCount } from "./options.ts";
import type { Violation } from "./result.ts";
import { violationOf } from "./violation.ts";
import { Walk } from "./walk.ts";
import type { World } from "./world.ts";

export interface ShrinkOptions {
  /** Schedules to try at most; default 5,000. */
  readonly maxTries?: number;
  /** Asked before each try; true leaves it at what was reached. */
  readonly shouldStop?: () => boolean;
}

/**
 * A shorter and simpler violation of the same property, by trying: what is simpler has fewer steps; of equally many,
 * fewer of time and faults; of these, fewer switches from one agent to another. `shrinkCount` grows by the tries.
 *
 * A try leaves out or moves some choices; those that cannot happen then are skipped. The result is what is simplest
 * near the given schedule, not of all: only a breadth-first search finds the shortest there is.
 */
export function shrunkViolation(
  world: World,
  violation: Violation,
  options: ShrinkOptions = {},
): Violation {
  requireCount("maxTries", options.maxTries, 0);
  const bit = 1 << world.properties.indexOf(violation.property);
  const shrinking = new Shrinking(world, bit, violation.schedule, options);
  shrinking.run();
  return violationOf(world, shrinking.best, bit, violation.shrinkCount + shrinking.tries);
}

/** Each less than before is simpler, the first that differs counts. */
type Cost = readonly [steps: number, surroundings: number, switches: number];

class Shrinking {
  best: readonly number[];
  tries = 0;
  readonly #world: World;
  readonly #bit: number;
  readonly #walk: Walk;
  readonly #triesMax: number;
  readonly #shouldStop: () => boolean;
  #cost: Cost;
  #isOver = false;

  constructor(world: World, bit: number, schedule: readonly number[], options: ShrinkOptions) {
    this.#world = world;
    this.#bit = bit;
    this.#walk = new Walk(world);
    this.#triesMax = options.maxTries ?? 5000;
    this.#shouldStop = options.shouldStop ?? (() => false);
    this.best = schedule;
    this.#cost = this.#costOf(schedule);
  }

  run(): void {
    let before: readonly number[];
    do {
      before = this.best;
      this.#dropSurroundings();
      this.#dropChunks();
      this.#joinBlocks();
    } while (this.best !== before && !this.#isOver);
  }

  /** All occurrences of one choice of the surroundings at once: whole kinds of faults. */
  #dropSurroundings(): void {
    for (let choice = 0; choice < this.#world.choiceCount; choice++) {
      if (this.#world.agentOf(choice) >= 0 || !this.best.includes(choice)) continue;
      this.#try(this.best.filter((other) => other !== choice));
    }
  }

  /** Halves, quarters … single steps, from the end: what comes late is needed least. */
  #dropChunks(): void {
    for (let size = this.best.length >> 1; size >= 1; size >>= 1) {
      for (let end = this.best.length; end > 0 && !this.#isOver;) {
        const from = Math.max(0, end - size);
        this.#try([...this.best.slice(0, from), ...this.best.slice(end)]);
        end = Math.min(from, this.best.length);
      }
    }
  }

  /** Moves a block of one agent's steps to that agent's block before it, or that one to it. */
  #joinBlocks(): void {
    for (let later = 2; later < this.#blocks().length && !this.#isOver; later++) {
      const blocks = this.#blocks();
      const agent = this.#agentOf(blocks[later]![0]!);
      const earlier = blocks.findLastIndex(
        (block, at) => at < later && this.#agentOf(block[0]!) === agent,
      );
      if (earlier < 0 || earlier === later - 1) continue;
      const before = blocks.slice(0, earlier);
      const between = blocks.slice(earlier + 1, later);
      const after = blocks.slice(later + 1);
      const both = [...blocks[earlier]!, ...blocks[later]!];
      const isJoined =
        this.#try([...before, both, ...between, ...after].flat()) ||
        this.#try([...before, ...between, both, ...after].flat());
      if (isJoined) later = 1;
    }
  }

  /** Runs of steps of one agent; each choice of the surroundings is an agent of its own here. */
  #blocks(): number[][] {
    const blocks: number[][] = [];
    for (const choice of this.best) {
      const block = blocks.at(-1);
      if (block !== undefined && this.#agentOf(block[0]!) === this.#agentOf(choice))
        block.push(choice);
      else blocks.push([choice]);
    }
    return blocks;
  }

  #agentOf(choice: number): number {
    const agent = this.#world.agentOf(choice);
    return agent >= 0 ? agent : -1 - choice;
  }

  /** Takes the candidate when it violates the property and is simpler. */
  #try(candidate: readonly number[]): boolean {
    if (this.#isOver) return false;
    if (this.tries >= this.#triesMax || this.#shouldStop()) {
      this.#isOver = true;
      return false;
    }
    this.tries++;
    const taken = this.#violating(candidate);
    if (taken === null) return false;
    const cost = this.#costOf(taken);
    if (!isBelow(cost, this.#cost)) return false;
    this.best = taken;
    this.#cost = cost;
    return true;
  }

  /** The choices that could happen, up to the violation; null when there is none. */
  #violating(candidate: readonly number[]): number[] | null {
    const walk = this.#walk;
    const taken: number[] = [];
    walk.restart();
    for (const choice of candidate) {
      if ((walk.enabled & (1 << choice)) === 0) continue;
      taken.push(choice);
      if ((walk.take(choice) & this.#bit) !== 0) return taken;
    }
    return (walk.judgeEnd() & this.#bit) !== 0 ? taken : null;
  }

  #costOf(schedule: readonly number[]): Cost {
    let surroundings = 0;
    let switches = 0;
    schedule.forEach((choice, at) => {
      if (this.#world.agentOf(choice) < 0) surroundings++;
      if (at > 0 && this.#agentOf(schedule[at - 1]!) !== this.#agentOf(choice)) switches++;
    });
    return [schedule.length, surroundings, switches];
  }
}

function isBelow(one: Cost, other: Cost): boolean {
  const differs = one.findIndex((part, at) => part !== other[at]);
  return differs >= 0 && one[differs]! < other[differs]!;
}
