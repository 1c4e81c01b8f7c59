/**
 * Every foreign module loads, starts with a realistic configuration, and does its work on requests. The last test
 * compares what was found with docs/compatibility.md; RECORD=1 writes the page.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import { MockHostError } from "../../host-mock/errors.ts";
import { MockEnvoy } from "../../host-mock/index.ts";
import { inspectModule } from "../../host-mock/module/inspect.ts";
import { readModuleFile } from "../../host-mock/module/load.ts";
import { foreignModule, foreignNames } from "./build.ts";
import { moduleChecks } from "./checks/index.ts";
import { compatibilityPage, type Outcome } from "./compatibility.ts";
import { mockWith, pluginName } from "./host.ts";

const page = join(resolve(import.meta.dirname, "../.."), "docs/compatibility.md");
const unsupportedMax = 0.1;
const outcomes: Outcome[] = [];

describe("foreign modules", () => {
  it.each(moduleChecks)("$module: $checked", (check) => {
    let hasPassed = false;
    try {
      check.run();
      hasPassed = true;
    } finally {
      outcomes.push({ check, hasPassed });
    }
  });

  it("are all checked, and nine of ten at least are supported", () => {
    const unsupported = moduleChecks.filter((check) => check.unsupported !== undefined);

    expect(moduleChecks.map(({ module }) => module).sort()).toEqual([...foreignNames].sort());
    expect(unsupported.length / moduleChecks.length).toBeLessThanOrEqual(unsupportedMax);
  });

  it("are told of by docs/compatibility.md as they were found", async () => {
    const text = await format(compatibilityPage(outcomes), { parser: "markdown", printWidth: 100 });

    if (process.env["RECORD"] === "1") writeFileSync(page, text);
    expect(readFileSync(page, "utf8")).toBe(text);
  });
});

describe("ABI markers of wasm-go modules", () => {
  it.each(["go_hello", "go_metrics_reporter"] as const)(
    "%s has Higress's alone and is refused by Envoy",
    (name) => {
      const wasm = foreignModule(name);
      const start = (): void => {
        new MockEnvoy({
          profile: "envoy",
          plugins: [{ name: pluginName, wasm, configuration: "{}" }],
        }).start();
      };

      expect(inspectModule(readModuleFile(wasm)).abi).toEqual(["0.2.100"]);
      expect(start).toThrow(MockHostError);
      expect(start).toThrow(/Missing or unknown Proxy-Wasm ABI version/);
      expect(start).toThrow(/higress/);
    },
  );

  it.each(["go_hello_stock", "go_metrics_reporter_stock"] as const)(
    "%s has two and runs in both hosts",
    (name) => {
      const { abi } = inspectModule(readModuleFile(foreignModule(name)));

      expect(abi).toEqual(expect.arrayContaining(["0.2.1", "0.2.100"]));
      for (const profile of ["envoy", "higress"]) {
        const envoy = mockWith(name, { profile, configuration: "{}" });
        envoy.start();
        expect(envoy.thread("worker_0").request({}).status).toBe(200);
      }
    },
  );
});
