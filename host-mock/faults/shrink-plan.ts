import { parseDuration, formatDuration } from "../time/duration.ts";
import type { FaultPlan, PlannedFault } from "./plan-spec.ts";

export interface ShrunkPlan {
  readonly plan: FaultPlan;
  /** How many plans were tried. */
  readonly tryCount: number;
  /** False when the tries were used up before nothing more could be left out. */
  readonly isMinimal: boolean;
}

/** Keys without which a fault is simpler. */
const optional = ["within", "nth", "restart_after"] as const;
/** Durations that may be shorter. */
const lengths = ["for", "by"] as const;
const shortestNs = 1_000_000;

/**
 * The plan with as few faults as possible that still fails, each as simple as possible: faults are left out in halves,
 * quarters, … and one by one, then keys, then lengths are halved, until nothing of it can go.
 *
 * The search is that of delta debugging (A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input",
 * 2002), by complements alone.
 */
export function shrinkPlan(
  plan: FaultPlan,
  fails: (plan: FaultPlan) => boolean,
  options: { readonly triesMax?: number } = {},
): ShrunkPlan {
  const shrinking = new Shrinking(plan, fails, options.triesMax ?? 1000);
  let before;
  do {
    before = shrinking.faults;
    shrinking.leaveFaultsOut();
    shrinking.simplifyFaults();
  } while (before !== shrinking.faults);
  const { faults, tryCount, isCutOff } = shrinking;
  return { plan: { ...plan, faults }, tryCount, isMinimal: !isCutOff };
}

class Shrinking {
  faults: readonly PlannedFault[];
  tryCount = 0;
  readonly #plan: FaultPlan;
  readonly #fails: (plan: FaultPlan) => boolean;
  readonly #triesMax: number;

  constructor(plan: FaultPlan, fails: (plan: FaultPlan) => boolean, triesMax: number) {
    this.#plan = plan;
    this.#fails = fails;
    this.#triesMax = triesMax;
    this.faults = plan.faults;
  }

  get isCutOff(): boolean {
    return this.tryCount >= this.#triesMax;
  }

  leaveFaultsOut(): void {
    for (let size = Math.ceil(this.faults.length / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let at = 0; at < this.faults.length;) {
        const rest = [...this.faults.slice(0, at), ...this.faults.slice(at + size)];
        if (!this.#takes(rest)) at += size;
      }
    }
  }

  simplifyFaults(): void {
    for (let at = 0; at < this.faults.length; at++) {
      for (const key of optional) this.#replace(at, without(this.faults[at]!, key));
      for (const key of lengths) {
        while (this.#replace(at, halved(this.faults[at]!, key)));
      }
    }
  }

  #replace(at: number, fault: PlannedFault | null): boolean {
    return fault !== null && this.#takes(this.faults.with(at, fault));
  }

  /** Whether it still fails so; then it is kept. */
  #takes(faults: readonly PlannedFault[]): boolean {
    if (this.isCutOff) return false;
    this.tryCount++;
    if (!this.#fails({ ...this.#plan, faults })) return false;
    this.faults = faults;
    return true;
  }
}

function without(fault: PlannedFault, key: string): PlannedFault | null {
  if (!(key in fault)) return null;
  return Object.fromEntries(
    Object.entries(fault).filter(([name]) => name !== key),
  ) as unknown as PlannedFault;
}

function halved(fault: PlannedFault, key: string): PlannedFault | null {
  const text = (fault as unknown as Readonly<Record<string, unknown>>)[key];
  if (typeof text !== "string" || /^[+-]/.test(text)) return null;
  const halfNs = Math.floor(parseDuration(text) / 2 / shortestNs) * shortestNs;
  if (halfNs < shortestNs) return null;
  return { ...fault, [key]: formatDuration(halfNs) };
}
