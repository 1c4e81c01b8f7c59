import { createHash } from "node:crypto";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";

/** A stream of random numbers; the only source of chance in the host. */
export class Random {
  readonly #generator: ReturnType<typeof xoroshiro128plusFromState>;

  /** Streams of different names are independent; equal (seed, names) give equal streams. */
  constructor(seed: number, ...names: readonly string[]) {
    const digest = createHash("sha256")
      .update(JSON.stringify([seed, ...names]))
      .digest();
    const words = [0, 4, 8, 12].map((at) => digest.readInt32LE(at));
    this.#generator = xoroshiro128plusFromState(words);
  }

  /** 0 … 2^32 − 1. */
  uint32(): number {
    return this.#generator.next() >>> 0;
  }

  /** [0, 1) in steps of 2^-53. */
  unit(): number {
    return ((this.uint32() >>> 5) * 67108864 + (this.uint32() >>> 6)) / 9007199254740992;
  }

  /** An integer in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.unit() * bound);
  }

  fill(into: Uint8Array): void {
    for (let at = 0; at < into.length; at += 4) {
      const word = this.uint32();
      for (let i = 0; i < 4 && at + i < into.length; i++) into[at + i] = (word >>> (8 * i)) & 0xff;
    }
  }
}
