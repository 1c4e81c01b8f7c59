/** Mutated leases, term keys and fence cells under three VMs that elect. */
import { beforeAll, describe, expect, it } from "vitest";
import { buildGuest } from "../support/build-guest.ts";
import {
  LeaseBombardment,
  type BombardmentOptions,
  type Tally,
} from "./support/lease-bombardment.ts";
import { hangMsFor } from "./support/deadline.ts";
import { pagesMax } from "./support/vital-signs.ts";
import { rounds } from "../support/soak.ts";

const tallies: Tally[] = [];
let reporter: BombardmentOptions;
let lease: BombardmentOptions;
let trapper: BombardmentOptions;

beforeAll(async () => {
  const [reporterWasm, leaseWasm, trapperWasm] = await Promise.all(
    [
      "examples/metrics-reporter/assembly/plugin.ts",
      "test/guests/robust-lease/plugin.guest.ts",
      "test/guests/robust-trapper/plugin.guest.ts",
    ].map(async (entry) => (await buildGuest({ entry })).bytes),
  );
  const configuration = { collector: "collector", leaseMs: 5000, tickMs: 1000, reportMs: 4000 };
  reporter = {
    plugin: { name: "metrics-reporter", wasm: reporterWasm!, configuration },
    cells: ["metrics-reporter:ledger", "metrics-reporter:counts:0"],
    seed: 1,
    pagesMax,
  };
  lease = {
    plugin: { name: "robust-lease", wasm: leaseWasm! },
    cells: ["robust:touched", "robust:counter"],
    seed: 2,
    pagesMax,
  };
  trapper = {
    plugin: { name: "robust-trapper", wasm: trapperWasm!, configuration: {} },
    cells: [],
    seed: 3,
    pagesMax,
  };
});

function faulty(fault: string): LeaseBombardment {
  const plugin = { ...trapper.plugin, vmConfiguration: fault };
  return new LeaseBombardment({ ...trapper, plugin, hangMs: hangMsFor(fault) });
}

describe("electors under mutated leases, term keys and cells", () => {
  it.each([
    ["metrics-reporter", () => reporter, rounds(20_000)],
    ["a plugin with touched cells", () => lease, rounds(25_000)],
    [
      "metrics-reporter that met records of longer leases",
      () => ({ ...reporter, seed: 4, hasLongPromises: true }),
      rounds(5_000),
    ],
  ])(
    "%s never traps, hangs, swells or has two leaders, and always gets one again",
    (_name, options, count) => {
      const tally = new LeaseBombardment(options()).run(count);

      tallies.push(tally);
      expect(tally.records).toBeGreaterThanOrEqual(count);
      // Both kinds of records occur, and electors that lead: else nothing was tried.
      expect(tally.json).toBeGreaterThan(count / 4);
      expect(tally.json).toBeLessThan(count / 2);
      expect(tally.cells).toBeGreaterThan(count / 5);
      expect(tally.recoveries).toBe(count / 500);
      expect(tally.leaders).toBeGreaterThan(count / 40);
    },
    120_000,
  );

  it("were shown as many records as they were to be: fifty thousand in a soak", () => {
    const records = tallies.reduce((sum, tally) => sum + tally.records, 0);

    expect(records).toBeGreaterThanOrEqual(rounds(50_000));
  });
});

describe("what watches over them", () => {
  it.each([
    ["trap", /trapped in proxy_on_tick/],
    ["hang", /hung for 1000 ms: record \d+ of seed 3/],
    ["leak", /pages of memory/],
    ["two", /two leaders: .*both lead/],
    ["stays", /a leader did not step down/],
    ["none", /nobody leads 5000 ms/],
  ])("notices a plugin with the fault %j", (fault, message) => {
    expect(() => faulty(fault).run(4_000)).toThrow(message);
  });
});
