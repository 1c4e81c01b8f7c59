/** What would be worth nothing if it always held: the same faults, against what does not stand them. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadScenario, runScenario, type FaultRates } from "../../host-mock/index.ts";
import { buildGuest } from "../support/build-guest.ts";
import { failureText, planOf, runSeed, seedsOf, shrunkFile, Totals } from "./support/campaign.ts";
import type { Campaign } from "./support/campaign.ts";
import { rates, reporterCampaign } from "./support/reporter.ts";

const plugin = "go";

/** It makes no calls and takes no configuration. */
const recipeRates: FaultRates = Object.fromEntries(
  Object.entries(rates).filter(([kind]) => !/answers|calls/.test(kind) && kind !== "reconfigure"),
);

function recipeCampaign(wasm: string): Campaign {
  const one = { name: plugin, witness: "lease" } as const;
  return {
    name: "must-fail",
    wasm,
    plugin,
    options: { plugins: [{ ...one, wasm: new Uint8Array(readFileSync(wasm)) }] },
    frame: {
      plugins: [{ ...one, wasm }],
      properties: [{ check: "single_winner", plugin }],
    },
    rates: recipeRates,
    names: { plugins: [plugin], keys: ["higress_wasm_vm_lease:"] },
    checks: [{ check: "single_winner", plugin }],
  };
}

describe("wasm-go's election", () => {
  const totals = new Totals("must-fail");
  let campaign: Campaign;

  beforeAll(async () => {
    const args = ["--exportStart", "_initialize", "--optimizeLevel", "3", "--use", "abort="];
    const entry = "test/guests/wasm-go-recipe/plugin.guest.ts";
    campaign = recipeCampaign((await buildGuest({ entry, config: false, args })).path);
  });

  test("has two leaders under many seeds", () => {
    const seeds = seedsOf(0, 100);
    for (const seed of seeds) totals.add(runSeed(campaign, planOf(campaign, seed)));

    expect(totals.violating.length).toBeGreaterThan(seeds.length / 4);
  });

  test("a seed that fails says so, and its shrunk file shows the same by itself", () => {
    const outcome = totals.violating[0]!;

    const { path, faultCount } = shrunkFile(campaign, outcome.seed);

    expect(faultCount).toBeLessThan(10);
    const run = runScenario(loadScenario(path));
    expect(run.verdicts.find(({ property }) => property === "single_winner")).toMatchObject({
      holds: false,
    });
    expect(failureText(campaign, outcome).split("\n").slice(-2)).toEqual([
      `replay: CAMPAIGN_SEED=${outcome.seed} npx vitest run --config test/campaign/vitest.config.ts must-fail`,
      expect.stringMatching(
        /^with \d faults: node dist\/cli\/main\.js simulate \.cache\/campaign\//,
      ),
    ]);
    const again = runSeed(campaign, planOf(campaign, outcome.seed));
    expect(again).toEqual(outcome);
  });

  afterAll(() => console.log(totals.line));
});

test("without a fence at the receiver stale effects come through", () => {
  const campaign = reporterCampaign("unfenced", { hasFence: false });
  const totals = new Totals(campaign.name);

  for (const seed of seedsOf(0, 20)) totals.add(runSeed(campaign, planOf(campaign, seed)));

  console.log(totals.line);
  const violations = totals.violating.flatMap(({ violations }) => violations);
  expect(violations.some((violation) => violation.startsWith("no_stale_effect"))).toBe(true);
  expect(violations.every((violation) => violation.startsWith("no_stale_effect"))).toBe(true);
});
