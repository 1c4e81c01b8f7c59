import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { formatDuration, parseSignedDuration } from "../time/duration.ts";
import { onProcess } from "./on-process.ts";
import type { WallClockSpec } from "./spec.ts";

/** The wall clock jumps; the monotonic clock does not. */
export function wallClock(envoy: MockEnvoy, fault: WallClockSpec): boolean {
  const ns = parseSignedDuration(fault.by);
  const by = `${ns < 0 ? "-" : "+"}${formatDuration(Math.abs(ns))}`;
  return onProcess(envoy, fault, { by }, (note) => envoy.shiftWallClock(fault.by, note));
}
