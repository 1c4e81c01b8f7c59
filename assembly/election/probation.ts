import { Status } from "../proxywasm/index";
import { steadyNs } from "./clock";
import { Elector } from "./elector";
import { ElectorFeature } from "./feature";
import { Lease, LeaseKind } from "./lease";

const NONE: i64 = 0;
const NS_PER_MS: i64 = 1_000_000;

/**
 * Protocol P6 on top of P7: a candidate that has claimed first holds the record for more than a
 * lease, renewal by renewal, and only then leads. Whoever led before the record was lost has then
 * stopped, and whoever created it anew as well has been seen.
 *
 *   claim ──▶ on probation ──renewed more than T after it began──▶ leads
 *                 │  ▲ a renewal that took longer than T: begins anew
 *                 ▼
 *   anything but the own record: the attempt is over
 */
export class Probation extends ElectorFeature {
  /** Read after the record was written: the others count from no later instant. */
  private sinceNs: i64 = NONE;

  mustProve(elector: Elector): bool {
    this.sinceNs = steadyNs();
    return true;
  }

  keepsRecord(elector: Elector, lease: Lease, cas: u32, r0: i64): bool {
    if (this.sinceNs == NONE) return false;
    const status = elector.keep(cas, r0);
    if (status == Status.CasMismatch) this.sinceNs = NONE;
    if (status != Status.Ok) return true;
    const leaseNs = elector.timing.LeaseDuration * NS_PER_MS;
    const now = steadyNs();
    if (now == 0 || now - r0 > leaseNs) {
      // The others may have found it too old before it was written.
      this.sinceNs = now;
    } else if (r0 - this.sinceNs > leaseNs) {
      this.sinceNs = NONE;
      elector.lead();
    }
    return true;
  }

  sawRecord(elector: Elector, lease: Lease, bytes: Uint8Array, cas: u32, r0: i64): void {
    if (lease.kind != LeaseKind.Held || lease.id != elector.id) this.sinceNs = NONE;
  }

  sawNothing(elector: Elector): void {
    this.sinceNs = NONE;
  }
}
