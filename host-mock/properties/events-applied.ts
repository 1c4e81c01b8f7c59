import type { TraceEvent } from "../trace/event.ts";
import { readable } from "../trace/values.ts";
import { always } from "./combinators.ts";
import type { Judgement } from "./property.ts";
import { time } from "./wording.ts";

/** Every event of the scenario happened: its thread was alive, somebody led where a leader was meant. */
export function eventsApplied(faults: readonly TraceEvent[]): Judgement {
  const missed = faults.filter((fault) => fault.status === "not_applied");
  return always(
    missed.map((fault) => {
      const why = readable(fault.result);
      return {
        atNs: fault.atNs,
        detail: `${fault.name} at ${time(fault.atNs)} did not happen${why === "" ? "" : `: ${why}`}`,
      };
    }),
  );
}
