/**
 * The generator mulberry32: 32 bits of state, which an odd constant is added to at each draw and then mixed. Equal
 * seeds modulo 2^32 give equal streams.
 */
export class Mulberry32 {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed % 2 ** 32) | 0;
  }

  /** [0, 1) in steps of 2^-32. */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    const a = this.#state;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
}
