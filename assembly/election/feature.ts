/**
 * Optional features of an election. Each is a class of its own, and compiled only where an option
 * of `SetCtx` makes one; an elector without features does not even have the places where they would
 * be asked (`Elector`, "Where features take part").
 */
import { Count } from "./count";
import { Elector } from "./elector";
import { Lease } from "./lease";

/** One feature of one elector. The base class takes part in nothing. */
export class ElectorFeature {
  next: ElectorFeature | null = null;

  counted(elector: Elector, what: Count): void {}
  /** A record was read, and judged to be `lease`. */
  sawRecord(elector: Elector, lease: Lease, bytes: Uint8Array, cas: u32, r0: i64): void {}
  sawNothing(elector: Elector): void {}
  hasStopped(elector: Elector, reason: string): void {}
  hasPassed(elector: Elector, r0: i64): void {}

  /** Until when a claim that all rules allow has to wait; 0: it has not. */
  heldBackUntilNs(elector: Elector, cas: u32, r0: i64): i64 {
    return 0;
  }

  /** Whether the claim that has just succeeded is not to be led with yet. */
  mustProve(elector: Elector): bool {
    return false;
  }

  /** Whether this candidate's record, with which it does not lead, is dealt with. */
  keepsRecord(elector: Elector, lease: Lease, cas: u32, r0: i64): bool {
    return false;
  }

  /** Whether the record of the leadership that has just ended is given up later. */
  delaysHandover(elector: Elector, now: i64): bool {
    return false;
  }

  /** The context is done; the elector is closed next. */
  end(): void {}

  /** After that: whether there is something for which the host shall wait. */
  isEnding(): bool {
    return false;
  }
}

/** Nobody asked for a pass. */
export const NEVER: i64 = i64.MAX_VALUE / 2;

/** An elector that asks its features. */
export class FeaturedElector extends Elector {
  /** How this context is preferred: 0 most. */
  rank: i32 = 0;
  /** By which part at most a follower's period is longer. */
  jitter: f64 = 0;
  /** When the claim that waits is due; `NEVER` when none does. */
  claimDueNs: i64 = NEVER;

  private features: ElectorFeature | null = null;

  add(feature: ElectorFeature): void {
    feature.next = this.features;
    this.features = feature;
  }

  /** Closes it; false: the host shall wait. */
  end(): bool {
    let feature = this.features;
    while (feature !== null) {
      feature.end();
      feature = feature.next;
    }
    this.close();
    feature = this.features;
    while (feature !== null) {
      if (feature.isEnding()) return false;
      feature = feature.next;
    }
    return true;
  }

  counted(what: Count): void {
    if (what == Count.Pass) this.claimDueNs = NEVER;
    let feature = this.features;
    while (feature !== null) {
      feature.counted(this, what);
      feature = feature.next;
    }
  }

  sawRecord(lease: Lease, bytes: Uint8Array, cas: u32, r0: i64): void {
    let feature = this.features;
    while (feature !== null) {
      feature.sawRecord(this, lease, bytes, cas, r0);
      feature = feature.next;
    }
  }

  sawNothing(): void {
    let feature = this.features;
    while (feature !== null) {
      feature.sawNothing(this);
      feature = feature.next;
    }
  }

  hasStopped(reason: string): void {
    let feature = this.features;
    while (feature !== null) {
      feature.hasStopped(this, reason);
      feature = feature.next;
    }
  }

  hasPassed(r0: i64): void {
    let feature = this.features;
    while (feature !== null) {
      feature.hasPassed(this, r0);
      feature = feature.next;
    }
  }

  /** All are asked, so that their waits run beside each other. */
  isHeldBack(cas: u32, r0: i64): bool {
    let untilNs: i64 = 0;
    let feature = this.features;
    while (feature !== null) {
      untilNs = max(untilNs, feature.heldBackUntilNs(this, cas, r0));
      feature = feature.next;
    }
    if (untilNs <= r0) return false;
    this.claimDueNs = untilNs;
    return true;
  }

  mustProve(): bool {
    let feature = this.features;
    while (feature !== null) {
      if (feature.mustProve(this)) return true;
      feature = feature.next;
    }
    return false;
  }

  keepsRecord(lease: Lease, cas: u32, r0: i64): bool {
    let feature = this.features;
    while (feature !== null) {
      if (feature.keepsRecord(this, lease, cas, r0)) return true;
      feature = feature.next;
    }
    return false;
  }

  delaysHandover(now: i64): bool {
    let feature = this.features;
    while (feature !== null) {
      if (feature.delaysHandover(this, now)) return true;
      feature = feature.next;
    }
    return false;
  }
}
