import { FencedResult, fencedSetIn } from "../election/fencing";
import { Handover } from "./handover";

const NS_PER_MS: i64 = 1_000_000;

/**
 * Work of one leadership that takes longer than a callback. `ReleaseLeadership` waits for it, so end
 * it on every way out. It is an object: hand it over as the state of a call.
 */
export class LeaderWork {
  private isOpen: bool = true;

  constructor(
    private handover: Handover,
    /** The term it was begun in, for `x-leader-term`. */
    public readonly Term: i64,
  ) {}

  /**
   * Whether it may still act: this context leads in the same term, or hands over and waits for this
   * work. To be asked right before each effect, in the place of `IsLeader`.
   */
  MayGoOn(): bool {
    return this.leftNs() > 0;
  }

  /** How long it may still act, in ms, rounded down; 0 when it may not. */
  Remaining(): i64 {
    return this.leftNs() / NS_PER_MS;
  }

  /** As `ctx.FencedSet`, also while the handover waits for this work. */
  FencedSet(key: string, data: Uint8Array): FencedResult {
    const term = this.MayGoOn() ? this.Term : 0;
    return fencedSetIn(term, this.handover.elector, key, data);
  }

  /** It is over. A second time it does nothing. */
  End(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    const handover = this.handover;
    if (handover.workTerm != this.Term) return;
    handover.openWorks--;
    handover.settle();
  }

  private leftNs(): i64 {
    return this.isOpen ? this.handover.workLeftNs(this.Term) : 0;
  }
}

/** Begins work in the present leadership; null without one. */
export function beginWork(handover: Handover): LeaderWork | null {
  const term = handover.elector.leaderTerm();
  if (term == 0) return null;
  if (handover.workTerm != term) {
    handover.workTerm = term;
    handover.openWorks = 0;
  }
  handover.openWorks++;
  return new LeaderWork(handover, term);
}
