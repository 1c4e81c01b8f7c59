import { expect, test } from "vitest";
import { count, time } from "../../../host-mock/properties/wording.ts";

test.each([
  [0, "0 s"],
  [250_000, "0.25 ms"],
  [1_000_000, "0.001 s"],
  [70_312_000_000, "70.312 s"],
  [599_999_000_000, "599.999 s"],
  [600_000_000_000, "10 m"],
  [723_500_000_000, "12 m 03.5 s"],
  [3_600_000_000_000, "1 h"],
  [3_723_000_000_000, "1 h 02 m 03 s"],
  [7_203_000_000_000, "2 h 00 m 03 s"],
])("%d ns reads as %s", (ns, text) => {
  expect(time(ns)).toBe(text);
});

test("one is singular", () => {
  expect([count(0, "call"), count(1, "call"), count(1234, "call")]).toEqual([
    "0 calls",
    "1 call",
    "1,234 calls",
  ]);
});
