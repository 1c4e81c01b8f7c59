import { defineConfig } from "vitest/config";

/** `make browser`: pages in a headless Chromium. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["*.check.ts"],
    testTimeout: 60_000,
    hookTimeout: 600_000,
    pool: "forks",
    fileParallelism: false,
    teardownTimeout: 20_000,
  },
});
