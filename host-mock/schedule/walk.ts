import { requirePossible } from "./possible.ts";
import type { StepView, World } from "./world.ts";

/** One schedule under way: a present state, and steps from it. */
export class Walk {
  readonly #world: World;
  #now: Int32Array;
  #spare: Int32Array;
  /** Steps since the beginning. */
  length = 0;

  constructor(world: World) {
    this.#world = world;
    this.#now = new Int32Array(world.stateSize);
    this.#spare = new Int32Array(world.stateSize);
    this.restart();
  }

  restart(): void {
    this.length = 0;
    this.#now.fill(0);
    this.#world.begin(this.#now, 0);
  }

  /** The present state; other contents after the next step. */
  get state(): Int32Array {
    return this.#now;
  }

  get enabled(): number {
    return this.#world.choices(this.#now, 0);
  }

  get goals(): number {
    return this.#world.reached(this.#now, 0);
  }

  /** What a choice that can happen will do, in words. */
  view(choice: number): StepView {
    return this.#world.describe(this.#now, 0, choice);
  }

  /** Makes a choice that can happen; answers which properties are violated. */
  take(choice: number): number {
    const violated = this.#world.step(this.#now, 0, choice, this.#spare, 0);
    [this.#now, this.#spare] = [this.#spare, this.#now];
    this.length++;
    return violated;
  }

  /** What the end of the schedule violates; 0 where it goes on. */
  judgeEnd(): number {
    return this.enabled === 0 ? this.#world.judgeEnd(this.#now, 0) : 0;
  }

  /** E_STATE for a choice that cannot happen now. */
  require(choice: number): void {
    requirePossible(this.#world, choice, this.enabled, this.length);
  }
}
