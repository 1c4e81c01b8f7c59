import type { PluginOptions } from "../envoy/mock-envoy.ts";
import { withoutAbsent } from "./listener-options.ts";
import type { Frame } from "./schema/frame.ts";

/** A plugin of the file, and its module's bytes, as the host takes them. */
export function pluginOptions(plugin: Frame["plugins"][number], wasm: Uint8Array): PluginOptions {
  const baseNs = plugin.reload?.base_interval;
  return {
    name: plugin.name,
    wasm,
    rootId: plugin.root_id,
    vmId: plugin.vm_id,
    environment: plugin.environment,
    kind: plugin.kind,
    witness: plugin.witness,
    ...withoutAbsent({
      configuration: plugin.configuration,
      vmConfiguration: plugin.vm_configuration,
      failurePolicy: plugin.failure_policy,
      failOpen: plugin.fail_open,
      reload: baseNs === undefined ? undefined : { baseInterval: `${baseNs}ns` },
      allowedCapabilities: plugin.allowed_capabilities,
      allowOnHeadersStopIteration: plugin.allow_on_headers_stop_iteration,
    }),
  };
}
