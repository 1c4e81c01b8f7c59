import { MockHostError } from "../errors.ts";
import { Random } from "../random.ts";
import { formatDuration, parseDuration } from "../time/duration.ts";
import { drawFault, plannedCalls } from "./plan-kinds.ts";
import {
  faultKinds,
  type FaultKind,
  type FaultPlan,
  type PlanNames,
  type PlannedFault,
  type PlanOptions,
} from "./plan-spec.ts";
import type { FaultSpec } from "./spec.ts";

/**
 * Draws faults of each kind at gaps of 0 to 2 times its mean, up to the calm. Kinds draw apart: leaving one out changes
 * nothing of the others. What cannot happen when its time comes is skipped. E_OPTION for durations that make no sense,
 * and for a kind without a name that it needs.
 *
 *     const plan = drawPlan({ seed: 7, duration: "10m", calm: "1m", threads, rates: { crash: "30s" } });
 */
export function drawPlan(options: PlanOptions): FaultPlan {
  const { seed, duration, rates } = options;
  const durationMs = parseDuration(duration, "drawPlan: duration") / 1e6;
  const calmFromMs = durationMs - parseDuration(options.calm, "drawPlan: calm") / 1e6;
  const fromMs = parseDuration(options.from ?? "1ms", "drawPlan: from") / 1e6;
  if (calmFromMs <= fromMs) {
    throw new MockHostError("E_OPTION", "drawPlan: the calm begins before the first fault may", {
      remedy: "give a longer duration, or a shorter calm",
    });
  }
  const drawn: { readonly atMs: number; readonly fault: FaultSpec }[] = [];
  for (const kind of faultKinds) {
    const mean = rates[kind];
    if (mean === undefined) continue;
    requireNames(kind, options);
    const meanMs = parseDuration(mean, `drawPlan: rates: ${kind}`) / 1e6;
    const random = new Random(seed, "plan", kind);
    const gapMs = (): number => 1 + random.below(Math.max(1, Math.round(2 * meanMs)));
    for (let atMs = fromMs + gapMs(); atMs < calmFromMs; atMs += gapMs()) {
      const draw = { random, names: options, leftMs: Math.max(1, Math.floor(calmFromMs - atMs)) };
      for (const { afterMs, fault } of drawFault(kind, draw))
        drawn.push({ atMs: atMs + afterMs, fault });
    }
  }
  drawn.sort((one, other) => one.atMs - other.atMs);
  const faults = drawn.map(({ atMs, fault }): PlannedFault => ({
    at: formatDuration(atMs * 1e6),
    ...fault,
  }));
  return { seed, duration, calmFrom: formatDuration(calmFromMs * 1e6), faults };
}

/** What of a fault tells whether a callback has to be left. */
interface FaultWords {
  readonly do: string;
  readonly before?: string | undefined;
  readonly rates?: { readonly pause?: unknown } | undefined;
}

/** The option `pausePoints` that these faults need; those of a plan whose rates have pauses. */
export function pausePointsOf(faults: Iterable<FaultWords>): string[] {
  const points = new Set<string>();
  for (const { do: name, before, rates } of faults) {
    if (name === "pause" && before !== undefined) points.add(before);
    if (name === "faults" && rates?.pause !== undefined)
      for (const call of plannedCalls) points.add(call);
  }
  return [...points].sort();
}

/** E_OPTION for a kind whose faults would have nothing to name. */
function requireNames(kind: FaultKind, names: PlanNames): void {
  const missing = (what: string, list: readonly unknown[] | undefined): void => {
    if (list !== undefined && list.length > 0) return;
    throw new MockHostError("E_OPTION", `faults of the kind ${kind} need ${what}`, {
      remedy: `give ${what}, or leave the rate of ${kind} out`,
    });
  };
  missing("threads", names.threads);
  if (kind === "cas_storm") missing("keys", names.keys);
  if (kind === "reconfigure") missing("configurations", Object.values(names.configurations ?? {}));
  const ofCalls = ["delay_calls", "lost_answers", "late_answers", "duplicated_calls"];
  if (ofCalls.includes(kind)) missing("clusters", names.clusters);
}
