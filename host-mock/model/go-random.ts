import { goOutputs } from "./go-outputs.ts";

/**
 * The stream of `rand.New(rand.NewSource(seed))` of Go's math/rand, bit for bit. It is an additive lagged Fibonacci
 * generator over 64-bit numbers,
 *
 *     x[n] = x[n − 607] + x[n − 273]   modulo 2^64
 *
 * whose first 607 numbers are, for each seed, a fixed table combined by exclusive or with numbers of the linear
 * congruential generator 48271 modulo 2^31 − 1. The table is not kept here: the recurrence run backwards from the
 * recorded outputs of seed 42 gives what they came from, and the congruential part of seed 42 taken away leaves it.
 */
export class GoRandom {
  /** The last 607 numbers, the oldest at `#at`: the upper and the lower halves. */
  readonly #high: Uint32Array;
  readonly #low: Uint32Array;
  #at = 0;

  /** `seed`: any whole number that a double holds exactly. */
  constructor(seed: number) {
    const { high, low } = firstNumbers(seed);
    this.#high = high;
    this.#low = low;
  }

  /** [0, 1) as Go's Float64: 63 bits rounded to a double, drawn again when they round to 1. */
  unit(): number {
    for (;;) {
      this.#step();
      const last = (this.#at === 0 ? length : this.#at) - 1;
      const high = (this.#high[last] ?? 0) & 0x7fffffff;
      // Both products are exact, so the sum is rounded once, to the nearest and on a tie to even.
      const value = (high * two32 + (this.#low[last] ?? 0)) / two63;
      if (value !== 1) return value;
    }
  }

  /** The next 64 bits, as Go's Uint64. */
  uint64(): bigint {
    this.#step();
    const last = (this.#at === 0 ? length : this.#at) - 1;
    return (BigInt(this.#high[last] ?? 0) << 32n) | BigInt(this.#low[last] ?? 0);
  }

  /** The next number takes the place of the oldest. */
  #step(): void {
    const high = this.#high;
    const low = this.#low;
    const at = this.#at;
    const tap = at + length - lag < length ? at + length - lag : at - lag;
    const sum = (low[at] ?? 0) + (low[tap] ?? 0);
    low[at] = sum;
    high[at] = (high[at] ?? 0) + (high[tap] ?? 0) + (sum >= two32 ? 1 : 0);
    this.#at = at + 1 === length ? 0 : at + 1;
  }
}

const length = 607;
const lag = 273;
const two32 = 2 ** 32;
const two63 = 2 ** 63;
const recordedSeed = 42;

interface Numbers {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
}

/** What a seed starts from: x[−607] … x[−1] in this order. */
function firstNumbers(seed: number): Numbers {
  const numbers = backwards(decoded(goOutputs));
  for (const part of [congruential(recordedSeed), congruential(seed)]) {
    for (let k = 0; k < length; k++) {
      // Go fills its table upwards and reads it downwards, beginning below place 334.
      const place = (2 * length - lag - 1 - k) % length;
      numbers.high[k] = (numbers.high[k] ?? 0) ^ (part.high[place] ?? 0);
      numbers.low[k] = (numbers.low[k] ?? 0) ^ (part.low[place] ?? 0);
    }
  }
  return numbers;
}

/** The numbers before 607 outputs: x[n − 607] = x[n] − x[n − 273], the latest first. */
function backwards(outputs: Numbers): Numbers {
  const high = new Uint32Array(2 * length);
  const low = new Uint32Array(2 * length);
  high.set(outputs.high, length);
  low.set(outputs.low, length);
  for (let n = 2 * length - 1; n >= length; n--) {
    const difference = (low[n] ?? 0) - (low[n - lag] ?? 0);
    low[n - length] = difference;
    high[n - length] = (high[n] ?? 0) - (high[n - lag] ?? 0) - (difference < 0 ? 1 : 0);
  }
  return { high: high.slice(0, length), low: low.slice(0, length) };
}

/** The part of the table that a seed makes: three draws a place, 20 bits apart, after twenty for nothing. */
function congruential(seed: number): Numbers {
  const modulus = 2 ** 31 - 1;
  let x = seed % modulus;
  if (x < 0) x += modulus;
  if (x === 0) x = 89482311;
  const next = (): number => (x = (48271 * x) % modulus);
  for (let i = 0; i < 20; i++) next();
  const high = new Uint32Array(length);
  const low = new Uint32Array(length);
  for (let place = 0; place < length; place++) {
    const [upper, middle, lower] = [next(), next(), next()];
    high[place] = (upper << 8) ^ (middle >>> 12);
    low[place] = (middle << 20) ^ lower;
  }
  return { high, low };
}

function decoded(text: string): Numbers {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const half = (offset: number): Uint32Array =>
    Uint32Array.from({ length }, (_, n) => view.getUint32(8 * n + offset, true));
  return { high: half(4), low: half(0) };
}
