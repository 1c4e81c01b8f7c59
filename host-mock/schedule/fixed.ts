import { requirePossible } from "./possible.ts";
import type { Strategy, Turn } from "./strategy.ts";
import type { World } from "./world.ts";

/** One given list of choices. E_STATE for a choice that cannot happen when its turn comes. */
export class FixedSchedule implements Strategy {
  readonly name = "fixed";
  readonly seed = null;
  readonly #world: World;
  readonly #schedule: readonly number[];

  constructor(world: World, schedule: readonly number[]) {
    this.#world = world;
    this.#schedule = schedule;
  }

  begin(schedule: number): boolean {
    return schedule === 0;
  }

  next({ enabled, length }: Turn): number {
    const choice = this.#schedule[length];
    if (choice === undefined) return -1;
    requirePossible(this.#world, choice, enabled, length);
    return choice;
  }

  ended(length: number): void {
    const choice = this.#schedule[length];
    if (choice !== undefined) requirePossible(this.#world, choice, 0, length);
  }
}
