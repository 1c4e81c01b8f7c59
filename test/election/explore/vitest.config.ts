import { defineConfig } from "vitest/config";

/** Searches that take minutes, one after the other in two processes. */
export default defineConfig({
  test: {
    include: ["test/election/explore/*.check.ts"],
    testTimeout: 3_600_000,
    hookTimeout: 300_000,
    pool: "forks",
    maxWorkers: "100%",
    disableConsoleIntercept: true,
  },
});
