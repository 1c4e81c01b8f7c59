import { afterAll, expect, test } from "vitest";
import { failureText, planOf, runSeed, seedsOf, Totals } from "./support/campaign.ts";
import { reporterCampaign } from "./support/reporter.ts";

const campaign = reporterCampaign("with-wipes", { wipes: true });
const totals = new Totals(campaign.name);
const blockSize = 100;

test.each(Array.from({ length: 10 }, (_, block) => block))(
  "a fence outside of shared data that knows the holder lets no stale effect through, whatever is wiped (block %i)",
  (block) => {
    for (const seed of seedsOf(block, blockSize)) {
      const outcome = runSeed(campaign, planOf(campaign, seed));
      totals.add(outcome);
      if (outcome.violations.length > 0) expect.fail(failureText(campaign, outcome));
    }
  },
);

test("the fence had something to refuse", () => {
  if (process.env["CAMPAIGN_SEED"] === undefined) expect(totals.refusedCount).toBeGreaterThan(0);
});

afterAll(() => console.log(totals.line));
