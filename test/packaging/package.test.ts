import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { abiFunctions, wasiFunctions, wasiModules } from "../../transform/host-functions.js";
import { exportNames, importNames, pagesAfterStart } from "../support/module-face.ts";
import { install, pack, type Packed } from "./install.ts";

/** Each test starts several processes, and asc in a cold process is slow on a busy machine. */
const patience = 300_000;

let folder: string;
let packed: Packed;
let hoisted: string;
let nested: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "proxy-wasm-as-pack-"));
  packed = pack(join(folder, "packed"));
  hoisted = join(folder, "hoisted");
  nested = join(folder, "nested");
  for (const project of [hoisted, nested]) mkdirSync(project);
  install(packed, hoisted, "hoisted");
  install(packed, nested, "nested");
}, patience);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command of the installed packages. JSON_CACHE is unset, as at a user's. */
function npx(
  project: string,
  args: readonly string[],
): { code: number | null; stdout: string; stderr: string } {
  const env = { ...process.env };
  delete env["JSON_CACHE"];
  const run = spawnSync("npx", ["--no-install", ...args], { cwd: project, env, encoding: "utf8" });
  return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}

function build(
  project: string,
  name: string,
  args: readonly string[] = [],
): Uint8Array<ArrayBuffer> {
  const run = npx(project, [
    "asc",
    `assembly/${name}.ts`,
    "--outFile",
    `build/${name}.wasm`,
    ...args,
  ]);
  expect(run).toEqual({ code: 0, stdout: "", stderr: "" });
  return new Uint8Array(readFileSync(join(project, `build/${name}.wasm`)));
}

/** Runs a scenario with the installed command; whether every verdict is as expected. */
function simulate(project: string, args: readonly string[]): boolean {
  const run = npx(project, ["proxy-wasm-as", "simulate", "--json", ...args]);
  expect(run.stderr).toBe("");
  expect(run.code).toBe(0);
  return (JSON.parse(run.stdout) as { ok: boolean }).ok;
}

function markersOf(bytes: Uint8Array<ArrayBuffer>): string[] {
  return exportNames(bytes).filter((name) => name.startsWith("proxy_abi"));
}

/** Imports that Envoy does not provide. */
function strayImportsOf(bytes: Uint8Array<ArrayBuffer>): string[] {
  const provided = new Set([...abiFunctions].map((name) => `env.${name}`));
  for (const module of wasiModules)
    for (const name of wasiFunctions) provided.add(`${module}.${name}`);
  return importNames(bytes).filter((name) => !provided.has(name));
}

describe("the tarball", () => {
  it("has the SDK, the transform, the options, the command and the library", () => {
    for (const file of [
      "LICENSE",
      "README.md",
      "package.json",
      "asconfig.json",
      "assembly/index.ts",
      "assembly/abi/index.ts",
      "assembly/json-as.ts",
      "transform/index.js",
      "transform/index.d.ts",
      "dist/index.js",
      "dist/index.d.ts",
      "dist/testing/index.js",
      "dist/testing/index.d.ts",
      "dist/cli/main.js",
    ]) {
      expect(packed.files).toContain(file);
    }
  });

  it("has neither tests nor sources of the host", () => {
    const strange = packed.files.filter((file) =>
      /\.test\.|^(test|host-mock|bench|examples)\/|tsbuildinfo/.test(file),
    );

    expect(strange).toEqual([]);
  });
});

describe("a plugin of an empty project", () => {
  it.each([
    ["envoy", "proxy_abi_version_0_2_1"],
    ["higress", "proxy_abi_version_0_2_100"],
  ])(
    "has one marker and the host's functions alone, and runs in the command, built for %s",
    (target, marker) => {
      const bytes = build(hoisted, "plugin", ["--target", target]);

      expect(markersOf(bytes)).toEqual([marker]);
      expect(strayImportsOf(bytes)).toEqual([]);
      expect(simulate(hoisted, ["--profile", target, "scenario.yaml"])).toBe(true);
    },
    patience,
  );

  it(
    "has names and a source map of its own lines, built for debug, and runs",
    () => {
      const bytes = build(hoisted, "plugin", ["--target", "debug"]);

      const sections = (name: string) =>
        WebAssembly.Module.customSections(new WebAssembly.Module(bytes), name).length;
      expect([sections("name"), sections("sourceMappingURL")]).toEqual([1, 1]);
      const map = JSON.parse(readFileSync(join(hoisted, "build/plugin.wasm.map"), "utf8")) as {
        sources: string[];
      };
      expect(map.sources).toContain("assembly/plugin.ts");
      expect(strayImportsOf(bytes)).toEqual([]);
      expect(simulate(hoisted, ["scenario.yaml"])).toBe(true);
    },
    patience,
  );

  it("has no target to name for Envoy, which is the default", () => {
    const options = JSON.parse(
      npx(hoisted, ["asc", "assembly/plugin.ts", "--showConfig"]).stderr,
    ) as {
      options: { use: string[] };
    };

    expect(options.options.use).toEqual(["abort=~lib/proxy-wasm-as/assembly/abi/abort/abortHook"]);
  });

  it(
    "exports exactly what hello needs",
    () => {
      const bytes = build(hoisted, "hello");

      expect(exportNames(bytes)).toEqual([
        "proxy_abi_version_0_2_1",
        "proxy_on_memory_allocate",
        "proxy_on_context_create",
        "proxy_on_vm_start",
        "proxy_on_configure",
        "proxy_on_done",
        "proxy_on_delete",
        "proxy_on_response_headers",
        "memory",
        "_initialize",
      ]);
      expect(strayImportsOf(bytes)).toEqual([]);
    },
    patience,
  );
});

describe.each(["hoisted", "nested"] as const)("json-as, %s", (strategy) => {
  it(
    "serialises the author's class, in one page of memory a VM",
    () => {
      const project = strategy === "hoisted" ? hoisted : nested;

      const bytes = build(project, "report");

      expect(pagesAfterStart(bytes)).toBe(1);
      expect(strayImportsOf(bytes)).toEqual([]);
      expect(simulate(project, ["report.yaml"])).toBe(true);
    },
    patience,
  );
});

it("the library can be imported from the installed package", () => {
  const run = spawnSync(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      'const { MockEnvoy } = await import("proxy-wasm-as"); console.log(typeof MockEnvoy);',
    ],
    { cwd: hoisted, encoding: "utf8" },
  );

  expect(run.stderr).toBe("");
  expect(run.stdout).toBe("function\n");
});
