import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import type { CrashSpec } from "./spec.ts";
import { onTarget } from "./target.ts";

/** All VMs of a thread stop where they are. */
export function crash(envoy: MockEnvoy, fault: CrashSpec): boolean {
  return onTarget(envoy, fault, {}, (thread, args) => thread.crash(args));
}
