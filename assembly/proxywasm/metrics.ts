import { MetricType, Status } from "../abi/enums";
import {
  proxy_define_metric,
  proxy_get_metric,
  proxy_increment_metric,
  proxy_record_metric,
} from "../abi/imports";
import { OUT_LONG, OUT_WORD } from "../memory/out";
import { encodeBuffer } from "../memory/utf8";

/** A metric's value, 0 unless `status` is Ok. */
export class MetricResult {
  constructor(
    public readonly status: Status,
    public readonly value: u64,
  ) {}
}

/**
 * A number that all VMs of the process with that name and type share. `status` says whether
 * defining it worked; if not, every call on it answers that status, and the host is not asked.
 */
export abstract class Metric {
  readonly id: u32;
  readonly status: Status;

  constructor(type: MetricType, name: string) {
    const bytes = encodeBuffer(name);
    this.status = proxy_define_metric(type, changetype<usize>(bytes), bytes.byteLength, OUT_WORD);
    this.id = this.status == Status.Ok ? load<u32>(OUT_WORD) : 0;
  }

  protected read(): MetricResult {
    if (this.status != Status.Ok) return new MetricResult(this.status, 0);
    const status = <Status>proxy_get_metric(this.id, OUT_LONG);
    return new MetricResult(status, status == Status.Ok ? load<u64>(OUT_LONG) : 0);
  }

  protected increment(offset: i64): Status {
    // A counter answers BadArgument to 0, which a caller who counts what there is would not expect.
    if (this.status != Status.Ok || offset == 0) return this.status;
    return proxy_increment_metric(this.id, offset);
  }

  protected record(value: u64): Status {
    return this.status == Status.Ok ? proxy_record_metric(this.id, value) : this.status;
  }
}

/** A number that only grows. In: any callback, not in top-level code. */
export class CounterMetric extends Metric {
  constructor(name: string) {
    super(MetricType.Counter, name);
  }

  /** The value in the whole process, 0 when it cannot be read. Reading changes nothing. */
  Value(): u64 {
    return this.read().value;
  }

  /** As `Value`, with the status: Ok, or why not. */
  Read(): MetricResult {
    return this.read();
  }

  /** Adds `offset`, which may be 0. Statuses: Ok; BadArgument from 2⁶³ on. */
  Increment(offset: u64 = 1): Status {
    return this.increment(offset);
  }
}

/** A number that goes up and down. In: any callback, not in top-level code. */
export class GaugeMetric extends Metric {
  constructor(name: string) {
    super(MetricType.Gauge, name);
  }

  /** The value in the whole process, 0 when it cannot be read. Reading changes nothing. */
  Value(): i64 {
    return <i64>this.read().value;
  }

  /** As `Value`, with the status: Ok, or why not. */
  Read(): MetricResult {
    return this.read();
  }

  /** Adds `offset`, which may be negative; below 0 the host wraps round. Statuses: Ok. */
  Add(offset: i64): Status {
    return this.increment(offset);
  }

  /** Sets the value. Statuses: Ok. */
  Record(value: u64): Status {
    return this.record(value);
  }
}

/**
 * A distribution of numbers. The host gives none of it back. In: any callback, not in top-level
 * code.
 */
export class HistogramMetric extends Metric {
  constructor(name: string) {
    super(MetricType.Histogram, name);
  }

  /** Records one sample. Statuses: Ok. */
  Record(value: u64): Status {
    return this.record(value);
  }
}

/**
 * Defines a counter, or finds it: the value goes on where the process left it. Status in `.status`:
 * Ok. In: any callback, not in top-level code; once per VM, in the configure callback, is enough.
 * @example const requests = proxywasm.DefineCounterMetric("requests");
 * Source: Envoy `context.cc`, `defineMetric`.
 */
export function DefineCounterMetric(name: string): CounterMetric {
  return new CounterMetric(name);
}

/** As `DefineCounterMetric`, for a gauge. @example proxywasm.DefineGaugeMetric("open").Add(1); */
export function DefineGaugeMetric(name: string): GaugeMetric {
  return new GaugeMetric(name);
}

/**
 * As `DefineCounterMetric`, for a histogram.
 * @example proxywasm.DefineHistogramMetric("ms").Record(7);
 */
export function DefineHistogramMetric(name: string): HistogramMetric {
  return new HistogramMetric(name);
}
