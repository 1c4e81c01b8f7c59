import { shownKey } from "../state/bytes.ts";
import type { TraceArgs, TraceValue } from "../trace/event.ts";
import type { EnvoyProcess } from "./process.ts";

/** What stands in the stores when the run ends. Keys that are not UTF-8 are shown as `base64:…`. */
export function runEndedArgs(world: EnvoyProcess): TraceArgs {
  const partitions = new Map<string, [string, TraceValue][]>();
  for (const { vmId, key, value, cas } of world.sharedData.entries()) {
    const entries = partitions.get(vmId) ?? [];
    partitions.set(vmId, entries);
    entries.push([shownKey(key), { value, cas }]);
  }
  const shared = [...partitions].map(
    ([vmId, entries]) => [vmId, Object.fromEntries(entries)] as const,
  );
  return {
    shared_data: Object.fromEntries(shared),
    metrics: world.metrics.results(),
    host_calls: world.recorder.hostCallCount,
  };
}
