import type { TraceEvent } from "./event.ts";

/**
 * Whether the end of a VM is the end of this plugin's contexts there. VMs of different plugins on one thread may have
 * one name; one VM may also serve several plugins, which its `plugins` argument then names.
 */
export function concerns(event: TraceEvent, plugin: string): boolean {
  const { plugins } = event.args;
  if (Array.isArray(plugins)) return plugins.includes(plugin);
  return event.plugin === "" || event.plugin === plugin;
}
