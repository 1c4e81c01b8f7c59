import type { TraceEvent } from "../trace/event.ts";
import { readable } from "../trace/values.ts";
import { always } from "./combinators.ts";
import type { Judgement } from "./property.ts";
import { time } from "./wording.ts";

/** No plugin called a cluster that nobody declared. */
export function declaredClusters(undeclared: readonly TraceEvent[]): Judgement {
  return always(
    undeclared.map((event) => ({
      atNs: event.atNs,
      detail: `${event.vm} called cluster ${JSON.stringify(readable(event.args["cluster"]))}, which nobody declared, at ${time(event.atNs)}`,
    })),
  );
}
