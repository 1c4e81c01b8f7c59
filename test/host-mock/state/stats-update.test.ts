import { describe, expect, it } from "vitest";
import { MetricType } from "../../../host-mock/abi/enums.ts";
import { Metrics, VmMetrics } from "../../../host-mock/state/metrics.ts";
import {
  StatsDeltas,
  statsUpdate,
  type FlushedStatistic,
} from "../../../host-mock/state/stats-update.ts";

const counter: FlushedStatistic = {
  kind: "counter",
  name: "requests",
  value: 7n,
  delta: 3n,
  isUsed: true,
};

/** `| size | type | count |` and the rest, in hexadecimal. */
function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

describe("the form of an update", () => {
  it("has two blocks without any statistic", () => {
    expect(hex(statsUpdate([]))).toBe("0c0000000100000000000000" + "0c0000000200000000000000");
  });

  it("pads a name so that its value stands at a multiple of eight", () => {
    const bytes = statsUpdate([counter]);

    expect(hex(bytes.subarray(0, 40))).toBe(
      "280000000100000001000000" +
        "08000000" +
        Buffer.from("requests").toString("hex") +
        "0700000000000000" +
        "0300000000000000",
    );
  });

  it("gives gauges no delta, and numbers their 64 bits", () => {
    const value = 0xffff_ffff_ffff_ffffn;
    const bytes = statsUpdate([{ ...counter, kind: "gauge", name: "g", value }]);

    expect(hex(bytes.subarray(12))).toBe(
      "200000000200000001000000" + "0100000067000000" + "00000000" + "ffffffffffffffff",
    );
  });

  it("counts what nobody has written to, and leaves it out", () => {
    const bytes = statsUpdate([counter, { ...counter, name: "never", isUsed: false }]);

    expect(hex(bytes.subarray(0, 12))).toBe("280000000100000002000000");
  });
});

describe("what a counter has gained", () => {
  /** A VM of its own scope that has counted. */
  const counted = (metrics: Metrics, scope: object, value: bigint): VmMetrics => {
    const vm = new VmMetrics(metrics, scope);
    vm.increment(vm.define(MetricType.Counter, "c")!, value);
    return vm;
  };
  const deltaOf = (found: readonly FlushedStatistic[]) => found.map(({ delta }) => delta);

  it("is counted from flush to flush", () => {
    const metrics = new Metrics();
    const deltas = new StatsDeltas();
    const vm = counted(metrics, {}, 5n);

    expect(deltaOf(deltas.flushed(metrics.statistics()))).toEqual([5n]);
    vm.increment(4, 2n);
    expect(deltaOf(deltas.flushed(metrics.statistics()))).toEqual([2n]);
    expect(deltaOf(deltas.flushed(metrics.statistics()))).toEqual([0n]);
  });

  it("begins anew with a counter that went with its VMs and came back under its name", () => {
    const metrics = new Metrics();
    const deltas = new StatsDeltas();
    const scope = {};
    counted(metrics, scope, 5n);
    deltas.flushed(metrics.statistics());

    metrics.drop(scope);
    counted(metrics, {}, 1n);

    expect(deltaOf(deltas.flushed(metrics.statistics()))).toEqual([1n]);
  });
});
