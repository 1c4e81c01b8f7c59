import { Clock } from "../time/clock.ts";

const nsPerMs = 1_000_000;

/** A clock that is put to any instant: a search goes back and forth. Whole milliseconds. */
export class SteppedClock extends Clock {
  readonly #startWall: bigint;
  readonly #startMonotonic: bigint;
  #atMs = 0;

  constructor(startWallNs: bigint, startMonotonicNs = 3_600_000_000_000n) {
    super({ startWallNs, startMonotonicNs });
    this.#startWall = startWallNs;
    this.#startMonotonic = startMonotonicNs;
  }

  get nowMs(): number {
    return this.#atMs;
  }

  set nowMs(ms: number) {
    this.#atMs = ms;
  }

  override get nowNs(): number {
    return this.#atMs * nsPerMs;
  }

  override get wallNs(): bigint {
    return this.#startWall + BigInt(this.#atMs) * 1_000_000n;
  }

  override get monotonicNs(): bigint {
    return this.#startMonotonic + BigInt(this.#atMs) * 1_000_000n;
  }
}
