import type { Judgement } from "./property.ts";
import { andMore, count } from "./wording.ts";

/** One breach of a rule: the instant, and a sentence that says what, when and who. */
export interface Breach {
  readonly atNs: number;
  readonly detail: string;
}

/** Holds when no breach is found; else tells the first and counts the others. */
export function always(breaches: readonly Breach[], whenHeld = ""): Judgement {
  const first = breaches[0];
  if (first === undefined) return { holds: true, detail: whenHeld, atMs: null };
  return {
    holds: false,
    detail: `${first.detail}${andMore(breaches.length - 1)}`,
    atMs: first.atNs / 1e6,
  };
}

/** Holds when it was seen at least once: what never happened proves nothing. */
export function sometimes(wasSeen: boolean, whenNot: string): Judgement {
  return { holds: wasSeen, detail: wasSeen ? "" : whenNot, atMs: null };
}

export interface Bounds {
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

/**
 * Holds when the count lies within the bounds, both inclusive. Without `atLeast` one is expected, or none where
 * `atMost` is 0. `instants` are those of the counted things: the first one too many is the violation's instant.
 */
export function counted(instants: readonly number[], noun: string, bounds: Bounds): Judgement {
  const atLeast = bounds.atLeast ?? Math.min(1, bounds.atMost ?? 1);
  const atMost = bounds.atMost ?? Number.POSITIVE_INFINITY;
  const seen = count(instants.length, noun);
  if (instants.length < atLeast)
    return { holds: false, detail: `${seen}, at least ${atLeast} expected`, atMs: null };
  const tooMany = instants[atMost];
  if (tooMany === undefined) return { holds: true, detail: seen, atMs: null };
  return { holds: false, detail: `${seen}, at most ${atMost} expected`, atMs: tooMany / 1e6 };
}

/** Holds when all do; the details of those that do not (else of all) stand side by side. */
export function both(...judgements: readonly Judgement[]): Judgement {
  const broken = judgements.filter((judgement) => !judgement.holds);
  const shown = broken.length > 0 ? broken : judgements;
  const detail = shown.map((judgement) => judgement.detail).filter((text) => text !== "");
  const instants = broken.flatMap((judgement) => (judgement.atMs === null ? [] : [judgement.atMs]));
  return {
    holds: broken.length === 0,
    detail: detail.join("; "),
    atMs: instants.length === 0 ? null : Math.min(...instants),
  };
}
