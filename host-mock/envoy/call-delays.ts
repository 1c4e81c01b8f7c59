interface CallDelay {
  readonly cluster: string;
  readonly byNs: number;
  readonly untilNs: number;
}

/** How much later calls of one thread reach their receivers; spans that are over are dropped when asked. */
export class CallDelays {
  #delays: CallDelay[] = [];

  add(delay: CallDelay): void {
    this.#delays.push(delay);
  }

  /** Of several spans the longest delay counts. */
  heldNs(cluster: string, nowNs: number): number {
    if (this.#delays.length === 0) return 0;
    this.#delays = this.#delays.filter(({ untilNs }) => nowNs < untilNs);
    return this.#delays
      .filter((delay) => delay.cluster === cluster)
      .reduce((heldNs, { byNs }) => Math.max(heldNs, byNs), 0);
  }
}
