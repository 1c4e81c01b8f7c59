import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encodeEvent, loadScenario, prepareScenario } from "../../../host-mock/index.ts";
import { root } from "../../support/build-guest.ts";
import { isSoak } from "../../support/soak.ts";

const folder = join(root, "examples/metrics-reporter/scenarios");
/** An hour with a hundred workers takes half a minute three times over. */
const names = readdirSync(folder).filter((name) => isSoak || name !== "hundred-vms.yaml");

/** A digest over every byte that `--trace` would write, and how many lines they are. */
function traceOf(name: string, seed?: number): { digest: string; lines: number } {
  const hash = createHash("sha256");
  let lines = 0;
  const options = seed === undefined ? {} : { seed };
  prepareScenario(loadScenario(join(folder, name)), { ...options, trace: "full" }).run((event) => {
    hash.update(encodeEvent(event)).update("\n");
    lines++;
  });
  return { digest: hash.digest("hex"), lines };
}

describe("every scenario of the example", () => {
  it.each(names)(
    "%s: two runs of one file give one trace, another seed another",
    (name) => {
      const first = traceOf(name);

      expect(first.lines).toBeGreaterThan(100);
      expect(traceOf(name)).toEqual(first);
      expect(traceOf(name, 2).digest).not.toBe(first.digest);
    },
    240_000,
  );
});
