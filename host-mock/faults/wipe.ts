import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import type { WipeSpec } from "./spec.ts";

/** All shared data of a vm_id is gone. */
export function wipe(envoy: MockEnvoy, fault: WipeSpec): boolean {
  return envoy.wipe(fault.vm_id ?? "");
}
