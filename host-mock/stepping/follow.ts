import type { TraceEvent } from "../trace/event.ts";
import { logClaim } from "../trace/witness-reader.ts";
import type { WitnessStatement } from "../trace/leadership.ts";
import { LocalBreach, type Promised } from "./local-state.ts";

const nsPerMs = 1e6;

/** What a step's witness statements say of the guest's leadership. */
export interface Followed {
  promised: Promised | null;
  claimed: bigint | null | undefined;
  breaches: number;
}

/** Follows the witness lines of one step, in order. */
export function followLines(before: Promised | null, lines: readonly TraceEvent[]): Followed {
  const followed: Followed = { promised: before, claimed: undefined, breaches: 0 };
  for (const line of lines) {
    const said = logClaim(line);
    if (said !== null) follow(followed, said);
  }
  return followed;
}

/**
 * A claim under the same id and term goes on, as a renewal does; another begins a leadership. A stop of the present
 * term ends it.
 */
export function follow(followed: Followed, said: WitnessStatement): void {
  const { promised } = followed;
  if (said.kind === "stop") {
    if (promised === null || promised.term !== said.term) followed.breaches |= LocalBreach.unpaired;
    else followed.promised = null;
    return;
  }
  const untilMs = said.untilNs / nsPerMs;
  const isSame = promised !== null && promised.term === said.term && promised.id === said.id;
  if (isSame && said.sinceNs / nsPerMs < promised.untilMs) {
    if (said.kind === "claim" && said.term !== null) followed.breaches |= LocalBreach.unpaired;
    followed.promised = { ...promised, untilMs: Math.max(promised.untilMs, untilMs) };
    return;
  }
  if (promised !== null && said.kind === "claim" && said.term !== null)
    followed.breaches |= LocalBreach.unpaired;
  followed.promised = { id: said.id, term: said.term, untilMs };
  followed.claimed = said.term;
}
