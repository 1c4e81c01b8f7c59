import { wallNs } from "./clock";

const NS_PER_MS: i64 = 1_000_000;
const TEN_YEARS_MS: i64 = 315_532_800_000;

/**
 * The largest term that is believed: ten years ahead of the latest wall clock, or of 2026 where that
 * is earlier. It never falls, so a clock that is set back makes no term of a leader unbelievable.
 */
let ceiling: i64 = 1_767_225_600_000 + TEN_YEARS_MS;

/**
 * Whether a leader can have had this term. One far in the future is a forgery that would use up the
 * terms of all later leaders. The clock is read only when it matters.
 */
export function isTerm(term: i64): bool {
  if (term > ceiling) ceiling = max(ceiling, wallNs() / NS_PER_MS + TEN_YEARS_MS);
  return term <= ceiling;
}
