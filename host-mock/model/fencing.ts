import type { ElectedTrial } from "./election-trial.ts";

/**
 * What the place that is written to does with terms: `none` takes every write; `lazy` is a fence that hears of the new
 * term with the new leader's first write; `eager` one that the new leader touches when it is elected.
 */
export const fencePolicies = ["none", "lazy", "eager"] as const;

export type FencePolicy = (typeof fencePolicies)[number];

/** What became of the waking writes of old leaders, under one policy. */
export interface WakingWrites {
  /** Before the election was complete: nobody else led, and there was nothing to protect from. */
  beforeElection: number;
  /** Taken although another led. */
  accepted: number;
  /** Of those taken, the ones that lie over a newer write of the new leader. */
  overwriting: number;
  refused: number;
}

const oldTerm = 1;
const newTerm = 2;

/** Lets the writes of every trial reach a receiver in their order of time, and counts what it does with the old leader's. */
export function wakingWrites(trials: readonly ElectedTrial[], policy: FencePolicy): WakingWrites {
  const counts: WakingWrites = { beforeElection: 0, accepted: 0, overwriting: 0, refused: 0 };
  for (const trial of trials) {
    const receiver = new Receiver(policy !== "none");
    let isOverwriting = false;
    const events = [
      ...(policy === "eager" ? [{ at: trial.electedAt, term: newTerm, writes: false }] : []),
      { at: trial.oldWriteAt, term: oldTerm, writes: true },
      { at: trial.newWriteAt, term: newTerm, writes: true },
    ];
    // Stable: of two at one instant the touch comes first and the new leader's write last.
    for (const { at, term, writes } of events.sort((one, other) => one.at - other.at)) {
      const isTaken = receiver.takes(term);
      if (!writes) continue;
      if (term === newTerm) isOverwriting = true;
      else if (at < trial.electedAt) counts.beforeElection++;
      else if (!isTaken) counts.refused++;
      else {
        counts.accepted++;
        if (isOverwriting) counts.overwriting++;
      }
    }
  }
  return counts;
}

/** Remembers the highest term it has seen, where it looks at terms at all, and takes no lower one. */
class Receiver {
  readonly #looksAtTerms: boolean;
  #highest = 0;

  constructor(looksAtTerms: boolean) {
    this.#looksAtTerms = looksAtTerms;
  }

  takes(term: number): boolean {
    if (!this.#looksAtTerms) return true;
    if (term < this.#highest) return false;
    this.#highest = term;
    return true;
  }
}
