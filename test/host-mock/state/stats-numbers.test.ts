import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { shortest, thirtyTwoDigits } from "../../../host-mock/state/stats-numbers.ts";

describe("numbers of the text page", () => {
  it.each([
    [NaN, "nan"],
    [0, "0"],
    [105, "105"],
    [-1.05, "-1.05"],
    [2.033333333333333, "2.033333333333333"],
    [9999999999999998, "9999999999999998"],
    [1e16, "1e+16"],
    [-9.25e18, "-9.25e+18"],
    [0.0001, "0.0001"],
    [0.00001, "1e-05"],
  ])("%d is %s", (value, text) => {
    expect(shortest(value)).toBe(text);
  });
});

describe("thirty-two digits", () => {
  it.each([
    [0, "0"],
    [3, "3"],
    [1000, "1000"],
    [104.76190476190476, "104.76190476190475919793243519962"],
    [12542.640832197141, "12542.640832197141207871027290821"],
    [3.0491803278688523, "3.0491803278688522915729208762059"],
    [2622.0428751629015, "2622.042875162901509611401706934"],
    [-9249729729729728512, "-9249729729729728512"],
    [0.5, "0.5"],
    [0.001953125, "0.001953125"],
    [2 ** -20, "9.5367431640625e-07"],
    [1e31, "9999999999999999635896294965248"],
    [1e32, "1.0000000000000000536616220439347e+32"],
  ])("of %d are %s", (value, text) => {
    expect(thirtyTwoDigits(value)).toBe(text);
  });

  test.prop([fc.double({ noNaN: true, noDefaultInfinity: true })])(
    "read back as the number they are of",
    (value) => {
      expect(Number(thirtyTwoDigits(value))).toBe(value === 0 ? 0 : value);
    },
  );
});
