/** The edges of a graph in the order they were found, to be walked backward: what cannot reach a goal any more? */
export class EdgeList {
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  add(from: number, to: number): void {
    this.#from.push(from);
    this.#to.push(to);
  }

  /** How many of the states 0 … count − 1 have no way to any of the targets. */
  cutOff(count: number, targets: readonly number[]): number {
    const starts = new Int32Array(count + 1);
    for (const to of this.#to) starts[to + 1] = (starts[to + 1] as number) + 1;
    for (let i = 0; i < count; i++)
      starts[i + 1] = (starts[i + 1] as number) + (starts[i] as number);
    const sources = new Int32Array(this.#to.length);
    const filled = starts.slice();
    this.#to.forEach((to, edge) => {
      sources[filled[to] as number] = this.#from[edge] as number;
      filled[to] = (filled[to] as number) + 1;
    });
    const canReach = new Uint8Array(count);
    const open = [...targets];
    for (const target of targets) canReach[target] = 1;
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      for (let i = starts[state] as number; i < (starts[state + 1] as number); i++) {
        const source = sources[i] as number;
        if (canReach[source] === 1) continue;
        canReach[source] = 1;
        open.push(source);
      }
    }
    return canReach.reduce((stuck, can) => stuck - can, count);
  }
}
