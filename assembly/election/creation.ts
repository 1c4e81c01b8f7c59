import { noBytes } from "../memory/bytes";
import { CREATE_ONLY, SetSharedData, Status } from "../proxywasm/index";

/** The keys of an election, as bits. */
export const LEASE_KEY: i32 = 1;
export const TERM_KEY: i32 = 2;

/**
 * Creates keys in shared data without ever overwriting one. Envoy creates an absent key whatever
 * the cas is, and compares it on a present one: a cas that it never hands out creates only. Hosts
 * that refuse it on an absent key may have another way; that is found out when it matters.
 */
export class SafeCreation {
  /** The cas that creates and never overwrites on this host. */
  cas: u32 = CREATE_ONLY;
  /** The keys whose creation was refused, and under which nothing has been seen since. */
  private doubted: i32 = 0;
  /** This host has no such cas. */
  isImpossible: bool = false;

  /**
   * Creates a key that was just found absent, `which` of the two. `base` and `id` name the keys of
   * a probe.
   */
  create(which: i32, key: string, value: Uint8Array, base: string, id: string): Status {
    const status = SetSharedData(key, value, this.cas);
    if (status == Status.Ok) this.seen(which);
    if (status != Status.CasMismatch || this.cas != CREATE_ONLY) return status;
    // Somebody else was first, which the next pass will see. If it sees nobody, the host is odd.
    if ((this.doubted & which) == 0) {
      this.doubted |= which;
      return status;
    }
    return this.probe(base + ":probe", id) ? SetSharedData(key, value, this.cas) : status;
  }

  /** Something stands under that key: whoever created it explains a refusal. */
  seen(which: i32): void {
    this.doubted &= ~which;
  }

  /**
   * Some hosts demand cas 0 for a creation: then two sets with cas 0 succeed and fail. On some
   * there is no way at all: then both succeed.
   */
  private probe(key: string, id: string): bool {
    // A key that nobody else can have: if it is created after all, two races were lost in a row.
    if (SetSharedData(key + ":" + id, noBytes(), CREATE_ONLY) != Status.CasMismatch) return false;
    const first = SetSharedData(key, noBytes(), 0);
    const second = SetSharedData(key, noBytes(), 0);
    if (second == Status.CasMismatch) {
      this.cas = 0;
      return true;
    }
    this.isImpossible = first == Status.Ok && second == Status.Ok;
    return false;
  }
}
