// Whether this candidate leads, with which term and until when; and what it says of that.
import { monoMs } from "./host.guest";
import * as rules from "./rules.guest";
import { Work } from "./rules.guest";
import { FOR_EVER_MS, sayClaim, sayRenewal, sayStop } from "./witness.guest";

/** With effects told as claims: so many of them in one term. */
const EFFECTS_MAX: i64 = 16;

export let isLeading: bool = false;
/** Of the record written last, whether it is led with or not. */
export let term: i64 = 0;
/** The largest met so far. */
export let seenTerm: i64 = 0;
let untilMs: i64 = 0;
/** Effects of this leadership. */
let effectCount: i64 = 0;

export function sawTerm(seen: i64): void {
  seenTerm = max(seenTerm, seen);
}

/** Its record with this term is written. */
export function tookTerm(taken: i64): void {
  term = taken;
  if (rules.terms != rules.Terms.RecordOnly) seenTerm = taken;
}

/** Whether it may act now. */
export function mayAct(nowMs: i64): bool {
  return isLeading && (rules.isFlag || nowMs < untilMs);
}

export function start(r0: i64): void {
  isLeading = true;
  effectCount = 0;
  const baseMs = promise(r0);
  sayClaim(spokenTerm(), baseMs, spokenUntil());
}

export function goOn(r0: i64): void {
  const baseMs = promise(r0);
  if (!rules.isFlag) sayRenewal(spokenTerm(), baseMs, untilMs);
}

export function stop(nowMs: i64, reason: string): void {
  isLeading = false;
  sayStop(spokenTerm(), nowMs, nowMs >= untilMs && !rules.isFlag ? "expired" : reason);
}

/** The resource knows a higher term. */
export function fenced(nowMs: i64, last: i64): void {
  sawTerm(last);
  if (isLeading) stop(nowMs, "fenced");
}

/** An effect was accepted: told as a leadership of its own, so that the oracle sees its place among the claims. */
export function acted(nowMs: i64): void {
  sayStop(spokenTerm(), nowMs, "superseded");
  effectCount++;
  sayClaim(spokenTerm(), nowMs, spokenUntil());
}

function promise(r0: i64): i64 {
  const baseMs = rules.promisesAfterSet ? monoMs() : r0;
  untilMs = baseMs + rules.leaseMs - rules.guardMs;
  return baseMs;
}

function spokenUntil(): i64 {
  return rules.isFlag ? untilMs + FOR_EVER_MS : untilMs;
}

function spokenTerm(): i64 {
  return rules.work == Work.Cell ? term * EFFECTS_MAX + effectCount : term;
}
