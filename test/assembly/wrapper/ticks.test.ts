import { beforeAll, describe, expect, it } from "vitest";
import { buildGuest } from "../../support/build-guest.ts";
import { FakeVm, SECOND } from "../support/fake-host.ts";
import type { HostOptions } from "../support/fake-host.ts";

let bytes: Uint8Array<ArrayBuffer>;

const ROOT = 1;

beforeAll(async () => {
  bytes = (await buildGuest({ entry: "test/guests/wrapper-ticks/plugin.guest.ts" })).bytes;
});

function ticking(periods: number[], options: HostOptions = {}): FakeVm {
  const vm = new FakeVm(bytes, options);
  vm.configure(ROOT, JSON.stringify({ periods }));
  return vm;
}

/** Runs the host's timer for so long, each tick late by `latenessMs`; answers when the functions ran. */
function run(vm: FakeVm, forMs: number, latenessMs = 0): { name: string; at: number }[] {
  const runs: { name: string; at: number }[] = [];
  const start = vm.clocks.nowMs;
  for (;;) {
    const wait = vm.tickPeriods.at(-1) + latenessMs;
    if (vm.clocks.nowMs - start + wait > forMs) return runs;
    vm.clocks.advance(wait);
    const before = vm.lines.length;
    vm.tick(ROOT);
    for (const name of vm.lines.slice(before)) runs.push({ name, at: vm.clocks.nowMs - start });
  }
}

const gaps = (runs: { name: string; at: number }[], name: string): number[] => {
  const at = runs.filter((one) => one.name === name).map((one) => one.at);
  return at.slice(1).map((time, i) => time - at[i]!);
};

describe("one tick function", () => {
  it("runs exactly at its period, with one setting of the timer after the first run", () => {
    const vm = ticking([3_000]);

    const runs = run(vm, 60_000);

    expect(new Set(gaps(runs, "first"))).toEqual(new Set([3_000]));
    expect(runs.length).toBeGreaterThanOrEqual(19);
    expect(vm.tickPeriods.length).toBeLessThanOrEqual(2);
  });

  it("first runs after a random part of its period, which differs between VMs", () => {
    const first = Array.from({ length: 20 }, () => ticking([3_000]).tickPeriods[0]!);

    expect(new Set(first).size).toBeGreaterThan(15);
    expect(Math.min(...first)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...first)).toBeLessThanOrEqual(3_000);
  });

  it("does not drift when every tick is late", () => {
    const vm = ticking([1_000]);

    const runs = run(vm, 100_000, 7);

    expect(runs.length).toBeGreaterThanOrEqual(98);
  });

  it("is not made up for after a long block", () => {
    const vm = ticking([1_000]);
    run(vm, 5_000);
    vm.clocks.advance(60_000);
    const before = vm.lines.length;

    vm.tick(ROOT);

    expect(vm.lines.length - before).toBe(1);
    expect(gaps(run(vm, 5_000), "first")).toEqual([1_000, 1_000, 1_000, 1_000]);
  });

  it("is not delayed by a wall clock that is set back, with a monotonic clock or without", () => {
    for (const hasMonotonic of [true, false]) {
      const vm = new FakeVm(bytes);
      vm.clocks.hasMonotonic = hasMonotonic;
      vm.configure(ROOT, '{"periods":[1000]}');
      run(vm, 3_000);
      vm.clocks.wallNs -= 3_600n * SECOND;

      expect(run(vm, 10_000).length).toBeGreaterThanOrEqual(8);
    }
  });

  it("goes on at its period when the clock cannot be read at all", () => {
    const blind = (call: { name: string }): number | undefined =>
      call.name === "clock_time_get" || call.name.startsWith("proxy_get_current_time")
        ? 10
        : undefined;
    const vm = ticking([1_000], { before: blind });

    expect(run(vm, 10_000).length).toBeGreaterThanOrEqual(8);
  });

  it("runs at once where the host has no random bytes", () => {
    expect(ticking([1_000], { random: () => 76 }).tickPeriods).toEqual([1]);
  });
});

describe("several tick functions", () => {
  it("share the timer: each keeps its own period and nothing runs in between", () => {
    const vm = ticking([1_700, 4_000]);
    const before = vm.lines.length;

    const runs = run(vm, 120_000);

    // Two that are due within a millisecond of each other share a tick.
    for (const [name, periodMs] of [
      ["first", 1_700],
      ["second", 4_000],
    ] as const) {
      const off = gaps(runs, name).map((gap) => gap - periodMs);
      expect(Math.max(...off.map(Math.abs))).toBeLessThanOrEqual(1);
      expect(Math.abs(off.reduce((sum, one) => sum + one))).toBeLessThanOrEqual(1);
    }
    expect(runs).toHaveLength(vm.lines.length - before);
  });

  it("make calls whose answer comes to the plugin context", () => {
    const vm = ticking([600_000, 1_000]);
    run(vm, 1_500);

    vm.answer(ROOT, 1, [[":status", "204"]]);

    expect(vm.httpCalls[0]).toMatchObject({ cluster: "collector", body: "body", timeoutMs: 2_000 });
    expect(vm.lines.at(-1)).toBe("answer 204 for 42");
  });
});

describe("a period", () => {
  it.each([0, -1, -9_007_199_254_740_991])("of %d ms refuses the configuration", (period) => {
    const vm = ticking([period]);

    expect(vm.lines).toEqual(
      ["[p] configuration refused: RegisterTickFunc: the period must be at least 1 ms"].map(
        (line) => line.replace("[p]", "[ticks]"),
      ),
    );
    expect(vm.tickPeriods).toEqual([]);
  });

  it("beyond what a host's timer holds works", () => {
    const vm = new FakeVm(bytes);
    vm.configure(ROOT, '{"periods":[9223372036854775807]}');
    const periods = [...vm.tickPeriods];
    vm.tick(ROOT);

    expect(periods).toEqual([0x7fffffff]);
    expect(vm.lines).toEqual([]);
  });

  it("of 1 ms works", () => {
    expect(run(ticking([1]), 100)).toHaveLength(100);
  });
});

describe("a reload", () => {
  it("leaves the old context ticking beside the new one", () => {
    const vm = ticking([1_000]);
    vm.configure(2, '{"periods":[1000]}');
    const before = vm.lines.length;
    vm.clocks.advance(1_000);

    vm.tick(1);
    vm.tick(2);

    expect(vm.lines.slice(before)).toEqual(["first", "first"]);
  });

  it("whose configuration is refused starts no timer", () => {
    const vm = new FakeVm(bytes);
    vm.configure(ROOT, '{"periods":[1000, 0]}');

    expect(vm.tickPeriods).toEqual([]);
  });
});
