import { ToyWorld } from "./toy-world.ts";

/** Per state and choice where it leads, and what that step violates. */
export type Edges = Readonly<
  Record<number, Readonly<Record<number, readonly [to: number, violated?: number]>>>
>;

/** States are numbers, and what leads where stands in a table. Properties are called P and Q. */
export class GraphWorld extends ToyWorld {
  override readonly properties = ["P", "Q"];

  constructor(
    agents: number,
    readonly edges: Edges,
    /** What the end of a schedule violates, by state. */
    readonly ends: Readonly<Record<number, number>> = {},
  ) {
    super(agents, 1, 0);
  }

  choices(state: Int32Array, at: number): number {
    const from = this.edges[state[at]!] ?? {};
    return Object.keys(from).reduce((mask, choice) => mask | (1 << Number(choice)), 0);
  }

  change(state: Int32Array, at: number, choice: number): number {
    const [to, violated = 0] = this.edges[state[at]!]![choice]!;
    state[at] = to;
    return violated;
  }

  override judgeEnd(state: Int32Array, at: number): number {
    return this.ends[state[at]!] ?? 0;
  }
}
