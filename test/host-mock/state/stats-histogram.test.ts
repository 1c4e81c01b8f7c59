import { describe, expect, it } from "vitest";
import { HistogramBins, StatsHistogram } from "../../../host-mock/state/stats-histogram.ts";

const quantiles = [0, 0.25, 0.5, 0.75, 0.9, 1];

function binsOf(...samples: readonly (number | bigint)[]): HistogramBins {
  const bins = new HistogramBins();
  for (const sample of samples) bins.add(BigInt(sample));
  return bins;
}

describe("bins of two digits, as measured on Envoy", () => {
  it.each<[string, (number | bigint)[], number[], number]>([
    ["one sample", [100], [105, 105, 105, 105, 105, 105], 104.76190476190476],
    [
      "two in one bin",
      [1, 2, 2, 57, 12345],
      [1.05, 2.033333333333333, 2.066666666666667, 57.5, 12500, 12500],
      12542.640832197141,
    ],
    [
      "bins of different widths",
      [99, 100, 101, 250, 999, 1000, 5, 10],
      [5.05, 10.5, 103.33333333333333, 255, 1050, 1050],
      2622.0428751629015,
    ],
    ["zero, a bin without width", [0, 3], [0, 0, 0, 3.05, 3.05, 3.05], 3.0491803278688523],
    [
      "numbers from 2^63 on are negative",
      [2n ** 64n - 1n, 2n ** 63n - 1n],
      [-1.05, -1.05, -1.05, 9.25e18, 9.25e18, 9.25e18],
      9249729729729728512,
    ],
  ])("%s", (_name, samples, values, sum) => {
    const bins = binsOf(...samples);

    expect(bins.quantiles(quantiles)).toEqual(values);
    expect(bins.approximateSum).toBe(sum);
  });

  it("counts a bin as below a bound when it begins there", () => {
    const bins = binsOf(99, 100, 101, 250, 999, 1000, 5, 10);

    const counts = [1, 5, 10, 50, 100, 250, 500, 1000].map((bound) => bins.countUpTo(bound));

    expect(counts).toEqual([0, 1, 2, 2, 5, 6, 6, 8]);
  });

  it("has no quantiles without a sample", () => {
    expect(new HistogramBins().quantiles([0, 1])).toEqual([NaN, NaN]);
  });
});

describe("flushes every five seconds", () => {
  const second = 1e9;

  it("show a sample after the flush, in the interval that the flush ended and in no other", () => {
    const histogram = new StatsHistogram();
    const at = (seconds: number): [number, number] => {
      histogram.flush(seconds * second);
      return [histogram.interval.sampleCount, histogram.cumulative.sampleCount];
    };

    histogram.record(7n, 1 * second);

    expect([at(4.999), at(5), at(9.999), at(10), at(60)]).toEqual([
      [0, 0],
      [1, 1],
      [1, 1],
      [0, 1],
      [0, 1],
    ]);
  });

  it("that nobody looked at leave nothing in the interval", () => {
    const histogram = new StatsHistogram();
    histogram.record(7n, 0);

    histogram.record(8n, 11 * second);
    histogram.flush(15 * second);

    expect(histogram.interval.sampleCount).toBe(1);
    expect(histogram.interval.quantiles([1])).toEqual([8.05]);
    expect(histogram.cumulative.sampleCount).toBe(2);
  });

  it("do not change how many samples there are", () => {
    const histogram = new StatsHistogram();
    histogram.record(7n, 0);
    histogram.record(7n, 6 * second);

    expect(histogram.sampleCount).toBe(2);
  });
});
