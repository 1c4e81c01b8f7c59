import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { shownPoint } from "./at-call.ts";
import type { CasStormSpec } from "./spec.ts";
import { given, onTarget } from "./target.ts";

/** Another writer bumps a key before each set of a thread, so many times. */
export function casStorm(envoy: MockEnvoy, fault: CasStormSpec): boolean {
  const { key, vm_id: vmId = "", count } = fault;
  const args = { key, vm_id: vmId, ...given({ count }), ...shownPoint(fault) };
  const options = { key, vmId, ...(count === undefined ? {} : { count }) };
  return onTarget(envoy, fault, args, (thread, noted) => thread.stormCas(options, noted));
}
