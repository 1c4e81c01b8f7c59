import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { formatDuration, parseSignedDuration } from "../time/duration.ts";
import type { WallClockSpec } from "./spec.ts";

/** The wall clock jumps; the monotonic clock does not. */
export function wallClock(envoy: MockEnvoy, fault: WallClockSpec): boolean {
  const ns = parseSignedDuration(fault.by);
  return envoy.shiftWallClock(fault.by, {
    by: `${ns < 0 ? "-" : "+"}${formatDuration(Math.abs(ns))}`,
  });
}
