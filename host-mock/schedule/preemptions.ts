import { lowestChoice } from "./choice-mask.ts";
import { requireCount } from "./options.ts";
import type { World } from "./world.ts";

export interface PreemptionOptions {
  /** How many preemptions a schedule may have; default: no bound. */
  readonly preemptions?: number;
  /** Whether an agent is in the middle of what it does, where switching away is a preemption; default: always. */
  readonly isMidway?: (state: Int32Array, at: number, agent: number) => boolean;
}

const countShift = 8;
const agentMask = (1 << countShift) - 1;

/**
 * Counts preemptions along a schedule: a switch to another agent although the one that acted last could go on, in the
 * middle of what it does. Time and faults are nobody's turn: they neither are a preemption nor end a turn. What a
 * schedule has used so far is one number:
 *
 *     │ preemptions │ last agent + 1, 8 bits; 0: nobody is in the middle of anything │
 *
 * The bound is that of Musuvathi and Qadeer, "Iterative context bounding for systematic testing of multithreaded
 * programs", PLDI 2007; that a step may end an agent's turn by itself (`isMidway`) is ours.
 */
export class Preemptions {
  readonly #world: World;
  readonly #atMost: number;
  readonly #isMidway: PreemptionOptions["isMidway"];
  readonly #agentOf: number[];
  readonly #choicesOf: number[];

  constructor(world: World, options: PreemptionOptions) {
    requireCount("preemptions", options.preemptions, 0);
    this.#world = world;
    this.#atMost = options.preemptions ?? Infinity;
    this.#isMidway = options.isMidway;
    this.#agentOf = Array.from({ length: world.choiceCount }, (_, i) => world.agentOf(i));
    this.#choicesOf = Array.from({ length: world.agentCount }, (_, agent) =>
      this.#agentOf.reduce((mask, who, choice) => (who === agent ? mask | (1 << choice) : mask), 0),
    );
  }

  /** What is used after a choice; −1 when the bound forbids the choice. */
  after(used: number, choice: number, enabled: number): number {
    const agent = this.#agentOf[choice]!;
    if (agent < 0) return used;
    const last = (used & agentMask) - 1;
    let count = used >>> countShift;
    if (last >= 0 && last !== agent && (enabled & this.#choicesOf[last]!) !== 0) count++;
    return count > this.#atMost ? -1 : (count << countShift) | (agent + 1);
  }

  /** The same, where it is known in which state: an agent that is not in the middle of anything is forgotten. */
  settled(used: number, state: Int32Array, at: number): number {
    const last = (used & agentMask) - 1;
    if (last < 0 || this.#isMidway === undefined || this.#isMidway(state, at, last)) return used;
    return used & ~agentMask;
  }

  renamed(used: number, renaming: number): number {
    const last = (used & agentMask) - 1;
    if (last < 0 || renaming === 0) return used;
    const choice = lowestChoice(this.#choicesOf[last]!);
    const renamed = lowestChoice(this.#world.renamedChoices(1 << choice, renaming));
    return (used & ~agentMask) | (this.#agentOf[renamed]! + 1);
  }
}
