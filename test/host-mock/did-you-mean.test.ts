import { describe, expect, test } from "vitest";
import { didYouMean, nearestName } from "../../host-mock/did-you-mean.ts";

describe("the nearest name", () => {
  test.each([
    ["duratoin", "duration"],
    ["Duration", "duration"],
    ["durations", "duration"],
    ["nmae", "name"],
    ["plugin", "plugins"],
  ])("of %s is %s", (slip, meant) => {
    expect(nearestName(slip, ["name", "duration", "plugins", "seed"])).toBe(meant);
  });

  test("is none for one letter in place of another", () => {
    expect(nearestName("q", ["p"])).toBeUndefined();
  });

  test("is none for another word", () => {
    expect(nearestName("colour", ["name", "duration", "plugins", "seed"])).toBeUndefined();
  });
});

describe("the remedy for an unknown name", () => {
  test("is the nearest, else all there are", () => {
    expect(didYouMean("envoi", ["envoy", "higress"])).toBe("did you mean envoy?");
    expect(didYouMean("nginx", ["envoy", "higress"])).toBe("there are envoy, higress");
    expect(didYouMean("x", ["collector"])).toBe("there is collector");
  });
});
