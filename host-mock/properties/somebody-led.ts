import type { Leadership } from "../trace/leadership.ts";
import { sometimes } from "./combinators.ts";
import type { Judgement } from "./property.ts";

/** At least one context led: a run in which nobody was ever elected proves nothing about elections. */
export function somebodyLed(leaderships: readonly Leadership[]): Judgement {
  return sometimes(leaderships.length > 0, "nobody was ever elected");
}
