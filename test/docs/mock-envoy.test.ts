import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildGuest, root } from "../support/build-guest.ts";
import { blocksOf } from "./support/page.ts";

const blocks = blocksOf("docs/reference/mock-envoy.md").filter(({ language }) => language === "ts");

describe("docs/reference/mock-envoy.md", () => {
  let hello: string;

  beforeAll(async () => {
    hello = (await buildGuest({ entry: "test/guests/hello/plugin.guest.ts" })).path;
  });

  test("shows code", () => {
    expect(blocks.length).toBeGreaterThan(1);
  });

  test.each(blocks.map(({ line, text }) => [line, text] as const))(
    "the code of line %i runs",
    async (line, text) => {
      const folder = join(root, ".cache/docs/mock-envoy");
      mkdirSync(folder, { recursive: true });
      const file = join(folder, `line-${line}.ts`);
      const source = text
        .replaceAll('"proxy-wasm-as"', JSON.stringify(join(root, "host-mock/index.ts")))
        .replaceAll('"build/hello.wasm"', JSON.stringify(hello));
      writeFileSync(file, `${source}\nexport { envoy };\n`);

      const { envoy } = (await import(file)) as { envoy: { nowMs: number } };

      expect(envoy.nowMs).toBeGreaterThan(0);
    },
  );
});
