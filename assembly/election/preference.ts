import { ParseJson } from "../json/index";
import { GetSharedData, SetSharedData, Status } from "../proxywasm/index";
import { ClaimDelay } from "./claim-delay";
import { Count } from "./count";
import { Elector } from "./elector";
import { FeaturedElector } from "./feature";
import { Lease, LeaseKind, integerAt } from "./lease";
import { begin, lineBytes, put, putNumber } from "./line";
import { periodOf } from "./timing";

const NS_PER_MS: i64 = 1_000_000;
/** A leader gives way at most once in so many leases. */
const RESIGNS_EVERY: i64 = 10;
/** No rank is as low as this. */
const NOBODY: i64 = i64.MAX_VALUE;

/**
 * Ranks, 0 the best. A candidate lets two periods for each rank pass before it claims; one that
 * finds another leading says under the key + `:prefer` that it stands ready,
 *
 *   {"rank":n,"until":<ms of the monotonic clock>}
 *
 * and a leader of a worse rank that reads so gives way.
 */
export class Preference extends ClaimDelay {
  private isFollowing: bool = false;
  private resignedNs: i64 = 0;

  protected delayNs(elector: Elector): i64 {
    return rankOf(elector) * 2 * periodOf(elector.timing) * NS_PER_MS;
  }

  sawRecord(elector: Elector, lease: Lease, bytes: Uint8Array, cas: u32, r0: i64): void {
    super.sawRecord(elector, lease, bytes, cas, r0);
    this.isFollowing = lease.kind == LeaseKind.Held && lease.id != elector.id;
  }

  sawNothing(elector: Elector): void {
    super.sawNothing(elector);
    this.isFollowing = false;
  }

  hasPassed(elector: Elector, r0: i64): void {
    const rank = rankOf(elector);
    if (elector.leading) {
      const everyNs = RESIGNS_EVERY * elector.timing.LeaseDuration * NS_PER_MS;
      if (rank == 0 || (this.resignedNs != 0 && r0 - this.resignedNs <= everyNs)) return;
      if (new Hint(elector, r0).rank >= rank) return;
      this.resignedNs = r0;
      elector.counted(Count.Resignation);
      elector.release();
    } else if (this.isFollowing && !elector.isSuperseded) {
      const hint = new Hint(elector, r0);
      if (hint.rank > rank) hint.say(rank);
    }
  }
}

function rankOf(elector: Elector): i64 {
  return changetype<FeaturedElector>(elector).rank;
}

/** What stands under the key + `:prefer`. */
class Hint {
  /** The best rank of which a candidate stands ready; `NOBODY` when none does. */
  rank: i64 = NOBODY;
  private key: string;
  private cas: u32 = 0;
  private status: Status = Status.Ok;

  constructor(
    private elector: Elector,
    private r0: i64,
  ) {
    this.key = elector.key + ":prefer";
    const found = GetSharedData(this.key);
    this.status = found.status;
    this.cas = found.cas;
    if (found.status == Status.Ok) this.read(found.value);
  }

  private read(bytes: Uint8Array): void {
    const json = ParseJson(bytes);
    const rank = integerAt(json, "rank");
    const leftMs = integerAt(json, "until") - this.r0 / NS_PER_MS;
    // What is too far ahead was not written by a candidate with this clock.
    if (rank < 0 || leftMs <= 0 || leftMs > 2 * this.elector.timing.LeaseDuration) return;
    this.rank = rank;
  }

  /** Says that a candidate of this rank stands ready, for one lease. */
  say(rank: i64): void {
    const isAbsent = this.status == Status.NotFound;
    if (!isAbsent && this.status != Status.Ok) return;
    begin('{"rank":');
    putNumber(rank);
    put(',"until":');
    putNumber(this.r0 / NS_PER_MS + this.elector.timing.LeaseDuration);
    put("}");
    // Who loses the race finds another's hint at the next pass.
    SetSharedData(this.key, lineBytes(), isAbsent ? this.elector.creation.cas : this.cas);
  }
}
