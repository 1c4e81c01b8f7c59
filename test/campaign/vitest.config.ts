import { defineConfig } from "vitest/config";

/** `make campaign`: random faults over many seeds, a file on each core. `CAMPAIGN_SEED=17` runs that seed alone. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["*.check.ts"],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: "100%",
    // Totals are part of what it shows.
    disableConsoleIntercept: true,
  },
});
