import type { ScenarioEvent } from "./schema/events.ts";

/** How often an event happens in a run of this length. */
export function instantCount(event: ScenarioEvent, durationNs: number): number {
  if (event.at > durationNs) return 0;
  const every = "every" in event ? event.every : undefined;
  if (every === undefined) return 1;
  const lastNs = Math.min(durationNs, event.until ?? durationNs);
  const fitting = lastNs < event.at ? 0 : Math.floor((lastNs - event.at) / every) + 1;
  // A refusal's count is the number of calls it refuses.
  const count = event.do === "refuse" ? undefined : "count" in event ? event.count : undefined;
  return Math.min(fitting, count ?? fitting);
}

/** The instant of its nth time, from 0. */
export function instantNs(event: ScenarioEvent, nth: number): number {
  return event.at + nth * ("every" in event ? (event.every ?? 0) : 0);
}
