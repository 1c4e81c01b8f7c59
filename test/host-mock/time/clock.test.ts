import { describe, expect, it } from "vitest";
import { MockHostError } from "../../../host-mock/errors.ts";
import { Clock } from "../../../host-mock/time/clock.ts";

const startWallNs = 1_767_225_600_000_000_000n;

describe("the clock", () => {
  it("starts at 0 with the given wall clock and one hour on the monotonic clock", () => {
    const clock = new Clock({ startWallNs });

    expect(clock.nowNs).toBe(0);
    expect(clock.wallNs).toBe(startWallNs);
    expect(clock.monotonicNs).toBe(3_600_000_000_000n);
  });

  it("moves all three when it advances, and never back", () => {
    const clock = new Clock({ startWallNs, startMonotonicNs: 5n });

    clock.advanceTo(1_000);
    clock.advanceTo(400);

    expect(clock.nowNs).toBe(1_000);
    expect(clock.wallNs).toBe(startWallNs + 1_000n);
    expect(clock.monotonicNs).toBe(1_005n);
  });

  it("counts the cost of calls on both clocks", () => {
    const clock = new Clock({ startWallNs, startMonotonicNs: 0n });

    clock.advanceTo(10);
    clock.addCost(7);

    expect(clock.nowNs).toBe(17);
    expect(clock.monotonicNs).toBe(17n);
    expect(clock.wallNs).toBe(startWallNs + 17n);
  });

  it("shifts the wall clock alone, forward and back", () => {
    const clock = new Clock({ startWallNs, startMonotonicNs: 0n });

    clock.shiftWall(3_600_000_000_000n);
    clock.shiftWall(-1n);

    expect(clock.wallNs).toBe(startWallNs + 3_599_999_999_999n);
    expect(clock.monotonicNs).toBe(0n);
    expect(clock.nowNs).toBe(0);
  });

  it.each([NaN, -1, 0.5, 2 ** 53])("refuses %s as an instant, a fault of the host", (ns) => {
    const clock = new Clock({ startWallNs });

    expect(() => clock.advanceTo(ns)).toThrow(MockHostError);
    expect(clock.nowNs).toBe(0);
  });
});
