import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { buildGuest, root } from "../support/build-guest.ts";
import { blocksOf } from "./support/page.ts";

const blocks = blocksOf("docs/reference/checks.md").filter(({ language }) => language === "ts");

test("docs/reference/checks.md shows code", () => {
  expect(blocks).toHaveLength(1);
});

test.each(blocks.map(({ line, text }) => [line, text] as const))(
  "the code of line %i of docs/reference/checks.md runs, and its rules are judged",
  async (line, text) => {
    const { path } = await buildGuest({ entry: "examples/metrics-reporter/assembly/plugin.ts" });
    const folder = join(root, ".cache/docs/checks");
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `line-${line}.ts`);
    const source = text
      .replaceAll('"proxy-wasm-as"', JSON.stringify(join(root, "host-mock/index.ts")))
      .replaceAll(
        '"proxy-wasm-as/testing"',
        JSON.stringify(join(root, "host-mock/testing/index.ts")),
      )
      .replaceAll('"build/metrics-reporter.wasm"', JSON.stringify(path));
    writeFileSync(file, `import { expect } from "vitest";\n${source}\nexport { envoy };\n`);

    const before = expect.getState().assertionCalls;
    const { envoy } = (await import(file)) as { envoy: { nowMs: number } };

    expect(expect.getState().assertionCalls - before).toBe(3);
    expect(envoy.nowMs).toBe(40_000);
  },
);
