import { defineConfig } from "vitest/config";

/** `make envoy`: checks against a real Envoy; one file at a time, for each starts an Envoy of its own. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["*.check.ts"],
    testTimeout: 120_000,
    hookTimeout: 600_000,
    pool: "forks",
    fileParallelism: false,
    teardownTimeout: 20_000,
  },
});
