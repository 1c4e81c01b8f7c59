import { Document, isCollection, isMap, isSeq } from "yaml";
import type { FaultPlan } from "../faults/index.ts";

/**
 * The text of a scenario file in which the faults of a plan happen again. `frame` is what else stands in the file, with
 * its keys: name, concurrency, plugins, clusters, properties, …; its own events come first.
 *
 *     writeFileSync("failing.yaml", planScenario({ name: "it fails", plugins, properties }, plan));
 */
export function planScenario(
  frame: Readonly<Record<string, unknown>>,
  plan: Pick<FaultPlan, "duration" | "faults">,
): string {
  const { events, ...rest } = frame;
  const own: readonly unknown[] = Array.isArray(events) ? events : [];
  const { duration, faults } = plan;
  const document = new Document({ ...rest, duration, events: [...own, ...faults] });
  for (const name of ["plugins", "events", "properties"]) {
    const list = document.get(name);
    if (!isSeq(list)) continue;
    for (const item of list.items) if (isMap(item) || isCollection(item)) item.flow = true;
  }
  return document.toString({ lineWidth: 0 });
}
