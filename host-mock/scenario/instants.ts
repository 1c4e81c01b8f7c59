import type { ScenarioEvent } from "./schema/events.ts";

/** How often an event happens in a run of this length. */
export function instantCount(event: ScenarioEvent, durationNs: number): number {
  if (event.at > durationNs) return 0;
  const every = "every" in event ? event.every : undefined;
  if (every === undefined) return 1;
  const lastNs = Math.min(durationNs, event.until ?? durationNs);
  const fitting = lastNs < event.at ? 0 : Math.floor((lastNs - event.at) / every) + 1;
  return Math.min(fitting, repetitionCount(event) ?? fitting);
}

/** How often it is to happen. A refusal's count, and its like, is the number of calls that it meets. */
export function repetitionCount(event: ScenarioEvent): number | undefined {
  return countsCalls(event) || !("count" in event) ? undefined : event.count;
}

export function countsCalls({ do: name }: ScenarioEvent): boolean {
  return name === "refuse" || name === "fail_allocation" || name === "cas_storm";
}

/** The instant of its nth time, from 0. */
export function instantNs(event: ScenarioEvent, nth: number): number {
  return event.at + nth * ("every" in event ? (event.every ?? 0) : 0);
}
