/** The mock against what was recorded from a real Envoy. */
import { beforeAll, describe, expect, it } from "vitest";
import { readExpected } from "./expected.ts";
import { startMock } from "./mock-host.ts";
import { blocks, linesOf, runSuite } from "./run-suite.ts";
import type { Outcome } from "./run-suite.ts";
import { suites } from "./suites/index.ts";

for (const suite of suites) {
  describe(`suite ${suite.name}`, () => {
    let outcomes: Map<string, Outcome>;
    let expected: Map<string, readonly string[]>;

    beforeAll(async () => {
      expected = readExpected(suite.name);
      outcomes = await runSuite(suite, startMock);
    });

    for (const { id, what } of blocks(suite)) {
      it(`${id}: ${what}`, () => {
        expect(linesOf(outcomes.get(id))).toEqual(expected.get(id));
      });
    }

    it("has a recorded block for each case and no other", () => {
      expect([...expected.keys()]).toEqual(blocks(suite).map(({ id }) => id));
    });
  });
}
