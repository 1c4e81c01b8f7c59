interface LateSpan {
  readonly byNs: number;
  readonly untilNs: number;
}

/** When ticks of a thread come that faults make late. */
export class TickFaults {
  #late: LateSpan[] = [];
  #bunchedUntilNs = 0;

  /** Ticks due before that instant come so much later, each once. */
  addLate(span: LateSpan): void {
    this.#late.push(span);
  }

  /** Ticks due before that instant come then, all of them. */
  bunchUntil(untilNs: number): void {
    this.#bunchedUntilNs = Math.max(this.#bunchedUntilNs, untilNs);
  }

  /** When a tick comes that is due now; now, where nothing holds it. */
  comesNs(nowNs: number, wasLate: boolean): number {
    let comesNs = nowNs;
    if (this.#late.length > 0 && !wasLate) {
      this.#late = this.#late.filter(({ untilNs }) => nowNs < untilNs);
      for (const { byNs } of this.#late) comesNs = Math.max(comesNs, nowNs + byNs);
    }
    return Math.max(comesNs, nowNs < this.#bunchedUntilNs ? this.#bunchedUntilNs : nowNs);
  }
}
