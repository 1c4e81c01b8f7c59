import { describe, expect, it, test } from "vitest";
import { MetricType } from "../../../host-mock/abi/enums.ts";
import { Status } from "../../../host-mock/abi/status.ts";
import { Metrics, VmMetrics } from "../../../host-mock/state/metrics.ts";

const { Counter, Gauge, Histogram } = MetricType;

function vm(process = new Metrics()): VmMetrics {
  return new VmMetrics(process);
}

describe("metrics, as measured on Envoy", () => {
  it("numbers counters 4, 8, gauges 5, 9 and histograms 6, 10 in each VM", () => {
    const process = new Metrics();
    const first = vm(process);

    const ids = [Counter, Counter, Gauge, Gauge, Histogram, Histogram].map((type, i) =>
      first.define(type, `m${i}`),
    );

    expect(ids).toEqual([4, 8, 5, 9, 6, 10]);
    expect(vm(process).define(Counter, "m0")).toBe(4);
  });

  it("gives a new id and the same value to a name defined again", () => {
    const one = vm();

    const [first, second] = [one.define(Counter, "c")!, one.define(Counter, "c")!];
    one.increment(first, 2n);
    one.increment(second, 3n);

    expect([first, second]).toEqual([4, 8]);
    expect([one.get(first), one.get(second)]).toEqual([5n, 5n]);
  });

  it("shares a value between all VMs of the process", () => {
    const process = new Metrics();
    const [one, other] = [vm(process), vm(process)];

    one.increment(one.define(Counter, "c")!, 2n);
    const id = other.define(Counter, "c")!;
    other.increment(id, 1n);

    expect(other.get(id)).toBe(3n);
  });

  it("keeps equal names of different types apart", () => {
    const one = vm();
    const counter = one.define(Counter, "x")!;
    const gauge = one.define(Gauge, "x")!;

    one.increment(counter, 1n);
    one.record(gauge, 9n);

    expect([one.get(counter), one.get(gauge)]).toEqual([1n, 9n]);
  });

  it("refuses type 3 and takes an empty name", () => {
    const one = vm();

    expect(one.define(3, "x")).toBeUndefined();
    expect(one.define(0xffffffff, "x")).toBeUndefined();
    expect(one.define(Counter, "")).toBe(4);
  });

  it.each([
    [Counter, 1n, Status.Ok, 1n],
    [Counter, 0n, Status.BadArgument, 0n],
    [Counter, -1n, Status.BadArgument, 0n],
    [Gauge, 1n, Status.Ok, 1n],
    [Gauge, 0n, Status.Ok, 0n],
    [Gauge, -1n, Status.Ok, 0xffffffffffffffffn],
  ])("increments type %i by %i: status %i", (type, offset, status, value) => {
    const one = vm();
    const id = one.define(type, "m")!;

    const answer = one.increment(id, offset);

    expect(answer).toBe(status);
    expect(one.get(id)).toBe(value);
  });

  it("adds a record to a counter and sets a gauge", () => {
    const one = vm();
    const [counter, gauge] = [one.define(Counter, "c")!, one.define(Gauge, "g")!];

    one.increment(counter, 3n);
    one.increment(gauge, 3n);
    const statuses = [one.record(counter, 7n), one.record(gauge, 7n)];

    expect(statuses).toEqual([Status.Ok, Status.Ok]);
    expect([one.get(counter), one.get(gauge)]).toEqual([10n, 7n]);
  });

  it("wraps a gauge below 0: 42 − 100", () => {
    const one = vm();
    const id = one.define(Gauge, "g")!;

    one.record(id, 42n);
    one.increment(id, -100n);

    expect(one.get(id)).toBe(18446744073709551558n);
  });

  it("records samples into a histogram, which has no increment and no value", () => {
    const process = new Metrics();
    const one = vm(process);
    const id = one.define(Histogram, "h")!;

    const statuses = [one.record(id, 5n), one.record(id, 2n), one.increment(id, 1n), one.get(id)];

    expect(statuses).toEqual([Status.Ok, Status.Ok, Status.BadArgument, Status.BadArgument]);
    expect(process.define(Histogram, "h").histogram?.sampleCount).toBe(2);
  });

  it.each([
    [400, Status.NotFound, Status.NotFound, Status.NotFound],
    [401, Status.NotFound, Status.NotFound, Status.NotFound],
    [402, Status.BadArgument, Status.NotFound, Status.BadArgument],
    [403, Status.BadArgument, Status.NotFound, Status.BadArgument],
  ])("answers for unknown id %i: increment %i, record %i, get %i", (id, increment, record, get) => {
    const one = vm();

    expect([one.increment(id, 1n), one.record(id, 1n), one.get(id)]).toEqual([
      increment,
      record,
      get,
    ]);
  });

  it("shows values by name, a gauge hiding a counter of its name", () => {
    const process = new Metrics();
    const one = vm(process);
    one.increment(one.define(Counter, "requests")!, 3n);
    one.increment(one.define(Counter, "both")!, 1n);
    one.record(one.define(Gauge, "both")!, 8n);
    one.record(one.define(Histogram, "sizes")!, 100n);

    expect(process.results()).toEqual({ requests: 3, both: 8, sizes: 1 });
  });
});

test("a metric called __proto__ is shown like every other", () => {
  const metrics = new Metrics();

  metrics.define(MetricType.Counter, "__proto__").value = 3n;

  expect(Object.entries(metrics.results())).toEqual([["__proto__", 3]]);
});

test.each([
  ["a", "a."],
  ["a", "a..."],
  ["", "."],
])("%j and %j are one metric: dots at the end are no part of a name", (name, dotted) => {
  const metrics = new Metrics();
  const one = new VmMetrics(metrics);
  const [first, second] = [one.define(Counter, name)!, one.define(Counter, dotted)!];

  one.increment(first, 1n);
  one.increment(second, 2n);

  expect(one.get(first)).toBe(3n);
});

test("statistics are called wasmcustom and the name, without one wasmcustom alone", () => {
  const metrics = new Metrics();
  metrics.define(Counter, "a.b");
  metrics.define(Gauge, "");

  expect(metrics.statistics().map(({ kind, name }) => [kind, name])).toEqual([
    ["counter", "wasmcustom.a.b"],
    ["gauge", "wasmcustom"],
  ]);
});
