import { Random } from "../random.ts";
import { countOfChoices, nthChoice } from "./choice-mask.ts";
import { requireCount } from "./options.ts";
import type { Strategy, Turn } from "./strategy.ts";
import type { World } from "./world.ts";

export interface PctOptions {
  /** How many orderings a bug may need; one less is the number of priority changes in a schedule. Default 3. */
  readonly depth?: number;
}

/**
 * Probabilistic concurrency testing: Burckhardt, Kothari, Musuvathi and Nagarakatte, "A randomized scheduler with
 * probabilistic guarantees of finding bugs", ASPLOS 2010. Who may act is ordered by random priorities, the highest that
 * can go on acts, and at `depth − 1` random steps the one about to act falls below all others. A bug that needs `depth`
 * orderings is found by a schedule with a probability of at least 1 / (n · k^(depth − 1)), for n that act and k steps.
 *
 * Where this differs: each choice of the surroundings (time, a fault) acts as an agent of its own, with a priority. An
 * agent with several choices draws one evenly. The number of steps k is not given: it is the length of the longest
 * schedule so far, and the first schedule has no priority changes, it measures.
 */
export class Pct implements Strategy {
  readonly name = "pct";
  readonly seed: number;
  readonly #depth: number;
  /** The choices of each that acts. */
  readonly #actors: readonly number[];
  #random: Random;
  /** Of each that acts; the highest acts first. */
  #priorities: number[] = [];
  /** Steps at which a priority changes → the new priority, 0 … depth − 2. */
  #changes = new Map<number, number>();
  #stepsMax = 0;

  constructor(world: World, seed: number, options: PctOptions = {}) {
    requireCount("depth", options.depth, 1);
    this.seed = seed;
    this.#depth = options.depth ?? 3;
    this.#actors = actorsOf(world);
    this.#random = new Random(seed, "pct");
  }

  begin(schedule: number): boolean {
    this.#random = new Random(this.seed, "pct", String(schedule));
    const count = this.#actors.length;
    this.#priorities = shuffled(count, this.#random).map((place) => place + this.#depth - 1);
    this.#changes.clear();
    const changeCount = Math.min(this.#depth - 1, this.#stepsMax);
    for (let priority = 0; priority < changeCount;) {
      const step = this.#random.below(this.#stepsMax);
      if (!this.#changes.has(step)) this.#changes.set(step, priority++);
    }
    return true;
  }

  next({ enabled, length }: Turn): number {
    this.#stepsMax = Math.max(this.#stepsMax, length + 1);
    const change = this.#changes.get(length);
    if (change !== undefined) this.#priorities[this.#highest(enabled)] = change;
    const possible = enabled & this.#actors[this.#highest(enabled)]!;
    return nthChoice(possible, this.#random.below(countOfChoices(possible)));
  }

  #highest(enabled: number): number {
    let highest = -1;
    this.#actors.forEach((choices, actor) => {
      if ((enabled & choices) === 0) return;
      if (highest < 0 || this.#priorities[actor]! > this.#priorities[highest]!) highest = actor;
    });
    return highest;
  }
}

function actorsOf(world: World): number[] {
  const agents = Array.from({ length: world.agentCount }, () => 0);
  const others: number[] = [];
  for (let choice = 0; choice < world.choiceCount; choice++) {
    const agent = world.agentOf(choice);
    if (agent < 0) others.push(1 << choice);
    else agents[agent]! |= 1 << choice;
  }
  return [...agents, ...others];
}

/** 0 … count − 1 in random order, each order as likely (Fisher and Yates). */
function shuffled(count: number, random: Random): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let last = count - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}
