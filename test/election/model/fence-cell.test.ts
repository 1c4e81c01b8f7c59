import { describe, expect, it } from "vitest";
import { enumerateFenceCell, type FenceCellRow } from "./fence-cell.ts";

const sound: FenceCellRow = {
  terms: [1, 2],
  isEnsured: true,
  checksTerm: true,
  comparesVersion: true,
  hasHolderRule: true,
};

describe("a fenced cell with two writes of each writer", () => {
  it.each([
    [2, 29],
    [3, 185],
    [4, 1271],
  ])(
    "%i writers with different terms: %i states, no older write after a newer",
    (count, states) => {
      const terms = Array.from({ length: count }, (_, i) => i + 1);

      const verdict = enumerateFenceCell({ ...sound, terms });

      expect(verdict).toMatchObject({ states, violations: 0 });
    },
  );

  it("is violated in four steps when the cell is absent in the beginning", () => {
    const verdict = enumerateFenceCell({ ...sound, isEnsured: false });

    expect(verdict.violations).toBeGreaterThan(0);
    expect(verdict.firstViolationSteps).toBe(4);
  });

  it.each([
    ["a check followed by a blind set", { comparesVersion: false }],
    ["compare-and-swap without a check of the term", { checksTerm: false }],
  ])("is violated by %s", (_, mistake) => {
    const verdict = enumerateFenceCell({ ...sound, ...mistake });

    expect(verdict.violations).toBeGreaterThan(0);
  });

  it("lets one of two writers with equal terms write: 28 states", () => {
    const verdict = enumerateFenceCell({ ...sound, terms: [1, 1] });

    expect(verdict).toMatchObject({ states: 28, violations: 0 });
  });

  it("lets both of two writers with equal terms write without the holder rule", () => {
    const verdict = enumerateFenceCell({ ...sound, terms: [1, 1], hasHolderRule: false });

    expect(verdict.violations).toBeGreaterThan(0);
  });
});
