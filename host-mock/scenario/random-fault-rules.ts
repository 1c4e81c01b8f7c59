import { problem, unknownName, type Names } from "./names.ts";
import type { EventOf } from "./schema/events.ts";
import type { Path, Problem } from "./source.ts";

const ofCalls = ["delay_calls", "lost_answers", "late_answers", "duplicated_calls"] as const;

/** Each kind of fault needs what it is to name. */
export function randomFaultRules(event: EventOf<"faults">, path: Path, names: Names): Problem[] {
  const { rates, threads, keys, configurations } = event;
  const found: Problem[] = [];
  const needs = (kind: keyof typeof rates, isThere: boolean, remedy: string): void => {
    if (rates[kind] === undefined || isThere) return;
    const what = `faults of the kind ${kind} have nothing to name`;
    found.push(problem([...path, "rates", kind], what, remedy));
  };
  if (threads !== "all") {
    for (const [index, name] of threads.entries())
      found.push(...unknownName("thread", name, [...path, "threads", index], names));
  }
  needs("cas_storm", keys !== undefined && keys.length > 0, "add keys: [KEY] to the event");
  needs("reconfigure", configurations !== undefined, "add configurations: {PLUGIN: [{…}]}");
  for (const kind of ofCalls)
    needs(kind, names.clusters.length > 0, "declare a cluster, or leave the rate out");
  for (const plugin of Object.keys(configurations ?? {}))
    found.push(...unknownName("plugin", plugin, [...path, "configurations", plugin], names));
  if (Object.values(rates).every((rate) => rate === undefined)) {
    const what = "the rates name no fault";
    found.push(problem([...path, "rates"], what, "add one, such as crash: 30s"));
  }
  return found;
}
