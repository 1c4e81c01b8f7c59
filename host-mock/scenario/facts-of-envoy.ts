import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { factsOf, type RunFacts } from "../properties/index.ts";

/**
 * What there is to judge of a run up to now; linear in the length of its trace.
 *
 *     singleWinner(factsOfEnvoy(envoy).leaderships.get("metrics-reporter") ?? []).holds;
 */
export function factsOfEnvoy(envoy: MockEnvoy): RunFacts {
  return factsOf(envoy.trace, { durationNs: envoy.nowNs, witnesses: envoy.witnesses });
}
