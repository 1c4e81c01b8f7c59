import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { shownPoint } from "./at-call.ts";
import type { RestartSpec } from "./spec.ts";
import { onTarget } from "./target.ts";

/** A thread comes back with fresh VMs, crashed before if it still lives. */
export function restart(envoy: MockEnvoy, fault: RestartSpec): boolean {
  return onTarget(envoy, fault, shownPoint(fault), (thread, args) => thread.restart(args));
}
