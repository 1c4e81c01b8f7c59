import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { shownPoint } from "./at-call.ts";
import type { FailAllocationSpec } from "./spec.ts";
import { given, onTarget } from "./target.ts";

/** The next gifts of the host to guests of a thread find no memory. */
export function failAllocation(envoy: MockEnvoy, fault: FailAllocationSpec): boolean {
  const { plugin = fault.leader_of, count } = fault;
  const args = { ...given({ plugin: fault.plugin, count }), ...shownPoint(fault) };
  const options = {
    ...(plugin === undefined ? {} : { plugin }),
    ...(count === undefined ? {} : { count }),
  };
  return onTarget(envoy, fault, args, (thread, noted) => thread.failAllocations(options, noted));
}
