import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { onProcess } from "./on-process.ts";
import type { WipeSpec } from "./spec.ts";

/** All shared data of a vm_id is gone. */
export function wipe(envoy: MockEnvoy, fault: WipeSpec): boolean {
  const vmId = fault.vm_id ?? "";
  return onProcess(envoy, fault, { vm_id: vmId }, (note) => envoy.wipe(vmId, note));
}
