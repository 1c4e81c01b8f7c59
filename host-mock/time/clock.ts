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
    return this.#startWallNs + BigInt(this.#nowNs);
  }

  /** The guests' monotonic clock; the same axis in all VMs. */
  get monotonicNs(): bigint {
    return this.#startMonotonicNs + BigInt(this.#nowNs);
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
  }
}

function requireInstant(ns: number): void {
  if (Number.isSafeInteger(ns) && ns >= 0) return;
  throw new MockHostError("E_INTERNAL", `${ns} is no instant of a run`);
}
