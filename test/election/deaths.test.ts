/** Scenario F12: sixteen candidates, ten thousand seconds, deaths and restarts drawn from a seed. */
import { describe, expect, it } from "vitest";
import { applyFault } from "../../host-mock/index.ts";
import { electing, failover, history, plugin, said, useElections } from "./support/elections.ts";

useElections();

describe("sixteen candidates that die and come back", () => {
  it.each([1, 2])(
    "F12: over 10,000 s of random deaths nobody is without a leader for longer than T + P (seed %i)",
    (seed) => {
      const envoy = electing({ concurrency: 15, seed });
      const often = { do: "chaos", until: "10000s", restart_after: "20s" } as const;
      applyFault(envoy, { ...often, crash_every: "20s", threads: "all" });
      applyFault(envoy, { ...often, crash_every: "60s", threads: { leader_of: plugin } });

      envoy.advance("10000s");

      const ends = history(envoy).map(({ end }) => end);
      expect(ends.filter((end) => end === "crashed").length).toBeGreaterThan(150);
      expect(new Set(ends)).toEqual(new Set(["crashed", "running"]));
      expect(envoy).toHaveLeaderWithin(failover);
      expect(said(envoy, /^stopped/)).toEqual([]);
    },
  );
});
