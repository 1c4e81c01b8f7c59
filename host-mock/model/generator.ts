import { Random } from "../random.ts";
import { GoRandom } from "./go-random.ts";
import { Mulberry32 } from "./mulberry32.ts";

/** A stream of numbers in [0, 1). */
export interface Generator {
  unit(): number;
}

/**
 * Where a simulation's chance comes from: `go` is Go's math/rand, with which the published table was made; `mulberry32`
 * is written in ten lines of any language; `xoroshiro128plus` is the generator of the mock Envoy's own runs.
 */
export const generatorNames = ["go", "mulberry32", "xoroshiro128plus"] as const;

export type GeneratorName = (typeof generatorNames)[number];

/** A fresh stream of that seed. */
export function generatorOf(name: GeneratorName, seed: number): Generator {
  switch (name) {
    case "go":
      return new GoRandom(seed);
    case "mulberry32":
      return new Mulberry32(seed);
    case "xoroshiro128plus":
      return new Random(seed, "model");
  }
}
