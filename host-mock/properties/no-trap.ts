import type { TraceEvent } from "../trace/event.ts";
import { readable } from "../trace/values.ts";
import { always } from "./combinators.ts";
import type { Judgement } from "./property.ts";
import { time } from "./wording.ts";

/** No VM of the plugin trapped; without a plugin: no VM at all. */
export function noTrap(traps: readonly TraceEvent[], plugin?: string): Judgement {
  const found = traps.filter((trap) => plugin === undefined || trap.plugin === plugin);
  return always(found.map((trap) => ({ atNs: trap.atNs, detail: trapText(trap) })));
}

/** `worker_0#1 trapped in proxy_on_tick at 16 s: unreachable` */
export function trapText(trap: TraceEvent): string {
  const message = readable(trap.result) || readable(trap.args["message"]);
  const why = message === "" ? "" : `: ${message}`;
  return `${trap.vm} trapped in ${trap.name} at ${time(trap.atNs)}${why}`;
}
