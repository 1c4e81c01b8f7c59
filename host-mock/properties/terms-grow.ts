import type { Leadership } from "../trace/leadership.ts";
import { always, type Breach } from "./combinators.ts";
import type { Judgement } from "./property.ts";
import { leader, time } from "./wording.ts";

/** Each leadership's term is strictly above every earlier one's, in the order of the claims. */
export function termsGrow(leaderships: readonly Leadership[]): Judgement {
  const breaches: Breach[] = [];
  let highest: Leadership | null = null;
  for (const next of leaderships) {
    if (next.term === null) {
      breaches.push({
        atNs: next.fromNs,
        detail: `${leader(next)} leads from ${time(next.fromNs)} without a term`,
      });
      continue;
    }
    if (highest !== null && highest.term !== null && next.term <= highest.term) {
      const before = `after ${leader(highest, next)} at ${time(highest.fromNs)}`;
      breaches.push({
        atNs: next.fromNs,
        detail: `${leader(next, highest)} leads at ${time(next.fromNs)} ${before}`,
      });
      continue;
    }
    highest = next;
  }
  return always(breaches);
}
