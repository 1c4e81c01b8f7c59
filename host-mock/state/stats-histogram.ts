/**
 * Envoy's histograms: log-linear bins of two significant decimal digits, so that what is shown of a sample is what is
 * known of its bin and not the sample.
 *
 *     sample 12345 ──▶ bin 12000 … 13000    sample 57 ──▶ bin 57 … 58    sample 3 ──▶ bin 3.0 … 3.1
 *
 * Source: libcircllhist `src/circllhist.c`, Envoy `source/common/stats/histogram_impl.cc`.
 */

/** The bin of value `digits / 10 × 10^exponent`; digits are 10 … 99, negative for negative samples, or 0. */
interface Bin {
  readonly digits: number;
  readonly exponent: number;
  count: number;
}

/** Bins by their place on the number line. */
export class HistogramBins {
  readonly #bins = new Map<string, Bin>();
  #sampleCount = 0;

  get sampleCount(): number {
    return this.#sampleCount;
  }

  /** Samples are kept as signed 64 bits: from 2^63 on they are negative ones. */
  add(sample: bigint): void {
    const [digits, exponent] = placeOf(BigInt.asIntN(64, sample));
    this.#addTo(digits, exponent, 1);
  }

  merge(other: HistogramBins): void {
    for (const { digits, exponent, count } of other.#bins.values())
      this.#addTo(digits, exponent, count);
  }

  /** The sum of the bins' middles: 104.76… for one sample of 100. */
  get approximateSum(): number {
    let sum = 0;
    for (const bin of this.#sorted()) sum += middleOf(bin) * bin.count;
    return sum;
  }

  /** Samples in bins that begin at or below a bound. */
  countUpTo(bound: number): number {
    let count = 0;
    for (const bin of this.#bins.values()) if (lowerEdgeOf(bin) <= bound) count += bin.count;
    return count;
  }

  /** Values at quantiles (0 … 1, ascending); NaN for all when there is no sample. */
  quantiles(wanted: readonly number[]): number[] {
    const bins = this.#sorted();
    return wanted.map((quantile) => {
      const rank = Math.max(1, Math.ceil(this.#sampleCount * quantile));
      let below = 0;
      for (const bin of bins) {
        if (rank <= below + bin.count) {
          return lowerEdgeOf(bin) + (widthOf(bin) * (rank - below)) / (bin.count + 1);
        }
        below += bin.count;
      }
      return NaN;
    });
  }

  #addTo(digits: number, exponent: number, count: number): void {
    const key = `${digits}e${exponent}`;
    const bin = this.#bins.get(key);
    if (bin === undefined) this.#bins.set(key, { digits, exponent, count });
    else bin.count += count;
    this.#sampleCount += count;
  }

  #sorted(): Bin[] {
    return [...this.#bins.values()].sort((one, other) => valueOf(one) - valueOf(other));
  }
}

/** A histogram of the process: what was flushed, what the last flush brought, and what waits for the next one. */
export class StatsHistogram {
  /** All samples up to the last flush. */
  cumulative = new HistogramBins();
  /** Those that the last flush brought. */
  interval = new HistogramBins();
  #waiting = new HistogramBins();
  #flushIndex = 0;
  readonly #flushNs: number;

  /** `flushNs`: between flushes. */
  constructor(flushNs: number = defaultFlushNs) {
    this.#flushNs = flushNs;
  }

  record(sample: bigint, nowNs: number): void {
    this.flush(nowNs);
    this.#waiting.add(sample);
  }

  /** Brings it to where it stands at an instant; instants never go back. */
  flush(nowNs: number): void {
    const flushIndex = Math.floor(nowNs / this.#flushNs);
    if (flushIndex === this.#flushIndex) return;
    this.cumulative.merge(this.#waiting);
    this.interval = flushIndex === this.#flushIndex + 1 ? this.#waiting : new HistogramBins();
    this.#waiting = new HistogramBins();
    this.#flushIndex = flushIndex;
  }

  /** Samples so far, flushed or not. */
  get sampleCount(): number {
    return this.cumulative.sampleCount + this.#waiting.sampleCount;
  }
}

/** Envoy's `stats_flush_interval` when nothing is configured. */
const defaultFlushNs = 5_000_000_000;

function placeOf(sample: bigint): [digits: number, exponent: number] {
  if (sample === 0n) return [0, 0];
  let rest = sample < 0n ? -sample : sample;
  let exponent = 1;
  for (; rest >= 100n; rest /= 10n) exponent++;
  for (; rest < 10n; rest *= 10n) exponent--;
  return [sample < 0n ? -Number(rest) : Number(rest), exponent];
}

/** Read from text: products of powers of ten would not be the nearest numbers. */
function powerOfTen(exponent: number): number {
  return Number(`1e${exponent}`);
}

/** The edge next to zero. */
function valueOf({ digits, exponent }: Bin): number {
  return digits === 0 ? 0 : (digits / 10) * powerOfTen(exponent);
}

function lowerEdgeOf(bin: Bin): number {
  if (bin.digits >= 0) return valueOf(bin);
  return ((bin.digits - 1) / 10) * powerOfTen(bin.exponent);
}

function widthOf({ digits, exponent }: Bin): number {
  return digits === 0 ? 0 : powerOfTen(exponent) / 10;
}

/** The point that divides the bin as its edges divide their sum: it keeps the relative error smallest. */
function middleOf(bin: Bin): number {
  if (bin.digits === 0) return 0;
  const near = valueOf(bin);
  const width = bin.digits < 0 ? -widthOf(bin) : widthOf(bin);
  return near + width * (near / (near + near + width));
}
