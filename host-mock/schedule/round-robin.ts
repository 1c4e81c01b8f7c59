import { lowestChoice } from "./choice-mask.ts";
import { requireCount } from "./options.ts";
import type { Strategy, Turn } from "./strategy.ts";
import type { World } from "./world.ts";

export interface RoundRobinOptions {
  /** Steps of an agent before it is the next one's turn; default 1. */
  readonly turn?: number;
}

/**
 * One schedule: the agents take turns in the order of their numbers, each with the lowest of its choices. Time and
 * faults come only where no agent can go on, again the lowest choice.
 */
export class RoundRobin implements Strategy {
  readonly name = "round-robin";
  readonly seed = null;
  readonly #turn: number;
  /** The choices of each agent. */
  readonly #choicesOf: readonly number[];
  #agent = 0;
  #left = 0;

  constructor(world: World, options: RoundRobinOptions = {}) {
    requireCount("turn", options.turn, 1);
    this.#turn = options.turn ?? 1;
    const masks = Array.from({ length: world.agentCount }, () => 0);
    for (let choice = 0; choice < world.choiceCount; choice++) {
      const agent = world.agentOf(choice);
      if (agent >= 0) masks[agent]! |= 1 << choice;
    }
    this.#choicesOf = masks;
  }

  begin(schedule: number): boolean {
    this.#agent = 0;
    this.#left = this.#turn;
    return schedule === 0;
  }

  next({ enabled }: Turn): number {
    for (let tried = 0; tried <= this.#choicesOf.length; tried++) {
      const possible = enabled & (this.#choicesOf[this.#agent] ?? 0);
      if (this.#left > 0 && possible !== 0) {
        this.#left--;
        return lowestChoice(possible);
      }
      this.#agent = (this.#agent + 1) % this.#choicesOf.length;
      this.#left = this.#turn;
    }
    return lowestChoice(enabled);
  }
}
