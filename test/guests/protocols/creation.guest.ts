/**
 * How a key is created that was just found absent. P7 gives a cas that creates and never overwrites; a host that
 * refuses it there is asked, under a key of its own, whether 0 does so. All other protocols give 0 and hope.
 */
import { CREATE_ONLY, CasMismatch, Ok, setLine } from "./host.guest";
import { PROBE_KEY, probeKeySize } from "./keys.guest";
import { isSentinel } from "./rules.guest";
import { begin } from "./text.guest";

let cas: u32 = CREATE_ONLY;
let isDoubted: bool = false;
let hasNoWay: bool = false;

export function createsWith(): u32 {
  return isSentinel ? cas : 0;
}

/** This host cannot create a key without overwriting it: nobody leads. */
export function isImpossible(): bool {
  return hasNoWay;
}

/** Somebody else was first, or the host is odd: the next pass will see. */
export function creationRefused(): void {
  if (!isSentinel || cas != CREATE_ONLY) return;
  isDoubted = true;
}

/** The record is there, which explains a refusal. */
export function seen(): void {
  isDoubted = false;
}

/** Before a key is created; false: not on this host. */
export function probe(): bool {
  if (!isDoubted) return true;
  isDoubted = false;
  begin("");
  const first = setLine(PROBE_KEY, probeKeySize, 0);
  const second = setLine(PROBE_KEY, probeKeySize, 0);
  if (second == CasMismatch) cas = 0;
  else hasNoWay = first == Ok && second == Ok;
  return !hasNoWay;
}
