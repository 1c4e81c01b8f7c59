import type { MockEnvoy } from "../envoy/mock-envoy.ts";
import { formatDuration, parseDuration } from "../time/duration.ts";
import type { TraceArgs } from "../trace/event.ts";
import { drawPlan } from "./plan.ts";
import type { PlannedFault } from "./plan-spec.ts";
import type { FaultsSpec } from "./spec.ts";
import { given } from "./target.ts";

/** Faults of now to `until`, drawn by the seed of the run as `drawPlan` draws them; their event is recorded. */
export function randomFaults(envoy: MockEnvoy, fault: FaultsSpec): readonly PlannedFault[] {
  const { until, rates, threads = "all", keys, configurations } = fault;
  const names = threads === "all" ? envoy.threads.map(({ name }) => name) : threads;
  for (const name of names) envoy.thread(name);
  const untilNs = parseDuration(until, "faults: until");
  const plan = drawPlan({
    seed: envoy.seed,
    duration: formatDuration(untilNs),
    calm: "0ms",
    from: formatDuration(envoy.nowNs),
    rates,
    threads: names,
    plugins: envoy.pluginNames,
    clusters: envoy.clusterNames,
    ...(keys === undefined ? {} : { keys }),
    ...(configurations === undefined ? {} : { configurations }),
  });
  const shown: TraceArgs = given({
    until: formatDuration(untilNs),
    rates: given(rates),
    threads,
    keys,
  });
  envoy.note("faults", shown, { status: "applied", result: `${plan.faults.length} faults` });
  return plan.faults;
}
