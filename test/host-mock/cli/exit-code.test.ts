import { describe, expect, test } from "vitest";
import { exitCodeOf, gravestOf, told } from "../../../host-mock/cli/exit-code.ts";
import { MockHostError } from "../../../host-mock/errors.ts";

describe("the exit code of several files", () => {
  test.each([
    [[], 0],
    [[0, 0], 0],
    [[0, 3, 0], 3],
    [[3, 1, 0], 1],
    [[1, 2, 3], 2],
    [[2, 70, 1], 70],
  ] as const)("of %j is %i", (codes, gravest) => {
    expect(gravestOf(codes)).toBe(gravest);
  });
});

describe("an error", () => {
  test("of the user is told in one line without a stack", () => {
    const error = new MockHostError("E_SCENARIO", "a\n  b", { place: "f:1:2", remedy: "c" });

    expect(exitCodeOf(error)).toBe(2);
    expect(told(error)).toBe("f:1:2: a b; c\n");
  });

  test.each([
    new MockHostError("E_INTERNAL", "an invariant"),
    new TypeError("undefined is not a function"),
  ])("of ours (%s) asks for a report and shows the stack", (error) => {
    expect(exitCodeOf(error)).toBe(70);
    expect(told(error)).toContain("please report it");
    expect(told(error)).toContain(error.stack);
  });
});
