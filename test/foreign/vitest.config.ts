import { defineConfig } from "vitest/config";

/** `make foreign`: plugins of other SDKs in the mock. One file at a time: they share compilers and caches. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["*.check.ts"],
    testTimeout: 300_000,
    hookTimeout: 1_200_000,
    pool: "forks",
    fileParallelism: false,
  },
});
