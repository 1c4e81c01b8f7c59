import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { asyncify } from "../../../host-mock/module/asyncify.ts";
import { exportGlobals, globalExportPrefix } from "../../../host-mock/module/export-globals.ts";
import { loadModule, type LoadedModule } from "../../../host-mock/module/load.ts";
import { envoy } from "../../../host-mock/profiles/envoy.ts";
import { electorModule } from "../../election/explore/scenarios.ts";

const imports = ["env.proxy_get_shared_data", "env.proxy_set_shared_data"];
let loaded: LoadedModule;

beforeAll(async () => {
  loaded = loadModule(new Uint8Array(readFileSync(await electorModule())), envoy, "elector");
});

describe("asyncify", () => {
  test("the rewritten module has the five functions and its globals, and keeps its identity", () => {
    const stepped = asyncify(loaded, { imports });

    const names = stepped.exports.map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("asyncify_"))).toHaveLength(5);
    expect(names.filter((name) => name.startsWith(globalExportPrefix)).length).toBeGreaterThan(3);
    expect(names).toEqual(expect.arrayContaining(loaded.exports.map(({ name }) => name)));
    expect(stepped.hash).toBe(loaded.hash);
    expect(stepped.imports).toEqual(loaded.imports);
  });

  test("the same bytes come from the cache", () => {
    const first = asyncify(loaded, { imports });

    const second = asyncify(loaded, { imports: [...imports].reverse() });

    expect(Buffer.compare(first.bytes, second.bytes)).toBe(0);
  });
});

describe("the exports of globals", () => {
  test("a module without a mutable global stays as it is", () => {
    // (module (global i32 (i32.const 7)) (memory (export "m") 1))
    const bytes = new Uint8Array([
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 3, 1, 0, 1],
      ...[6, 6, 1, 0x7f, 0, 0x41, 7, 0x0b, 7, 5, 1, 1, 0x6d, 2, 0],
    ]);

    expect(exportGlobals(bytes)).toBe(bytes);
  });

  test("each mutable global is exported under its index, imported ones counted", () => {
    // (module (global (import "e" "g") i32) (global (mut i32) 7) (global (mut f64) 1) (memory (export "m") 1))
    const bytes = new Uint8Array([
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 2, 8, 1, 1, 0x65, 1, 0x67, 3, 0x7f, 0],
      ...[5, 3, 1, 0, 1, 6, 18, 2, 0x7f, 1, 0x41, 7, 0x0b],
      ...[0x7c, 1, 0x44, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0x0b],
      ...[7, 5, 1, 1, 0x6d, 2, 0],
    ]);

    const instance = new WebAssembly.Instance(new WebAssembly.Module(exportGlobals(bytes)), {
      e: { g: 3 as never },
    });

    expect(Object.keys(instance.exports)).toEqual([
      "m",
      `${globalExportPrefix}1`,
      `${globalExportPrefix}2`,
    ]);
    expect((instance.exports[`${globalExportPrefix}2`] as WebAssembly.Global).value).toBe(1);
  });
});
