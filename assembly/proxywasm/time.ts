import { Errno, Status } from "../abi/enums";
import {
  proxy_get_current_time_nanoseconds,
  proxy_set_tick_period_milliseconds,
} from "../abi/imports";
import { CLOCK_MONOTONIC, clock_time_get } from "../abi/wasi";
import { OUT_LONG } from "../memory/out";

/** A clock's reading in nanoseconds, 0 unless `status` is Ok. */
export class TimeResult {
  constructor(
    public readonly status: Status,
    public readonly nanoseconds: u64,
  ) {}
}

/**
 * Wall-clock time in nanoseconds since 1970, or 0 when the host does not tell. It may jump,
 * backwards too: measure durations with `GetMonotonicTimeNanoseconds`. In: any callback, not in
 * top-level code, where the host ends the VM for it.
 * @example const seconds = proxywasm.GetCurrentTimeNanoseconds() / 1000000000;
 * Source: proxy-wasm spec, `proxy_get_current_time_nanoseconds`.
 */
export function GetCurrentTimeNanoseconds(): u64 {
  const status = <Status>proxy_get_current_time_nanoseconds(OUT_LONG);
  return status == Status.Ok ? load<u64>(OUT_LONG) : 0;
}

/** As `GetCurrentTimeNanoseconds`, with the status. @example proxywasm.GetCurrentTime().status */
export function GetCurrentTime(): TimeResult {
  const status = <Status>proxy_get_current_time_nanoseconds(OUT_LONG);
  return new TimeResult(status, status == Status.Ok ? load<u64>(OUT_LONG) : 0);
}

/**
 * Nanoseconds of a clock that is never set back, counted from an instant of the host's choice; −1
 * when the host has no such clock or restricts it. Readings of VMs in one process can be compared.
 * In: any callback, and in top-level code.
 * @example const startedNs = proxywasm.GetMonotonicTimeNanoseconds();
 * Source: WASI `clock_time_get` with clock 1; proxy-wasm-cpp-host `exports.cc`.
 */
export function GetMonotonicTimeNanoseconds(): i64 {
  return clock_time_get(CLOCK_MONOTONIC, 0, OUT_LONG) == Errno.Success ? load<i64>(OUT_LONG) : -1;
}

/**
 * As `GetMonotonicTimeNanoseconds`, with the reason: `Unimplemented` when the host has no such
 * clock, `BadArgument` when it restricts the call, `InternalFailure` for any other error.
 * @example if (proxywasm.GetMonotonicTime().status != proxywasm.Status.Ok) return "needs a clock";
 */
export function GetMonotonicTime(): TimeResult {
  const errno = clock_time_get(CLOCK_MONOTONIC, 0, OUT_LONG);
  if (errno == Errno.Success) return new TimeResult(Status.Ok, load<u64>(OUT_LONG));
  return new TimeResult(statusOf(errno), 0);
}

/**
 * Calls the tick callback of this plugin every `periodMs` milliseconds from now on; 0 ends it.
 * Statuses: always Ok in Envoy. In: any callback; it acts on the root context.
 * @example proxywasm.SetTickPeriodMilliSeconds(1000);
 * Source: Envoy `context.cc`, `setTimerPeriod`.
 */
export function SetTickPeriodMilliSeconds(periodMs: u32): Status {
  return proxy_set_tick_period_milliseconds(periodMs);
}

function statusOf(errno: u32): Status {
  if (errno == Errno.NotSupported) return Status.Unimplemented;
  return errno == Errno.NotCapable ? Status.BadArgument : Status.InternalFailure;
}
