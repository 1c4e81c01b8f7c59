/**
 * Source: proxy-wasm-cpp-host `src/exports.cc`, Envoy `source/extensions/common/wasm/wasm.cc`
 * (setTimerPeriod).
 */
import type { CallSite, HostFunctions } from "./call-site.ts";
import { Status } from "./status.ts";

export const timeFunctions: HostFunctions = {
  /**
   * The wall clock, nanoseconds since 1970; InvalidMemoryAccess.
   *
   *     timePtr: | u64 nanoseconds |
   */
  proxy_get_current_time_nanoseconds(site: CallSite, timePtr: number) {
    return site.giveU64(site.host.process.clock.wallNs, timePtr);
  },

  /** Sets the timer of the acting context's root, milliseconds; 0 stops it. Always Ok. */
  proxy_set_tick_period_milliseconds(site: CallSite, periodMs: number) {
    site.context().setTickPeriod(periodMs);
    return Status.Ok;
  },
};
