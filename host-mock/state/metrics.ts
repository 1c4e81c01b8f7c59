import { MetricType } from "../abi/enums.ts";
import { Status, type StatusCode } from "../abi/status.ts";
import { fromLatin1, lossyUtf8 } from "./bytes.ts";

/** A counter's or gauge's value; of a histogram the samples' number, sum and extremes. */
export interface Metric {
  readonly type: number;
  /** A binary string, as the plugin gave it. */
  readonly name: string;
  /** Unsigned 64 bits. Counter, gauge: the value. Histogram: the sum of its samples. */
  value: bigint;
  sampleCount: number;
  sampleMin: bigint;
  sampleMax: bigint;
}

/** The statistics of one process: all VMs that define a name and type add to one value. */
export class Metrics {
  readonly #byKey = new Map<string, Metric>();

  /** The metric of that type and name, made at its first use. */
  define(type: number, name: string): Metric {
    const key = `${type}${name}`;
    let metric = this.#byKey.get(key);
    if (metric === undefined) {
      metric = { type, name, value: 0n, sampleCount: 0, sampleMin: 0n, sampleMax: 0n };
      this.#byKey.set(key, metric);
    }
    return metric;
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
        shown.set(name, type === MetricType.Histogram ? metric.sampleCount : Number(metric.value));
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
  readonly #byId = new Map<number, Metric>();
  readonly #nextIds = [4, 5, 6];

  constructor(process: Metrics) {
    this.#process = process;
  }

  /** A new id, or undefined (BadArgument) for a type above 2. */
  define(type: number, name: string): number | undefined {
    const id = this.#nextIds[type];
    if (id === undefined) return undefined;
    this.#nextIds[type] = id + 4;
    this.#byId.set(id, this.#process.define(type, name));
    return id;
  }

  increment(id: number, offset: bigint): StatusCode {
    const type = id & typeMask;
    if (type > MetricType.Gauge) return Status.BadArgument;
    const metric = this.#byId.get(id);
    if (metric === undefined) return Status.NotFound;
    if (type === MetricType.Counter && offset <= 0n) return Status.BadArgument;
    metric.value = BigInt.asUintN(64, metric.value + offset);
    return Status.Ok;
  }

  record(id: number, value: bigint): StatusCode {
    const metric = this.#byId.get(id);
    if (metric === undefined) return Status.NotFound;
    const unsigned = BigInt.asUintN(64, value);
    if (metric.type === MetricType.Gauge) {
      metric.value = unsigned;
      return Status.Ok;
    }
    metric.value = BigInt.asUintN(64, metric.value + unsigned);
    if (metric.type === MetricType.Histogram) addSample(metric, unsigned);
    return Status.Ok;
  }

  /** The value as unsigned 64 bits, or the status that refuses. */
  get(id: number): bigint | StatusCode {
    if ((id & typeMask) > MetricType.Gauge) return Status.BadArgument;
    return this.#byId.get(id)?.value ?? Status.NotFound;
  }
}

function addSample(metric: Metric, value: bigint): void {
  if (metric.sampleCount === 0 || value < metric.sampleMin) metric.sampleMin = value;
  if (metric.sampleCount === 0 || value > metric.sampleMax) metric.sampleMax = value;
  metric.sampleCount++;
}
