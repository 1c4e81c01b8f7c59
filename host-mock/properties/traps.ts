import type { TraceEvent } from "../trace/event.ts";
import { counted, type Bounds } from "./combinators.ts";
import type { Judgement } from "./property.ts";

/** So many VMs of the plugin trapped. */
export function trapCount(traps: readonly TraceEvent[], plugin: string, bounds: Bounds): Judgement {
  const instants = traps.filter((trap) => trap.plugin === plugin).map((trap) => trap.atNs);
  return counted(instants, "trap", bounds);
}
