import type { Leadership } from "../trace/leadership.ts";

/** Short names of one plugin's terms, in the order of their first leadership: `T1`, `T2`, … */
export class TermNames {
  readonly #names = new Map<bigint, string>();

  constructor(leaderships: readonly Leadership[]) {
    for (const { term } of leaderships) {
      if (term !== null && !this.#names.has(term))
        this.#names.set(term, `T${this.#names.size + 1}`);
    }
  }

  /** "" for a leadership without a term. */
  of(leadership: Leadership): string {
    return leadership.term === null ? "" : (this.#names.get(leadership.term) ?? "");
  }

  /** ` (T1)`, or "" */
  beside(leadership: Leadership): string {
    const name = this.of(leadership);
    return name === "" ? "" : ` (${name})`;
  }
}
