import { choicesIn } from "./choice-mask.ts";
import type { World } from "./world.ts";

/** What a search has seen of its properties and goals. */
export class Findings {
  readonly #properties: readonly string[];
  readonly #goals: readonly string[];
  readonly #counts: number[];
  #reached = 0;

  constructor(world: World) {
    this.#properties = world.properties;
    this.#goals = world.goals;
    this.#counts = world.properties.map(() => 0);
  }

  /** One more violation of each property in the mask. */
  count(violated: number): void {
    for (const bit of choicesIn(violated)) this.#counts[bit]!++;
  }

  /** Forgets what was counted before these. */
  restart(violated: number): void {
    this.#counts.fill(0);
    this.count(violated);
  }

  reach(goals: number): void {
    this.#reached |= goals;
  }

  /** By name, those with none left out. */
  get violations(): Record<string, number> {
    const entries = this.#properties.map((name, bit) => [name, this.#counts[bit]!] as const);
    return Object.fromEntries(entries.filter(([, count]) => count > 0));
  }

  get missed(): string[] {
    return this.#goals.filter((_, bit) => (this.#reached & (1 << bit)) === 0);
  }
}
