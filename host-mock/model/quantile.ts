import { bandOf, contains, hasBand, type Range } from "./proportion.ts";

/** A value that a share of the cases do not exceed, beside the one that theory expects; in milliseconds. */
export interface Quantile {
  readonly valueMs: number;
  readonly expectedMs: number;
  /** The expected values at four standard errors either way of the share. */
  readonly bandMs: Range;
  /** Whether the value lies in the band; null where there are too few cases for the band to mean that. */
  readonly isInside: boolean | null;
}

/** The value at the share's place in ascending seconds, of which there is at least one. */
export function quantile(
  ascending: Float64Array,
  share: number,
  theory: (share: number) => number,
): Quantile {
  const value = ascending[Math.floor(share * ascending.length)] ?? Number.NaN;
  const shares = bandOf(share, ascending.length);
  const band = { from: theory(shares.from), until: theory(shares.until) };
  return {
    valueMs: ms(value),
    expectedMs: ms(theory(share)),
    bandMs: { from: ms(band.from), until: ms(band.until) },
    isInside: hasBand(share, ascending.length) ? contains(band, value) : null,
  };
}

/** Milliseconds to the microsecond: what lies below is the error of adding doubles. */
function ms(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e3;
}
