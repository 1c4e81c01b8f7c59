import { MetricType } from "../abi/enums.ts";
import { Status, type StatusCode } from "../abi/status.ts";
import { fromLatin1, lossyUtf8 } from "./bytes.ts";
import { StatsHistogram } from "./stats-histogram.ts";
import { pluginNamespace } from "./stats-names.ts";
import type { Statistic } from "./stats-page.ts";

/** A counter or gauge with its value, or a histogram with its samples. */
export interface Metric {
  readonly type: number;
  /** A binary string, as the plugin gave it, without the dots at its end. */
  readonly name: string;
  /** Unsigned 64 bits; 0 for a histogram. */
  value: bigint;
  /** A plugin has written to it, not only defined it. */
  isUsed: boolean;
  /** Of a histogram only. */
  readonly histogram: StatsHistogram | undefined;
}

/** The statistics of one process: all VMs that define a name and type add to one value. */
export class Metrics {
  readonly #byKey = new Map<string, Metric>();
  /** What was defined in each scope. */
  readonly #keysOf = new Map<object, Set<string>>();
  readonly #now: () => number;
  readonly #flushNs: number | undefined;

  /** `now`: nanoseconds since the start, which decide what histograms have flushed; `flushNs`: between flushes. */
  constructor(now: () => number = () => 0, flushNs?: number) {
    this.#now = now;
    this.#flushNs = flushNs;
  }

  /**
   * The metric of that type and name, made at its first use; it lasts as long as any of the scopes it was defined in.
   * Dots at the end of a name are no part of it.
   */
  define(type: number, name: string, scope: object = this): Metric {
    const kept = name.replace(/\.+$/, "");
    const key = `${type}${kept}`;
    let metric = this.#byKey.get(key);
    if (metric === undefined) {
      const histogram =
        type === MetricType.Histogram ? new StatsHistogram(this.#flushNs) : undefined;
      metric = { type, name: kept, value: 0n, isUsed: false, histogram };
      this.#byKey.set(key, metric);
    }
    const keys = this.#keysOf.get(scope) ?? new Set();
    this.#keysOf.set(scope, keys.add(key));
    return metric;
  }

  /** The scope is gone, and metrics that no other one has with it. */
  drop(scope: object): void {
    const keys = this.#keysOf.get(scope);
    this.#keysOf.delete(scope);
    for (const key of keys ?? []) {
      const isKept = [...this.#keysOf.values()].some((others) => others.has(key));
      if (!isKept) this.#byKey.delete(key);
    }
  }

  /** A histogram's sample. */
  sample(histogram: StatsHistogram, value: bigint): void {
    histogram.record(value, this.#now());
  }

  /** As Envoy's statistics pages know them: `wasmcustom.NAME`. */
  statistics(): Statistic[] {
    return [...this.#byKey.values()].map((metric): Statistic => {
      const name = metric.name === "" ? pluginNamespace : `${pluginNamespace}.${metric.name}`;
      const { histogram } = metric;
      if (histogram === undefined) {
        const kind = metric.type === MetricType.Counter ? "counter" : "gauge";
        return { kind, name, value: metric.value, isUsed: metric.isUsed, metric };
      }
      histogram.flush(this.#now());
      return { kind: "histogram", name, histogram };
    });
  }

  /**
   * Name → value, for results: counters and gauges their value, histograms the number of samples.
   * As in Envoy's text output one name shows one statistic: the one of the highest type (a gauge
   * hides a counter).
   */
  results(): Record<string, number> {
    // A map: an object would lose a metric called __proto__.
    const shown = new Map<string, number>();
    for (const type of [MetricType.Counter, MetricType.Gauge, MetricType.Histogram]) {
      for (const metric of this.#byKey.values()) {
        if (metric.type !== type) continue;
        const name = lossyUtf8(fromLatin1(metric.name));
        shown.set(name, metric.histogram?.sampleCount ?? Number(metric.value));
      }
    }
    return Object.fromEntries(shown);
  }
}

const typeMask = 3;

/**
 * The metric ids of one VM: counters 4, 8, 12 …, gauges 5, 9 …, histograms 6, 10 …; the low two
 * bits are the type. Defining a name again gives a new id for the same value.
 *
 * | call            | counter     | gauge            | histogram   | unknown id | low bits 3  |
 * | --------------- | ----------- | ---------------- | ----------- | ---------- | ----------- |
 * | increment n > 0 | adds        | adds             | BadArgument | NotFound * | BadArgument |
 * | increment 0     | BadArgument | Ok               | BadArgument | NotFound * | BadArgument |
 * | increment n < 0 | BadArgument | subtracts, wraps | BadArgument | NotFound * | BadArgument |
 * | record v        | adds v (!)  | sets             | a sample    | NotFound   | NotFound    |
 * | get             | value       | value            | BadArgument | NotFound * | BadArgument |
 *
 * \* BadArgument for a histogram's id.
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (defineMetric … getMetric), `wasm.h`.
 */
export class VmMetrics {
  readonly #process: Metrics;
  readonly #scope: object;
  readonly #byId = new Map<number, Metric>();
  readonly #nextIds = [4, 5, 6];

  /** `scope`: what all VMs of its configuration have in common. */
  constructor(process: Metrics, scope: object = process) {
    this.#process = process;
    this.#scope = scope;
  }

  /** A new id, or undefined (BadArgument) for a type above 2. */
  define(type: number, name: string): number | undefined {
    const id = this.#nextIds[type];
    if (id === undefined) return undefined;
    this.#nextIds[type] = id + 4;
    this.#byId.set(id, this.#process.define(type, name, this.#scope));
    return id;
  }

  increment(id: number, offset: bigint): StatusCode {
    const type = id & typeMask;
    if (type > MetricType.Gauge) return Status.BadArgument;
    const metric = this.#byId.get(id);
    if (metric === undefined) return Status.NotFound;
    if (type === MetricType.Counter && offset <= 0n) return Status.BadArgument;
    metric.value = BigInt.asUintN(64, metric.value + offset);
    metric.isUsed = true;
    return Status.Ok;
  }

  record(id: number, value: bigint): StatusCode {
    const metric = this.#byId.get(id);
    if (metric === undefined) return Status.NotFound;
    metric.isUsed = true;
    const unsigned = BigInt.asUintN(64, value);
    if (metric.type === MetricType.Gauge) {
      metric.value = unsigned;
      return Status.Ok;
    }
    if (metric.histogram === undefined) metric.value = BigInt.asUintN(64, metric.value + unsigned);
    else this.#process.sample(metric.histogram, unsigned);
    return Status.Ok;
  }

  /** The value as unsigned 64 bits, or the status that refuses. */
  get(id: number): bigint | StatusCode {
    if ((id & typeMask) > MetricType.Gauge) return Status.BadArgument;
    return this.#byId.get(id)?.value ?? Status.NotFound;
  }
}
