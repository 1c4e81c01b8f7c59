/**
 * Envoy's statistics pages, plain and for Prometheus.
 *
 * Source: Envoy `source/server/admin/stats_request.cc`, `stats_render.cc`, `prometheus_stats.cc`.
 */
import { fromLatin1, lossyUtf8 } from "./bytes.ts";
import type { StatsHistogram } from "./stats-histogram.ts";
import { shortest, thirtyTwoDigits } from "./stats-numbers.ts";
import { prometheusName, taggedName, type TaggedName } from "./stats-names.ts";

/** A line of the page, or several. The name is a binary string: one character a byte. */
export type Statistic =
  | {
      readonly kind: "counter" | "gauge";
      readonly name: string;
      readonly value: bigint;
      /** It was written to: stats sinks are shown no others. */
      readonly isUsed: boolean;
      /** What counts: another one under the same name has begun at 0. Envoy's own statistics need none. */
      readonly metric?: object;
    }
  | { readonly kind: "histogram"; readonly name: string; readonly histogram: StatsHistogram };

const percentiles = [0, 25, 50, 75, 90, 95, 99, 99.5, 99.9, 100];
const quantiles = [0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 1];
const bounds = [
  ...[0.5, 1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 30000, 60000, 300000],
  ...[600000, 1800000, 3600000],
];

/**
 * `/stats`: counters and gauges by name, then histograms by name. Of a counter and a gauge of one name only the gauge
 * is there. A histogram shows each percentile of the last interval and of all time, as of the last flush.
 */
export function textPage(statistics: readonly Statistic[], filter?: RegExp): string {
  const values = new Map<string, string>();
  const histograms = new Map<string, string>();
  const shown = matching(statistics, filter);
  for (const kind of ["counter", "gauge"] as const) {
    for (const one of shown) if (one.kind === kind) values.set(one.name, String(one.value));
  }
  for (const one of shown) {
    if (one.kind === "histogram") histograms.set(one.name, percentileText(one.histogram));
  }
  return [values, histograms]
    .flatMap((lines) => [...lines].sort(([one], [other]) => order(one, other)))
    .map(([name, value]) => `${shownName(name)}: ${value}\n`)
    .join("");
}

/**
 * `/stats/prometheus`: counters, gauges, histograms, each by name; statistics that differ in their tags only stand under
 * one `# TYPE` line. Plugins' own names have no prefix; one that begins with a digit is left out.
 */
export function prometheusPage(statistics: readonly Statistic[], filter?: RegExp): string {
  const shown = matching(statistics, filter);
  let page = "";
  for (const kind of ["counter", "gauge", "histogram"] as const) {
    const groups = new Map<string, { tagged: TaggedName; statistic: Statistic }[]>();
    for (const statistic of shown) {
      if (statistic.kind !== kind) continue;
      const tagged = taggedName(statistic.name);
      const group = groups.get(tagged.name) ?? [];
      group.push({ tagged, statistic });
      groups.set(tagged.name, group);
    }
    for (const name of [...groups.keys()].sort(orderBySegments)) {
      const exposed = prometheusName(name);
      if (exposed === undefined) continue;
      page += `# TYPE ${exposed} ${kind}\n`;
      const group = groups.get(name)!;
      group.sort((one, other) => orderBySegments(one.statistic.name, other.statistic.name));
      for (const { tagged, statistic } of group) page += entry(exposed, tagged, statistic);
    }
  }
  return page;
}

function entry(name: string, { tags }: TaggedName, statistic: Statistic): string {
  if (statistic.kind !== "histogram") return `${name}{${tags.join(",")}} ${statistic.value}\n`;
  const { cumulative } = statistic.histogram;
  const count = cumulative.sampleCount;
  const bucket = (bound: string, samples: number): string =>
    `${name}_bucket{${[...tags, `le="${bound}"`].join(",")}} ${samples}\n`;
  const own = `{${tags.join(",")}}`;
  return [
    ...bounds.map((bound) => bucket(String(bound), cumulative.countUpTo(bound))),
    bucket("+Inf", count),
    `${name}_sum${own} ${thirtyTwoDigits(cumulative.approximateSum)}\n`,
    `${name}_count${own} ${count}\n`,
  ].join("");
}

function percentileText({ cumulative, interval }: StatsHistogram): string {
  if (cumulative.sampleCount === 0) return "No recorded values";
  const [last, all] = [interval.quantiles(quantiles), cumulative.quantiles(quantiles)];
  return percentiles
    .map((percent, at) => `P${percent}(${shortest(last[at]!)},${shortest(all[at]!)})`)
    .join(" ");
}

function matching(statistics: readonly Statistic[], filter: RegExp | undefined): Statistic[] {
  if (filter === undefined) return [...statistics];
  // A sticky or global expression would go on where the last name ended.
  const once = new RegExp(filter.source, filter.flags.replace(/[gy]/g, ""));
  return statistics.filter(({ name }) => once.test(shownName(name)));
}

function shownName(name: string): string {
  return lossyUtf8(fromLatin1(name));
}

/** By bytes. */
function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Part by part between the dots, so that `a.b` comes before `a-b`. */
function orderBySegments(one: string, other: string): number {
  const [parts, others] = [one.split("."), other.split(".")];
  for (const [at, part] of parts.entries()) {
    const against = others[at];
    if (against === undefined) return 1;
    if (part !== against) return order(part, against);
  }
  return parts.length - others.length;
}
