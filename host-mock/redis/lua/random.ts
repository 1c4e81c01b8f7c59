const multiplier = 0x5deece66dn;
const bits = 48;
const largest = 2 ** 31 - 1;

/** What 48 bits begin with that nobody has seeded. */
const unseeded = 0x1234abcd330en;

/**
 * The numbers of `math.random`: one sequence for all scripts of a server, the same one for every server.
 *
 * Source: Redis `rand.c` (redisLrand48), `script_lua.c` (redis_math_random).
 */
export class ScriptRandom {
  #state = unseeded;

  seed(value: number): void {
    this.#state = (BigInt.asUintN(32, BigInt(Math.trunc(value))) << 16n) | (unseeded & 0xffffn);
  }

  /** At least 0 and below 1. */
  next(): number {
    this.#state = BigInt.asUintN(bits, this.#state * multiplier + 0xbn);
    return (Number(this.#state >> 17n) % largest) / largest;
  }
}
