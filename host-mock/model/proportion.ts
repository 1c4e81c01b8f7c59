/** A stretch of values, both ends included. */
export interface Range {
  readonly from: number;
  readonly until: number;
}

/** A share that was counted, beside the one that theory expects. */
export interface Proportion {
  readonly count: number;
  readonly of: number;
  /** `count / of`; null of none. */
  readonly rate: number | null;
  /** Where the true share lies with 95 % confidence, by Wilson's score; null of none. */
  readonly interval: Range | null;
  readonly expected: number;
  /** Four standard errors either way of what is expected: one share in 16,000 falls outside by chance. */
  readonly band: Range | null;
  /** Whether the rate lies in the band; null where there are too few cases for the band to mean that. */
  readonly isInside: boolean | null;
}

/** How wide a band is, in standard errors. */
export const bandWidth = 4;
const normal95 = 1.959963984540054;
/** Of a binomial's variance: below it the normal distribution, and so the band, is a bad likeness. */
const varianceMin = 9;

export function proportion(count: number, of: number, expected: number): Proportion {
  if (of === 0)
    return { count, of, rate: null, interval: null, expected, band: null, isInside: null };
  const rate = count / of;
  const band = bandOf(expected, of);
  return {
    count,
    of,
    rate,
    interval: wilson(count, of),
    expected,
    band,
    isInside: hasBand(expected, of) ? contains(band, rate) : null,
  };
}

/** Whether so many cases are enough for a band about a share. */
export function hasBand(share: number, of: number): boolean {
  return of * share * (1 - share) >= varianceMin;
}

/** Four standard errors either way of a share, within 0 and 1. */
export function bandOf(share: number, of: number): Range {
  const half = bandWidth * Math.sqrt((share * (1 - share)) / of);
  return { from: Math.max(0, share - half), until: Math.min(1, share + half) };
}

export function contains(range: Range, value: number): boolean {
  return range.from <= value && value <= range.until;
}

function wilson(count: number, of: number): Range {
  const z2 = normal95 ** 2;
  const rate = count / of;
  const middle = (rate + z2 / (2 * of)) / (1 + z2 / of);
  const half =
    (normal95 / (1 + z2 / of)) * Math.sqrt((rate * (1 - rate)) / of + z2 / (4 * of * of));
  // Exact at the ends, where the sum is off by a rounding.
  return {
    from: count === 0 ? 0 : middle - half,
    until: count === of ? 1 : middle + half,
  };
}
