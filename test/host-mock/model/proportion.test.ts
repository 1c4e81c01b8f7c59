import { describe, expect, it } from "vitest";
import { bandOf, proportion } from "../../../host-mock/model/proportion.ts";

describe("a proportion", () => {
  it("has a 95 % interval by Wilson's score", () => {
    // 10 of 100: from 5.52 to 17.44 %, as published tables have it.
    const { interval } = proportion(10, 100, 0.1);

    expect(interval?.from).toBeCloseTo(0.05523, 5);
    expect(interval?.until).toBeCloseTo(0.17437, 5);
  });

  it("has an interval that says something even of none and of all", () => {
    expect(proportion(0, 10, 0.5).interval?.from).toBe(0);
    expect(proportion(0, 10, 0.5).interval?.until).toBeCloseTo(0.27753, 5);
    expect(proportion(10, 10, 0.5).interval?.until).toBe(1);
  });

  it("lies in the band of four standard errors, or does not", () => {
    const band = bandOf(0.5, 10_000);

    expect(band).toEqual({ from: 0.48, until: 0.52 });
    expect(proportion(5_200, 10_000, 0.5).isInside).toBe(true);
    expect(proportion(5_201, 10_000, 0.5).isInside).toBe(false);
    expect(proportion(4_799, 10_000, 0.5).isInside).toBe(false);
  });

  it("is not judged where the normal distribution is a bad likeness", () => {
    expect(proportion(9, 35, 0.5).isInside).toBeNull();
    expect(proportion(9, 36, 0.5).isInside).toBe(true);
  });

  it("of nothing is nothing", () => {
    expect(proportion(0, 0, 0.5)).toMatchObject({ rate: null, interval: null, band: null });
  });
});
