import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import type { TraceValue } from "../trace/event.ts";
import { onProcess } from "./on-process.ts";
import type { ReconfigureSpec } from "./spec.ts";
import { given } from "./target.ts";

/** A plugin gets a new configuration. */
export function reconfigure(envoy: MockEnvoy, fault: ReconfigureSpec): boolean {
  const { plugin, configuration } = fault;
  const args = given({ plugin, configuration: configuration as TraceValue | undefined });
  return onProcess(envoy, fault, args, (note) =>
    envoy.reconfigure(plugin, configuration ?? "", note),
  );
}
