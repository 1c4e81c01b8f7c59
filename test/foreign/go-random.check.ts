/** Go's generator as host-mock/model has it, and the simulation, against the Go that is installed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GoRandom } from "../../host-mock/model/go-random.ts";
import { goOutputs } from "../../host-mock/model/go-outputs.ts";
import { modelLeasePause } from "../../host-mock/model/index.ts";
import { goVersion, run } from "./toolchains.ts";

const folder = mkdtempSync(join(tmpdir(), "go-random-"));
const program = join(folder, "lease-pause");
const seeds = [42, 0, 1, 2, -1, -42, 2 ** 31 - 2, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1, 1 - 2 ** 53];

beforeAll(() => {
  const source = join(import.meta.dirname, "go-lease-pause");
  goVersion(source);
  run({ command: "go", args: ["build", "-o", program, "."], folder: source });
});

afterAll(() => rmSync(folder, { recursive: true }));

function go<T>(what: "words" | "doubles" | "counts", seed: number, count: number): T {
  const args = [what, String(seed), String(count)];
  return JSON.parse(run({ command: program, args, folder })) as T;
}

describe("Go's generator", () => {
  it("has the recorded outputs for seed 42", () => {
    const bytes = Buffer.alloc(607 * 8);
    for (const [at, word] of go<string[]>("words", 42, 607).entries())
      bytes.writeBigUInt64LE(BigInt(`0x${word}`), 8 * at);

    expect(goOutputs).toBe(bytes.toString("base64"));
  });

  it.each(seeds)("draws the words that Go draws, seed %d", (seed) => {
    const random = new GoRandom(seed);

    const drawn = Array.from({ length: 5_000 }, () => random.uint64());

    const hex = drawn.map((word) => word.toString(16).padStart(16, "0"));
    expect(hex).toEqual(go("words", seed, 5_000));
  });

  it.each(seeds)("draws the doubles that Go draws, seed %d", (seed) => {
    const random = new GoRandom(seed);

    const drawn = Array.from({ length: 5_000 }, () => random.unit());

    expect(drawn).toEqual(go("doubles", seed, 5_000));
  });
});

describe("the simulation of leases and pauses", () => {
  it.each([42, 43, 44])("counts what the same simulation in Go counts, seed %d", (seed) => {
    const { rows } = modelLeasePause({ generator: "go", seed });

    const counted = go<[number, number, number, number][]>("counts", seed, 200_000);
    expect(rows.map(({ elections, split }) => [elections.count, split.count])).toEqual(
      counted.map(([elections, splits]) => [elections, splits]),
    );
    for (const [index, { latency }] of rows.entries()) {
      const [, , p50 = NaN, p99 = NaN] = counted[index] ?? [];
      expect(latency?.p50.valueMs).toBeCloseTo(1000 * p50, 2);
      expect(latency?.p99.valueMs).toBeCloseTo(1000 * p99, 2);
    }
  });
});
