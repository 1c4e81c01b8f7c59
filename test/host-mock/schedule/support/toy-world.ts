import type { StepView, World } from "../../../../host-mock/schedule/world.ts";

/**
 * What toy worlds have in common. A state is a few shared numbers, then as many for each agent; choices are the agents'
 * steps (`a`, `b`, …) and then what the surroundings do.
 */
export abstract class ToyWorld implements World {
  readonly stateSize: number;
  readonly choiceCount: number;
  readonly properties: readonly string[] = [];
  readonly goals: readonly string[] = [];
  /** Words of the surroundings' choices. */
  readonly others: readonly string[];
  /** Every order of the agents when they are alike, else only their own. */
  readonly orders: readonly (readonly number[])[];
  #best: number[] = [];

  constructor(
    readonly agentCount: number,
    readonly sharedSize: number,
    readonly localSize: number,
    options: { others?: readonly string[]; alike?: boolean } = {},
  ) {
    this.stateSize = sharedSize + agentCount * localSize;
    this.others = options.others ?? [];
    this.choiceCount = agentCount + this.others.length;
    const own = Array.from({ length: agentCount }, (_, agent) => agent);
    this.orders = options.alike === true ? permutations(own) : [own];
  }

  abstract choices(state: Int32Array, at: number): number;
  /** Changes the state in place; answers what is violated. */
  abstract change(state: Int32Array, at: number, choice: number): number;

  get renamingCount(): number {
    return this.orders.length;
  }

  agentOf(choice: number): number {
    return choice < this.agentCount ? choice : -1;
  }

  wordOf(choice: number): string {
    if (choice < this.agentCount) return "abcdefgh"[choice]!;
    return this.others[choice - this.agentCount]!;
  }

  begin(into: Int32Array, at: number): void {
    into.fill(0, at, at + this.stateSize);
  }

  step(state: Int32Array, at: number, choice: number, into: Int32Array, intoAt: number): number {
    for (let i = 0; i < this.stateSize; i++) into[intoAt + i] = state[at + i]!;
    return this.change(into, intoAt, choice);
  }

  judgeEnd(_state: Int32Array, _at: number): number {
    return 0;
  }

  reached(_state: Int32Array, _at: number): number {
    return 0;
  }

  independent(_state: Int32Array, _at: number, _choice: number): number {
    return 0;
  }

  /** The smallest of what the orders make of it. */
  canonicalize(state: Int32Array, at: number): number {
    if (this.orders.length === 1) return 0;
    let best = -1;
    this.orders.forEach((order, number) => {
      const made = this.renamed(state, at, order);
      const differs = best < 0 ? 0 : made.findIndex((value, i) => value !== this.#best[i]);
      if (differs < 0 || (best >= 0 && made[differs]! > this.#best[differs]!)) return;
      best = number;
      this.#best = made;
    });
    state.set(this.#best, at);
    return best;
  }

  renamedChoices(mask: number, renaming: number): number {
    let made = 0;
    for (let choice = 0; choice < this.choiceCount; choice++)
      if ((mask & (1 << choice)) !== 0) made |= 1 << (this.orders[renaming]![choice] ?? choice);
    return made;
  }

  /** The state when each agent takes the place that the order says. */
  renamed(state: Int32Array, at: number, order: readonly number[]): number[] {
    const made = Array.from(state.subarray(at, at + this.stateSize));
    order.forEach((place, agent) => {
      for (let i = 0; i < this.localSize; i++)
        made[this.local(0, place) + i] = state[this.local(at, agent) + i]!;
    });
    return made;
  }

  local(at: number, agent: number): number {
    return at + this.sharedSize + agent * this.localSize;
  }

  describe(state: Int32Array, at: number, choice: number): StepView {
    const after = new Int32Array(this.stateSize);
    this.step(state, at, choice, after, 0);
    const vm = choice < this.agentCount ? this.wordOf(choice) : "";
    const call = vm === "" ? this.wordOf(choice) : "step";
    return { vm, call, args: {}, status: null, result: [...after], leaders: [] };
  }
}

function permutations(of: readonly number[]): number[][] {
  if (of.length === 0) return [[]];
  return of.flatMap((first) =>
    permutations(of.filter((other) => other !== first)).map((rest) => [first, ...rest]),
  );
}
