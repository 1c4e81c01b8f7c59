import type { TraceEvent } from "../trace/event.ts";
import { always } from "./combinators.ts";
import type { Judgement } from "./property.ts";
import { trapText } from "./trap-words.ts";

/** No VM of the plugin trapped; without a plugin: no VM at all. */
export function noTrap(traps: readonly TraceEvent[], plugin?: string): Judgement {
  const found = traps.filter((trap) => plugin === undefined || trap.plugin === plugin);
  return always(found.map((trap) => ({ atNs: trap.atNs, detail: trapText(trap) })));
}
