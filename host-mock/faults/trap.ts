import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import type { TrapSpec } from "./spec.ts";
import { given, onTarget } from "./target.ts";

/** A thread's next such callback traps on entry. */
export function trap(envoy: MockEnvoy, fault: TrapSpec): boolean {
  const { callback, plugin } = fault;
  return onTarget(envoy, fault, given({ callback, plugin }), (thread, args) =>
    thread.trapNext(callback, plugin ?? fault.leader_of, args),
  );
}
