import type { Turn } from "../trace/leadership.ts";
import { always, both, sometimes, type Breach } from "./combinators.ts";
import type { Judgement } from "./property.ts";
import { time } from "./wording.ts";

/**
 * OnStartedLeading and OnStoppedLeading of each context strictly alternate, beginning with a start, as the elector's lines
 * of claim and stop tell it: it writes each in the same breath as it calls the plugin. A stop names the term of its claim.
 * A context that dies says no stop; a leadership may still run at the end. A run without a claim proves nothing, and fails.
 */
export function callbacksPaired(turns: readonly Turn[]): Judgement {
  const breaches: Breach[] = [];
  /** The claims that no stop has answered, by context. */
  const open = new Map<string, Turn>();
  for (const turn of turns) {
    const key = `${turn.vm} ${turn.context}`;
    const claim = open.get(key);
    const wrong = turn.kind === "claim" ? startedTwice(turn, claim) : stoppedWrong(turn, claim);
    if (wrong !== null) breaches.push({ atNs: turn.atNs, detail: wrong });
    if (turn.kind === "claim") open.set(key, turn);
    else open.delete(key);
  }
  const hasClaim = turns.some(({ kind }) => kind === "claim");
  return both(always(breaches), sometimes(hasClaim || breaches.length > 0, "nobody ever led"));
}

function startedTwice(turn: Turn, before: Turn | undefined): string | null {
  if (before === undefined) return null;
  const first = `term ${before.term}, claimed at ${time(before.atNs)}`;
  return `${who(turn)} claims term ${turn.term} at ${time(turn.atNs)} and has not stopped ${first}`;
}

function stoppedWrong(turn: Turn, claim: Turn | undefined): string | null {
  const stops = `${who(turn)} stops term ${turn.term} at ${time(turn.atNs)}`;
  if (claim === undefined) return `${stops} and leads nothing`;
  return claim.term === turn.term ? null : `${stops} and leads term ${claim.term}`;
}

function who({ vm, context }: Turn): string {
  return `${vm} (context ${context})`;
}
