import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import type { TraceValue } from "../trace/event.ts";
import type { ReconfigureSpec } from "./spec.ts";
import { given } from "./target.ts";

/** A plugin gets a new configuration. */
export function reconfigure(envoy: MockEnvoy, fault: ReconfigureSpec): boolean {
  const { plugin, configuration } = fault;
  const args = given({ plugin, configuration: configuration as TraceValue | undefined });
  return envoy.reconfigure(plugin, configuration ?? "", args);
}
