/** A bound of scores; `(5` leaves 5 out. */
export interface ScoreBound {
  readonly score: number;
  readonly isExclusive: boolean;
}

export interface Scored {
  readonly member: string;
  readonly score: number;
}

/**
 * Members by score, equal scores by the members' bytes.
 *
 * Source: Redis `t_zset.c`.
 */
export class SortedSet {
  readonly #scores = new Map<string, number>();
  #sorted: Scored[] | undefined;

  get size(): number {
    return this.#scores.size;
  }

  score(member: string): number | undefined {
    return this.#scores.get(member);
  }

  set(member: string, score: number): void {
    this.#scores.set(member, score);
    this.#sorted = undefined;
  }

  delete(member: string): boolean {
    this.#sorted = undefined;
    return this.#scores.delete(member);
  }

  /** All of them, lowest first. */
  ordered(): readonly Scored[] {
    this.#sorted ??= [...this.#scores]
      .map(([member, score]) => ({ member, score }))
      .sort((a, b) => a.score - b.score || (a.member < b.member ? -1 : 1));
    return this.#sorted;
  }

  between(min: ScoreBound, max: ScoreBound): Scored[] {
    return this.ordered().filter(
      ({ score }) =>
        (min.isExclusive ? score > min.score : score >= min.score) &&
        (max.isExclusive ? score < max.score : score <= max.score),
    );
  }
}
