/** Byte strings as numbers: equal ones have the same. */
export class Texts {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  /** One character a byte where it stands for bytes. */
  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.length;
    this.#numbers.set(text, number);
    this.#texts.push(text);
    return number;
  }

  textOf(number: number): string {
    return this.#texts[number]!;
  }
}

/** The text of a key that is absent. */
export const absent = -1;
/** The token of a key that was never set. */
export const noToken = -1;

/**
 * What stands under a key, as a number: its text (or `absent`) and the last token handed out for it. The token of an
 * absent key is remembered, so that a host that never repeats one does not after a wipe.
 */
export class Entries {
  readonly #numbers = new Map<number, number>();
  readonly #texts: number[] = [];
  readonly #tokens: number[] = [];

  /** Number 0 is the key that never was. */
  constructor() {
    this.numberOf(absent, noToken);
  }

  numberOf(text: number, token: number): number {
    // Both stay far below these bounds: a text a write, a token a write.
    const key = (text + 1) * 0x10_0000 + token;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#texts.length;
    this.#numbers.set(key, number);
    this.#texts.push(text);
    this.#tokens.push(token);
    return number;
  }

  textOf(number: number): number {
    return this.#texts[number]!;
  }

  tokenOf(number: number): number {
    return this.#tokens[number]!;
  }
}
