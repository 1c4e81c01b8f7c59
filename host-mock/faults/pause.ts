import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import type { PauseSpec } from "./spec.ts";
import { duration, onTarget } from "./target.ts";

/** A thread's loop stands still for a while. */
export function pause(envoy: MockEnvoy, fault: PauseSpec): boolean {
  const args = { for: duration(fault.for) };
  return onTarget(envoy, fault, args, (thread, noted) => thread.pause(fault.for, noted));
}
