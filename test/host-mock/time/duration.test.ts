import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { MockHostError } from "../../../host-mock/errors.ts";
import {
  formatDuration,
  parseDuration,
  parseSignedDuration,
} from "../../../host-mock/time/duration.ts";

describe("durations", () => {
  it.each([
    ["1ns", 1],
    ["2us", 2_000],
    ["250ms", 250_000_000],
    ["71s", 71_000_000_000],
    ["5m", 300_000_000_000],
    ["1h", 3_600_000_000_000],
    ["0ms", 0],
    ["1.5h", 5_400_000_000_000],
    ["0.1us", 100],
    ["0.000000001s", 1],
  ])("reads %s as %i ns", (text, ns) => {
    const read = parseDuration(text);

    expect(read).toBe(ns);
  });

  it.each([
    ["5", "write a unit, for example 5ms or 5s"],
    ["1.5", "write a unit"],
    ["5 s", "write a number and a unit"],
    ["5days", "write a number and a unit"],
    ["", "write a number and a unit"],
    ["s", "write a number and a unit"],
    ["1e3s", "write a number and a unit"],
    ["-5s", "a sign has no meaning here"],
    ["+5s", "a sign has no meaning here"],
    ["0.5ns", "a nanosecond is the smallest step"],
    ["2502h", "the longest duration is 104 days"],
  ])("refuses %j and says what to do", (text, remedy) => {
    const read = (): number => parseDuration(text, "a.yaml:3:7");

    expect(read).toThrow(expect.objectContaining({ code: "E_OPTION", place: "a.yaml:3:7" }));
    expect(read).toThrow(remedy);
    expect(read).toThrow(MockHostError);
  });

  it("reads a sign only where one is meant", () => {
    expect(parseSignedDuration("+1h")).toBe(3_600_000_000_000);
    expect(parseSignedDuration("-30s")).toBe(-30_000_000_000);
    expect(parseSignedDuration("2m")).toBe(120_000_000_000);
    expect(Object.is(parseSignedDuration("-0s"), 0)).toBe(true);
    expect(() => parseSignedDuration("--1s")).toThrow(MockHostError);
  });

  it.each([
    [0, "0s"],
    [1, "1ns"],
    [1_500, "1.5us"],
    [250_000_000, "250ms"],
    [1_500_000_000, "1.5s"],
    [71_250_000_000, "71.25s"],
    [90_000_000_000, "90s"],
    [5_400_000_000_000, "90m"],
    [7_200_000_000_000, "2h"],
    [1_000_000_001, "1.000000001s"],
    [61_000_020_000, "61.00002s"],
    [-30_000_000_000, "-30s"],
  ])("writes %i ns as %s", (ns, text) => {
    const written = formatDuration(ns);

    expect(written).toBe(text);
  });

  test.prop([fc.nat({ max: Number.MAX_SAFE_INTEGER })])("reads back what it writes", (ns) => {
    expect(parseDuration(formatDuration(ns))).toBe(ns);
  });
});
