import { randomBelow } from "./chance";
import { Elector } from "./elector";
import { ElectorFeature } from "./feature";
import { Lease } from "./lease";

const NOTHING: i64 = -1;
/** The host's versions begin at 1. */
const ABSENT: i64 = 0;
const NS_PER_MS: i64 = 1_000_000;

/**
 * Delays claims: counted from the pass that first finds a version claimable, and read again after
 * it, when somebody else may have taken it. It comes on top of every other wait.
 */
export abstract class ClaimDelay extends ElectorFeature {
  private version: i64 = NOTHING;
  private untilNs: i64 = 0;

  protected abstract delayNs(elector: Elector): i64;

  heldBackUntilNs(elector: Elector, cas: u32, r0: i64): i64 {
    if (this.version != <i64>cas) {
      this.version = cas;
      this.untilNs = r0 + this.delayNs(elector);
    }
    return this.untilNs;
  }

  sawRecord(elector: Elector, lease: Lease, bytes: Uint8Array, cas: u32, r0: i64): void {
    if (this.version != <i64>cas) this.version = NOTHING;
  }

  sawNothing(elector: Elector): void {
    if (this.version != ABSENT) this.version = NOTHING;
  }
}

/** A random delay, so that candidates that see the same do not all act on it. */
export class RandomDelay extends ClaimDelay {
  constructor(private maxMs: i64) {
    super();
  }

  protected delayNs(elector: Elector): i64 {
    return this.maxMs > 0 ? randomBelow(this.maxMs * NS_PER_MS) : 0;
  }
}
