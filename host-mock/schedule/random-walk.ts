import { Random } from "../random.ts";
import { countOfChoices, nthChoice } from "./choice-mask.ts";
import type { Strategy, Turn } from "./strategy.ts";

/**
 * Schedules without end, each step drawn evenly from what can happen. Each schedule has a stream of its own: the
 * hundredth of a seed is the same, whatever the ninety-nine before it did.
 */
export class RandomWalk implements Strategy {
  readonly name = "random";
  readonly seed: number;
  #random: Random;

  constructor(seed: number) {
    this.seed = seed;
    this.#random = streamOf(seed, 0);
  }

  begin(schedule: number): boolean {
    this.#random = streamOf(this.seed, schedule);
    return true;
  }

  next({ enabled }: Turn): number {
    return nthChoice(enabled, this.#random.below(countOfChoices(enabled)));
  }
}

function streamOf(seed: number, schedule: number): Random {
  return new Random(seed, "random schedule", String(schedule));
}
