/** Mutated configurations for a live plugin: accepted or refused, and the old one serves on. */
import { beforeAll, describe, expect, it } from "vitest";
import { buildGuest } from "../support/build-guest.ts";
import { hangMsFor } from "./support/deadline.ts";
import { Reconfigurations, type ReconfigurationOptions } from "./support/reconfigurations.ts";
import { pagesMax } from "./support/vital-signs.ts";
import { rounds } from "../support/soak.ts";

const count = rounds(20_000);
let reporter: ReconfigurationOptions;
let trapper: Uint8Array;

beforeAll(async () => {
  const entry = "examples/metrics-reporter/assembly/plugin.ts";
  const { bytes } = await buildGuest({ entry });
  reporter = { plugin: { name: "metrics-reporter", wasm: bytes }, seed: 1, pagesMax };
  trapper = (await buildGuest({ entry: "test/guests/robust-trapper/plugin.guest.ts" })).bytes;
});

function faulty(fault: string): Reconfigurations {
  const plugin = { name: "robust-trapper", wasm: trapper, vmConfiguration: fault };
  return new Reconfigurations({ plugin, seed: 2, pagesMax, hangMs: hangMsFor(fault) });
}

describe("a live plugin that is given mutated configurations", () => {
  it("takes what it can use, refuses the rest in one line, and goes on serving", () => {
    const tally = new Reconfigurations(reporter).run(count);

    expect(tally.given).toBe(count);
    expect(tally.accepted + tally.refused).toBe(count);
    expect(tally.accepted).toBeGreaterThan(count / 5);
    expect(tally.notJson).toBeGreaterThan(count / 4);
    expect(tally.refused - tally.notJson).toBeGreaterThan(count / 10);
    expect(tally.reasons.size).toBeGreaterThanOrEqual(18);
  }, 120_000);
});

describe("what watches over it", () => {
  it.each([
    ["trap-configuration", /trapped/],
    ["hang-configuration", /hung for 1000 ms: configuration \d+ of seed 2/],
    ["silent", /refused with 0 error lines/],
    ["chatty", /refused with 2 error lines/],
    ["lenient", /accepted, and is not JSON/],
    ["strict", /taken for no JSON/],
    ["immortal", /contexts in .* after the drain/],
  ])("notices a plugin with the fault %j", (fault, message) => {
    expect(() => faulty(fault).run(2_000)).toThrow(message);
  });
});
