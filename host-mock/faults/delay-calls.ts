import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import type { DelayCallsSpec } from "./spec.ts";
import { duration, onTarget } from "./target.ts";

/** Calls of a thread to a cluster reach the receiver late. */
export function delayCalls(envoy: MockEnvoy, fault: DelayCallsSpec): boolean {
  const { cluster, by } = fault;
  const args = { cluster, by: duration(by), for: duration(fault.for) };
  return onTarget(envoy, fault, args, (thread, noted) =>
    thread.delayCalls({ cluster, by, for: fault.for }, noted),
  );
}
