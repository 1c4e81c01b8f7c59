import type { HttpCall } from "../trace/http-calls.ts";
import { counted, type Bounds } from "./combinators.ts";
import type { Judgement } from "./property.ts";

/** So many calls to the cluster were accepted by the host, whatever became of them. */
export function callCount(calls: readonly HttpCall[], cluster: string, bounds: Bounds): Judgement {
  const instants = calls.filter((call) => call.cluster === cluster).map((call) => call.atNs);
  return counted(instants, "call", bounds);
}
