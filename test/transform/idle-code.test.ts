import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildGuest, compile, root } from "../support/build-guest.ts";

const out = mkdtempSync(join(root, ".cache/idle-code-"));
afterAll(() => rmSync(out, { recursive: true }));

/** Bodies by the end of the function's name. */
async function bodiesOf(entry: string): Promise<(end: string) => string> {
  // Those of the command line come first.
  const transforms = ["proxy-wasm-as/transform", "./test/support/emit-functions.js"];
  const args = transforms.flatMap((transform) => ["--transform", transform]);
  const { failed, stderr } = await compile({ entry, args }, join(out, "guest.wasm"));
  expect(failed).toBe(false);
  const functions = stderr.split(/\n{2,}/).map((text) => text.split("\n"));
  return (end) => {
    const found = functions.filter(([name]) => name!.endsWith(end));
    expect(found, end).toHaveLength(1);
    return found[0]!.slice(1).join("\n");
  };
}

describe("a module's idle code", () => {
  let plain: (end: string) => string;
  let featured: (end: string) => string;

  beforeAll(async () => {
    plain = await bodiesOf("test/guests/lease/plugin.guest.ts");
    featured = await bodiesOf("test/guests/featured-candidate/plugin.guest.ts");
  });

  it("has no visits of fields that hold functions, and all the others", () => {
    expect(plain("abi/contexts/Slots~visit")).not.toContain("itcms/__visit");
    const visited = plain("abi/contexts/Registration~visit").match(/itcms\/__visit/g);
    // The next one, the slots and the name; not the two that make contexts.
    expect(visited).toHaveLength(3);
  });

  it("does not look at an object's class where nothing overrides its method", () => {
    expect(plain("Elector#isHeldBack@override")).not.toContain("load");
    expect(plain("ElectionListener#started@override")).not.toContain("load");
  });

  it("does where something does", () => {
    expect(featured("Elector#isHeldBack@override")).toContain("load");
    expect(plain("Tick#run@override")).toContain("load");
  });
});

describe("a plugin that names no feature of elections", () => {
  it.each(["test/guests/lease/plugin.guest.ts", "examples/metrics-reporter/assembly/plugin.ts"])(
    "carries none of them: %s",
    async (entry) => {
      const { bytes } = await buildGuest({ entry, args: ["--debug"] });
      const names = Buffer.from(bytes).toString("latin1");

      expect(names).toContain("Elector#claim");
      for (const part of ["Featured", "Handover", "Probation", "Preference", "ElectionMetrics"]) {
        expect(names).not.toMatch(new RegExp(`${part}[\\w/]*#`));
      }
    },
  );

  it("one that names them does", async () => {
    const entry = "test/guests/featured-candidate/plugin.guest.ts";
    const { bytes } = await buildGuest({ entry, args: ["--debug"] });

    expect(Buffer.from(bytes).toString("latin1")).toMatch(/Handover[\w/]*#/);
  });
});
