/** What a record means at the time at which it is read. */
import { SharedDataResult, Status } from "../proxywasm/index";
import { isMonotonic, steadyNs, wallSeconds } from "./clock";
import { Lease, LeaseKind, readLease } from "./lease";

/** wasm-go takes a record over once its timestamp is more than this old. */
export const WASM_GO_LEASE_S: i64 = 60;
/** A timestamp further ahead than two clocks of one machine can differ is no timestamp. */
const AHEAD_MAX_S: i64 = 5;

/** Whether a record comes out of the future, which makes it one that cannot be believed. */
export function isAhead(lease: Lease, nowMs: i64, leaseMs: i64): bool {
  // Above r0 is normal: its holder renewed between this pass's clock read and its get, which may have
  // been long ago. Taken for odd, its promise would be forgotten.
  if (lease.mono > nowMs + leaseMs && lease.mono > steadyNs() / 1_000_000 + leaseMs) return true;
  return lease.kind == LeaseKind.Foreign && lease.timestamp > wallSeconds() + AHEAD_MAX_S;
}

/**
 * Whether somebody else's record may be overwritten. `waited`: it has stood unchanged for longer
 * than any lease.
 */
export function isClaimable(lease: Lease, waited: bool, nowMs: i64, leaseMs: i64): bool {
  const age = nowMs - lease.mono;
  switch (lease.kind) {
    case LeaseKind.Held:
      return age > max(leaseMs, lease.ttl) && (isMonotonic() || waited);
    case LeaseKind.Released:
      return age <= leaseMs || waited;
    case LeaseKind.Foreign:
      return waited && wallSeconds() - lease.timestamp > WASM_GO_LEASE_S;
    default:
      return waited;
  }
}

export function isHeldBy(lease: Lease, id: string): bool {
  return lease.kind == LeaseKind.Held && lease.id == id;
}

/** The same of what a get has answered. */
export function isHeldIn(found: SharedDataResult, id: string): bool {
  return found.status == Status.Ok && isHeldBy(readLease(found.value), id);
}
