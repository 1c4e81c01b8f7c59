/**
 * The clock that elections and ticks run on. Its values are compared with those of other VMs, which
 * is sound because every VM of one host process sees the same monotonic clock.
 */
import { GetCurrentTimeNanoseconds, GetMonotonicTimeNanoseconds } from "../proxywasm/index";
import { GetMonotonicTime, LogWarn, Status } from "../proxywasm/index";

const UNKNOWN: i32 = 0;
const MONOTONIC: i32 = 1;
const WALL: i32 = 2;

let source: i32 = UNKNOWN;
let highestNs: i64 = 0;

/**
 * Nanoseconds of the host's monotonic clock, or of the wall clock where it has none; 0 when the
 * clock cannot be read. The first reading decides which clock it is, for the life of the VM: a
 * promise must not be begun on one clock and ended on another.
 */
export function rawNs(): i64 {
  if (source == UNKNOWN && !probe()) return 0;
  return source == MONOTONIC ? max<i64>(GetMonotonicTimeNanoseconds(), 0) : wallNs();
}

/** Finds out which clock there is; false when that cannot be told now. */
function probe(): bool {
  const first = GetMonotonicTime();
  // A host that merely failed may have the clock, and the other VMs may be running on it.
  if (first.status == Status.InternalFailure) return false;
  // Old hosts answer errno 58, others a constant 0: both are no clock.
  source = first.nanoseconds > 0 ? MONOTONIC : WALL;
  if (source == WALL) LogWarn("proxy-wasm-as: no monotonic clock, the wall clock serves");
  return true;
}

/**
 * As `rawNs`, but never smaller than an earlier answer. 0, not the last answer, when the clock
 * cannot be read now: a clock that stands still would stretch every promise.
 */
export function steadyNs(): i64 {
  const now = rawNs();
  if (now == 0) return 0;
  if (now > highestNs) highestNs = now;
  return highestNs;
}

/** Whether the clock is monotonic. To be asked after the first reading. */
export function isMonotonic(): bool {
  return source == MONOTONIC;
}

/** Nanoseconds since 1970; 0 when the clock cannot be read. */
export function wallNs(): i64 {
  return max<i64>(<i64>GetCurrentTimeNanoseconds(), 0);
}

/** Seconds since 1970; 0 when the clock cannot be read. */
export function wallSeconds(): i64 {
  return wallNs() / 1_000_000_000;
}
