import { fencePolicies } from "./fencing.ts";
import type { LeasePauseModel, LeasePauseRow } from "./lease-pause.ts";
import type { Proportion, Range } from "./proportion.ts";
import type { Quantile } from "./quantile.ts";

/** Whether nothing lies outside its band; what has too few cases for a band is not judged. */
export function isAsExpected({ rows }: LeasePauseModel): boolean {
  return rows.every((row) =>
    [
      ...[row.elections, row.split, row.early, row.lateFence, row.outlived],
      ...(row.latency === null ? [] : [row.latency.p50, row.latency.p99]),
    ].every(({ isInside }) => isInside !== false),
  );
}

/** The model as the JSON document of `model lease-pause --json`. */
export function leasePauseJson(model: LeasePauseModel): object {
  const { generator, seed, trials, rows } = model;
  return {
    model: "lease-pause",
    ok: isAsExpected(model),
    generator,
    seed,
    trials,
    rows: rows.map(rowJson),
  };
}

function rowJson(row: LeasePauseRow): object {
  const { latency } = row;
  return {
    ttl_ms: row.ttlMs,
    elections: proportionJson(row.elections),
    split: proportionJson(row.split),
    latency:
      latency === null ? null : { p50: quantileJson(latency.p50), p99: quantileJson(latency.p99) },
    fencing: Object.fromEntries(
      fencePolicies.map((policy) => {
        const { beforeElection, ...counts } = row.fencing[policy];
        return [policy, { before_election: beforeElection, ...counts }];
      }),
    ),
    early: proportionJson(row.early),
    late_fence: proportionJson(row.lateFence),
    outlived: proportionJson(row.outlived),
  };
}

function proportionJson({ isInside, interval, band, ...rest }: Proportion): object {
  return { ...rest, interval: pair(interval), band: pair(band), inside: isInside };
}

function quantileJson({ valueMs, expectedMs, bandMs, isInside }: Quantile): object {
  return { ms: valueMs, expected_ms: expectedMs, band_ms: pair(bandMs), inside: isInside };
}

function pair(range: Range | null): [number, number] | null {
  return range === null ? null : [range.from, range.until];
}
