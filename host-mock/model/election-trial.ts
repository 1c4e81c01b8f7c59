import type { Generator } from "./generator.ts";

/**
 * One leader pauses; does its lease run out, and what becomes of what it writes when it wakes? In seconds, since the
 * published numbers come from sums of such doubles.
 *
 *     start         start + TTL     + detect + race = elected   + 0.5
 *     ├── leader pauses ──┤ lease out                 │           │ the new leader's first write
 *     └──────────────────────── pause ───────────────────┤ + 0.1: the old leader's, waking
 */
export interface ElectedTrial {
  readonly latency: number;
  /** When the new leader's election is complete. */
  readonly electedAt: number;
  readonly newWriteAt: number;
  readonly oldWriteAt: number;
}

/** Of a hundred pauses of the leader so many are short ones, such as a garbage collection. */
const shortShare = 0.99;
/** Short pauses are shorter than this; long ones are between the two that follow. */
const shortMax = 0.2;
export const longMin = 1;
export const longMax = 30;
export const longShare = 1 - shortShare;
/** Between the end of the lease and its being noticed, and the contest that follows, at most. */
export const detectMax = 0.2;
export const raceMax = 0.1;
/** From the election to the new leader's first write, and from waking to the old one's. */
export const newWriteDelay = 0.5;
export const oldWriteDelay = 0.1;

/** A pause of the leader: two draws. */
export function drawPause(generator: Generator): number {
  return generator.unit() < shortShare
    ? shortMax * generator.unit()
    : longMin + (longMax - longMin) * generator.unit();
}

/**
 * One trial; undefined where the pause is no longer than the lease, so that nobody is elected. Draws, in this order:
 * the start, two for the pause and, only with an election, detection and contest.
 */
export function drawTrial(generator: Generator, ttl: number): ElectedTrial | undefined {
  const start = 10 * generator.unit();
  const pause = drawPause(generator);
  if (pause <= ttl) return undefined;
  const detect = detectMax * generator.unit();
  const race = raceMax * generator.unit();
  const latency = ttl + detect + race;
  return {
    latency,
    electedAt: start + latency,
    newWriteAt: start + latency + newWriteDelay,
    oldWriteAt: start + pause + oldWriteDelay,
  };
}
