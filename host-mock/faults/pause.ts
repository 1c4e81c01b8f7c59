import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { callPoint, shownPoint } from "./at-call.ts";
import type { PauseSpec } from "./spec.ts";
import { duration, onTarget } from "./target.ts";

/** A thread's loop stands still for a while; before a host call, in the middle of a callback. */
export function pause(envoy: MockEnvoy, fault: PauseSpec): boolean {
  const args = { ...shownPoint(fault), for: duration(fault.for) };
  return onTarget(envoy, fault, args, (thread, noted) => {
    const point = callPoint(thread, fault);
    return point === null ? thread.pause(fault.for, noted) : point.pause(fault.for, noted);
  });
}
