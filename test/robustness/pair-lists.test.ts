/** Mutated lists of headers, through the callbacks of a real guest. */
import { beforeAll, describe, expect, it } from "vitest";
import { buildGuest } from "../support/build-guest.ts";
import { hangMsFor } from "./support/deadline.ts";
import { PairReader } from "./support/pair-reader.ts";
import { pagesMax } from "./support/vital-signs.ts";
import { rounds } from "../support/soak.ts";

const count = rounds(20_000);
let reader: Uint8Array<ArrayBuffer>;
let trapper: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  reader = (await buildGuest({ entry: "test/guests/robust-reader/plugin.guest.ts" })).bytes;
  trapper = (await buildGuest({ entry: "test/guests/robust-trapper/plugin.guest.ts" })).bytes;
});

describe("a guest that is handed mutated lists of headers", () => {
  it("understands what is a list exactly, and answers ParseFailure for the rest", () => {
    const tally = new PairReader({ wasm: reader, seed: 1 }).run(count);

    expect(tally.blocks).toBe(count);
    // Twice each, as a request's and as a response's; sound ones in between.
    expect(tally.lists + tally.malformed).toBe(2 * (count + count / 10));
    expect(tally.malformed).toBeGreaterThan(count);
    expect(tally.lists).toBeGreaterThan(count / 4);
    expect(tally.long).toBeGreaterThan(0);
    expect(tally.pages).toBeLessThanOrEqual(pagesMax);
  }, 60_000);
});

describe("what watches over it", () => {
  it.each([
    ["trap-pairs", /trapped: unreachable: block \d+/],
    ["hang-pairs", /hung for 1000 ms: block \d+/],
    ["lenient-pairs", /status 0 where no pairs are/],
    ["strict-pairs", /status 4 where \d+ pairs are/],
    ["inventive-pairs", /understood as .*invented/],
  ])("notices a guest with the fault %j", (fault, message) => {
    const reader = new PairReader({
      wasm: trapper,
      seed: 2,
      vmConfiguration: fault,
      hangMs: hangMsFor(fault),
    });

    expect(() => reader.run(2_000)).toThrow(message);
  });
});
