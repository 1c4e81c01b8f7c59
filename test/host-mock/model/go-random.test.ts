import { describe, expect, it } from "vitest";
import { GoRandom } from "../../../host-mock/model/go-random.ts";

/** Printed by Go 1.26: the first three of `rand.New(rand.NewSource(seed)).Uint64()`, and the hundred-thousandth. */
const recorded = [
  [42, ["afbf64b1967f8c53", "8872b44b9fbb971b", "4d52f284145b9fe8"], "894e5cab20a044cb"],
  [0, ["78fc2ffac2fd9401", "1f5b0412ffd341c0", "53f65ff94f6ec873"], "e46b7488f29cab85"],
  [1, ["4d65822107fcfd52", "78629a0f5f3f164f", "d5104dc76695721d"], "46b60eb746c0ed19"],
  [-7, ["8a5e41e14552000b", "e2520710aa2adde6", "6115c8521a52b428"], "14cd30dbf377793d"],
  [2 ** 31 - 1, ["78fc2ffac2fd9401", "1f5b0412ffd341c0", "53f65ff94f6ec873"], "e46b7488f29cab85"],
  [2 ** 53 - 1, ["a12b17a09db197eb", "adbb56af7322c3bc", "09df469a0a58519e"], "8c6ab1caf789e592"],
] as const;

describe("Go's generator", () => {
  it.each(recorded)("draws for seed %d what Go draws", (seed, first, hundredThousandth) => {
    const random = new GoRandom(seed);

    const drawn = Array.from({ length: 100_000 }, () => random.uint64());

    const hex = drawn.map((number) => number.toString(16).padStart(16, "0"));
    expect(hex.slice(0, 3)).toEqual(first);
    expect(hex.at(-1)).toBe(hundredThousandth);
  });

  it("draws doubles as Go's Float64", () => {
    const random = new GoRandom(42);

    const drawn = [random.unit(), random.unit(), random.unit()];

    expect(drawn).toEqual([0.3730283610466326, 0.06600049679351791, 0.604093851558642]);
  });

  it("gives doubles and words the same place in the stream", () => {
    const [words, doubles] = [new GoRandom(7), new GoRandom(7)];

    for (let i = 0; i < 2_000; i++) {
      const word = BigInt.asUintN(63, words.uint64());
      expect(doubles.unit()).toBe(Number(word) / 2 ** 63);
    }
  });
});
