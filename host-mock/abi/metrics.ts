/**
 * Statuses are those of `state/metrics.ts`. Source: proxy-wasm-cpp-host `src/exports.cc`, Envoy
 * `context.cc`.
 */
import type { CallSite, HostFunctions } from "./call-site.ts";
import { Status } from "./status.ts";

export const metricsFunctions: HostFunctions = {
  /**
   * A new id for a metric (0 counter, 1 gauge, 2 histogram). InvalidMemoryAccess; BadArgument for
   * another type.
   *
   *     idPtr: | u32 id |
   */
  proxy_define_metric(
    site: CallSite,
    type: number,
    namePtr: number,
    nameSize: number,
    idPtr: number,
  ) {
    const name = site.memory.readLatin1(namePtr, nameSize);
    if (name === undefined) return Status.InvalidMemoryAccess;
    const id = site.metrics.define(type, name);
    return id === undefined ? Status.BadArgument : site.giveU32(id, idPtr);
  },

  proxy_increment_metric(site: CallSite, id: number, offset: bigint) {
    return site.metrics.increment(id, offset);
  },

  proxy_record_metric(site: CallSite, id: number, value: bigint) {
    return site.metrics.record(id, value);
  },

  /**
   * Adds InvalidMemoryAccess to the statuses.
   *
   *     valuePtr: | u64 value |
   */
  proxy_get_metric(site: CallSite, id: number, valuePtr: number) {
    const value = site.metrics.get(id);
    return typeof value === "bigint" ? site.giveU64(value, valuePtr) : value;
  },
};
