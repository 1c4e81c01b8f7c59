import type { Leadership } from "../trace/leadership.ts";
import { always, type Breach } from "./combinators.ts";
import type { Judgement } from "./property.ts";
import { leader, time } from "./wording.ts";

/** A stretch in which two contexts led at once. */
export interface Overlap {
  readonly fromNs: number;
  readonly untilNs: number;
  readonly one: Leadership;
  readonly other: Leadership;
}

/** All instants that lie in leaderships of two different contexts, as half-open stretches, in order of their start. */
export function overlaps(leaderships: readonly Leadership[]): Overlap[] {
  const found: Overlap[] = [];
  let running: Leadership[] = [];
  for (const next of [...leaderships].sort((one, other) => one.fromNs - other.fromNs)) {
    running = running.filter((earlier) => earlier.untilNs > next.fromNs);
    for (const earlier of running) {
      if (earlier.vm === next.vm && earlier.context === next.context) continue;
      const untilNs = Math.min(earlier.untilNs, next.untilNs);
      if (untilNs > next.fromNs)
        found.push({ fromNs: next.fromNs, untilNs, one: earlier, other: next });
    }
    running.push(next);
  }
  return found;
}

/** No instant lies in two leaderships of different contexts of the plugin. */
export function singleWinner(leaderships: readonly Leadership[]): Judgement {
  return always(overlaps(leaderships).map(breachOf));
}

function breachOf({ fromNs, untilNs, one, other }: Overlap): Breach {
  const both = `${leader(one, other)} and ${leader(other, one)}`;
  return { atNs: fromNs, detail: `${both} both lead from ${time(fromNs)} to ${time(untilNs)}` };
}
