import { MockHostError } from "../errors.ts";

const hourNs = 3_600_000_000_000n;

export interface ClockStart {
  /** Wall clock at the start of the run, nanoseconds since 1970. */
  readonly startWallNs: bigint;
  /** Monotonic clock at the start of the run; default one hour. */
  readonly startMonotonicNs?: bigint;
}

/** The one clock of a run: nobody reads the machine's. */
export class Clock {
  readonly #startMonotonicNs: bigint;
  #startWallNs: bigint;
  #nowNs = 0;
  /** Both clocks, and the instants they were reckoned for: they are asked for more often than they move. */
  #wallNs = 0n;
  #wallAtNs = -1;
  #monotonicNs = 0n;
  #monotonicAtNs = -1;

  constructor(start: ClockStart) {
    this.#startWallNs = start.startWallNs;
    this.#startMonotonicNs = start.startMonotonicNs ?? hourNs;
  }

  /** Nanoseconds since the start of the run, a safe integer. */
  get nowNs(): number {
    return this.#nowNs;
  }

  /** The guests' wall clock: nanoseconds since 1970. */
  get wallNs(): bigint {
    if (this.#wallAtNs !== this.#nowNs) {
      this.#wallAtNs = this.#nowNs;
      this.#wallNs = this.#startWallNs + BigInt(this.#nowNs);
    }
    return this.#wallNs;
  }

  /** The guests' monotonic clock; the same axis in all VMs. */
  get monotonicNs(): bigint {
    if (this.#monotonicAtNs !== this.#nowNs) {
      this.#monotonicAtNs = this.#nowNs;
      this.#monotonicNs = this.#startMonotonicNs + BigInt(this.#nowNs);
    }
    return this.#monotonicNs;
  }

  /**
   * Moves on to an instant since the start. An instant already past changes nothing: call costs may
   * have gone beyond it.
   */
  advanceTo(ns: number): void {
    requireInstant(ns);
    if (ns > this.#nowNs) this.#nowNs = ns;
  }

  /** Moves both clocks on by what a host call costs. */
  addCost(ns: number): void {
    requireInstant(this.#nowNs + ns);
    this.#nowNs += ns;
  }

  /** Sets the wall clock forward or back; the monotonic clock and `nowNs` do not move. */
  shiftWall(byNs: bigint): void {
    this.#startWallNs += byNs;
    this.#wallAtNs = -1;
  }
}

function requireInstant(ns: number): void {
  if (Number.isSafeInteger(ns) && ns >= 0) return;
  throw new MockHostError("E_INTERNAL", `${ns} is no instant of a run`);
}
