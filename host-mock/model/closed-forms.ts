import {
  detectMax,
  longMax,
  longMin,
  longShare,
  newWriteDelay,
  oldWriteDelay,
  raceMax,
} from "./election-trial.ts";

/**
 * What theory says of the simulation, for a lease of 1 s to 29 s: then only long pauses outlive it, and every outcome
 * has room. Pauses longer than the lease are even between it and their maximum.
 */

/** Share of the pauses that outlive the lease. */
export function electionShare(ttl: number): number {
  return (longShare * (longMax - ttl)) / (longMax - longMin);
}

/** Share of the elections after which the old leader writes over the new one's first write. */
export function splitShare(ttl: number): number {
  return 1 - (meanContest + newWriteDelay - oldWriteDelay) / (longMax - ttl);
}

/** Share of the elections after which the old leader writes before the new one has: a fence has not heard of it yet. */
export function lateFenceShare(ttl: number): number {
  return (meanContest + newWriteDelay - oldWriteDelay - meanEarly) / (longMax - ttl);
}

/** Share of the elections that the old leader's waking write is ahead of. */
export function earlyShare(ttl: number): number {
  return meanEarly / (longMax - ttl);
}

/** Seconds within which that share of the elections are complete. */
export function latencyQuantile(ttl: number, share: number): number {
  return ttl + contestQuantile(share);
}

/**
 * Share of the effects whose pause, between asking whether one leads and the effect, is longer than the rest of the
 * lease. The rest is even between two thirds of the lease, which is renewed each third, and all of it.
 */
export function outlivedShare(ttl: number): number {
  const from = restMin * ttl;
  // A rest below the shortest long pause is outlived by every long one.
  const even = Math.max(from, longMin);
  const below = ((longMax - even) ** 2 - (longMax - ttl) ** 2) / 2;
  return (longShare * (even - from + below / (longMax - longMin))) / (ttl - from);
}

/** What is left of a lease at least, in thirds renewed. */
export const restMin = 2 / 3;

/** Detection and contest: the sum of two even draws, whose density is a trapezoid. */
const meanContest = (detectMax + raceMax) / 2;

/** Mean of how far detection and contest exceed the old leader's delay, in which its write is ahead of the election. */
const meanEarly = meanContest - oldWriteDelay + oldWriteDelay ** 3 / (6 * detectMax * raceMax);

/** Inverse of the trapezoid's distribution; shares outside 0 and 1 are taken as the nearer of them. */
function contestQuantile(share: number): number {
  const corner = raceMax / (2 * detectMax);
  const q = Math.max(0, Math.min(1, share));
  const slope = 2 * detectMax * raceMax;
  if (q < corner) return Math.sqrt(slope * q);
  if (q > 1 - corner) return detectMax + raceMax - Math.sqrt(slope * (1 - q));
  return raceMax + (q - corner) * detectMax;
}
