import type { TextColumns } from "./report-data.ts";

/** Digits that stand alone: those of a name or an identifier stay where they are. */
const number = /(?<![\p{L}\d_-])(?:0|[1-9]\d{0,14})(?![\p{L}\d_-])/gu;

/** Texts of a page, each once, as patterns and numbers. Controls must be spelt out before: U+0001 marks a number. */
export class Texts {
  readonly #indices = new Map<string, number>();
  readonly #patterns = new Map<string, { readonly index: number; last: readonly number[] }>();
  readonly #of: number[] = [];
  readonly #numbers: number[] = [];

  /** Its index; −1 for "". */
  add(text: string): number {
    if (text === "") return -1;
    const known = this.#indices.get(text);
    if (known !== undefined) return known;
    const index = this.#of.length;
    this.#indices.set(text, index);
    const found: number[] = [];
    const pattern = text.replace(number, (digits) => {
      found.push(Number(digits));
      return "\u0001";
    });
    const entry = this.#patterns.get(pattern) ?? { index: this.#patterns.size, last: [] };
    this.#patterns.set(pattern, entry);
    this.#of.push(entry.index);
    for (const [place, value] of found.entries()) {
      this.#numbers.push(value - (entry.last[place] ?? 0));
    }
    entry.last = found;
    return index;
  }

  columns(): TextColumns {
    return { patterns: [...this.#patterns.keys()], of: this.#of, numbers: this.#numbers };
  }
}
