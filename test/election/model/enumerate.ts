import { EdgeList } from "./liveness.ts";
import type { Row } from "./protocol.ts";
import { StateTable } from "./state-table.ts";
import { StateCodec } from "./state.ts";
import { ModelWorld, type Choice } from "./world.ts";

export interface EnumerateOptions {
  /** Also count the states from which no valid leader can be reached; keeps all edges. */
  readonly findStuck?: boolean;
  /** End at the first bad state. The counts are then those of the part that was seen. */
  readonly stopAtBad?: boolean;
  readonly statesMax?: number;
}

export interface Verdict {
  readonly states: number;
  readonly transitions: number;
  /** States that are bad by the row's measure. */
  readonly bad: number;
  /** States with two valid leaders, with two valid `as` leaders, with two flags set. */
  readonly twoValid: number;
  readonly twoValidAs: number;
  readonly twoFlags: number;
  /** Transitions that work while another VM's promise runs. */
  readonly staleWork: number;
  /** Transitions at which a fence refuses work, or the touch of a new leader. */
  readonly refused: number;
  /** Claims with a term that is not above all before it. */
  readonly repeatedTerms: number;
  /** States without a way to a valid leader; null where nobody asked. */
  readonly stuck: number | null;
  /** The shortest way to a bad state, a step a line; null where there is none. */
  readonly counterexample: readonly string[] | null;
  /** Everything reachable was seen. */
  readonly isComplete: boolean;
}

/** Every reachable state of a row, breadth first, so that the first bad state is at the end of a shortest way. */
export function enumerate(row: Row, options: EnumerateOptions = {}): Verdict {
  return new Enumeration(row, options).run();
}

class Enumeration {
  readonly #row: Row;
  readonly #options: EnumerateOptions;
  readonly #world: ModelWorld;
  readonly #codec: StateCodec;
  readonly #table: StateTable;
  readonly #packed: Int32Array;
  readonly #cells: Uint8Array;
  /** Of each state the one it was first reached from. */
  readonly #parents: number[] = [-1];
  readonly #edges = new EdgeList();
  readonly #valid: number[] = [];
  #transitions = 0;
  #events = { "stale work": 0, refused: 0, "repeated term": 0 };
  #firstBad = -1;
  #counts = { bad: 0, twoValid: 0, twoValidAs: 0, twoFlags: 0 };

  constructor(row: Row, options: EnumerateOptions) {
    this.#row = row;
    this.#options = options;
    this.#world = new ModelWorld(row);
    this.#codec = new StateCodec(row.vms, row.terms !== undefined);
    this.#table = new StateTable(this.#codec.words);
    this.#packed = new Int32Array(this.#codec.words);
    this.#cells = this.#world.begin();
  }

  run(): Verdict {
    this.#codec.pack(this.#cells, this.#packed);
    this.#table.add(this.#packed);
    const statesMax = this.#options.statesMax ?? Infinity;
    let state = 0;
    for (; state < this.#table.count && this.#table.count <= statesMax; state++) {
      this.#codec.unpack(this.#table.states, state * this.#codec.words, this.#cells);
      this.#judge(state);
      if (this.#firstBad >= 0 && this.#options.stopAtBad) break;
      this.#expand(state);
    }
    return {
      states: this.#table.count,
      transitions: this.#transitions,
      ...this.#counts,
      staleWork: this.#events["stale work"],
      refused: this.#events.refused,
      repeatedTerms: this.#events["repeated term"],
      stuck: this.#options.findStuck ? this.#edges.cutOff(this.#table.count, this.#valid) : null,
      counterexample: this.#firstBad < 0 ? null : this.#wayTo(this.#firstBad),
      isComplete: state === this.#table.count,
    };
  }

  #judge(state: number): void {
    const { valid, validAs, flags } = this.#world.count(this.#cells);
    if (valid > 0 && this.#options.findStuck) this.#valid.push(state);
    const counts = this.#counts;
    if (valid > 1) counts.twoValid++;
    if (validAs > 1) counts.twoValidAs++;
    if (flags > 1) counts.twoFlags++;
    const measured = { "two valid": valid, "two valid as": validAs, "two flags": flags };
    if (measured[this.#row.bad ?? "two valid"] < 2) return;
    counts.bad++;
    if (this.#firstBad < 0) this.#firstBad = state;
  }

  #expand(state: number): void {
    this.#world.successors(this.#cells, (next, _, event) => {
      this.#transitions++;
      if (event !== null) this.#events[event]++;
      this.#world.terms?.rank(next);
      this.#codec.pack(next, this.#packed);
      const found = this.#table.add(this.#packed);
      if (found === this.#parents.length) this.#parents.push(state);
      if (this.#options.findStuck) this.#edges.add(state, found);
    });
  }

  /**
   * The way in words, under one naming from beginning to end: walks it with real VMs, and takes at each state the
   * choice that leads to the next state's representative.
   */
  #wayTo(state: number): string[] {
    const way: number[] = [];
    for (let at = state; at > 0; at = this.#parents[at] as number) way.unshift(at);
    const steps: string[] = [];
    let cells = this.#world.begin();
    for (const target of way) {
      let taken: { cells: Uint8Array; choice: Choice } | null = null;
      this.#world.successors(cells, (next, choice) => {
        this.#world.terms?.rank(next);
        this.#codec.pack(next, this.#packed);
        if (taken === null && this.#table.add(this.#packed) === target)
          taken = { cells: next.slice(), choice };
      });
      if (taken === null) throw new Error(`state ${target} does not follow from its parent`);
      const { cells: after, choice } = taken as { cells: Uint8Array; choice: Choice };
      steps.push(this.#world.describe(cells, choice));
      cells = after;
    }
    return steps;
  }
}
