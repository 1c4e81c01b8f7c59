import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { parseDuration } from "../time/duration.ts";
import { callPoint, shownPoint } from "./at-call.ts";
import type { CrashSpec } from "./spec.ts";
import { duration, given, onTarget } from "./target.ts";

/** All VMs of a thread stop where they are; it comes back after `restart_after`, if it is still dead then. */
export function crash(envoy: MockEnvoy, fault: CrashSpec): boolean {
  const { restart_after: restartAfter } = fault;
  const restart = restartAfter === undefined ? undefined : duration(restartAfter);
  const args = { ...shownPoint(fault), ...given({ restart_after: restart }) };
  const restartNs = restart === undefined ? null : parseDuration(restart, "crash: restart_after");
  return onTarget(envoy, fault, args, (thread, note) => {
    const point = callPoint(thread, fault);
    if (point === null) return thread.crash(note, restartNs);
    return point.crash(restart === undefined ? {} : { restartAfter: restart }, note);
  });
}
