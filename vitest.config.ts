import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "examples/*/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: "forks",
    // A fresh module graph a file costs more than most files take: loading asc alone is a second.
    isolate: false,
    // vitest leaves a core free unless told otherwise: on two cores that is half of them.
    maxWorkers: "100%",
  },
});
