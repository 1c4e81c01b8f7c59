import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { runAsc } from "../support/asc.ts";
import { compile, root } from "../support/build-guest.ts";
import { exportNames } from "../support/module-face.ts";

// asc runs in processes of its own here, and is slow in a cold one on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const fixtures = join(import.meta.dirname, "fixtures");
mkdirSync(join(root, ".cache"), { recursive: true });
const out = mkdtempSync(join(root, ".cache/refusals-"));
afterAll(() => rmSync(out, { recursive: true }));

/**
 * Fixture, and further asc arguments. A fixture with an asconfig.json of its own is built by the
 * asc command.
 */
const refused: Readonly<Record<string, readonly string[]>> = {
  "captured-local": [],
  "captured-parameter": [],
  "captured-loop-variable": [],
  "captured-this": [],
  "missing-export-line": [],
  "two-markers": [],
  "relative-copy": [],
  "relative-only": [],
  "stray-date-now": [],
  "stray-random": [],
  "stray-console": [],
  "stray-trace": [],
  "stray-performance": [],
  "stray-crypto": [],
  "stray-declare": [],
  "stray-env": [],
  "stray-wasi": [],
  "stray-higress": [],
  "stray-abort": [],
  "imported-memory": ["--importMemory"],
  "imported-table": ["--importTable"],
  "start-section": [],
  "start-export-nobody-calls": ["--exportStart", "begin"],
  "json-as-first": [],
  "json-as-on-the-command-line": ["--transform", "json-as"],
  "json-as-twice": [],
  "other-release": [],
  "missing-node-kind": [],
};

/** Builds a fixture; the paths of the result are relative to its folder. */
async function build(
  name: string,
  args: readonly string[],
): Promise<{ failed: boolean; stderr: string; wasm: string }> {
  const folder = join(fixtures, name);
  const wasm = join(out, `${name}.wasm`);
  if (existsSync(join(folder, "asconfig.json"))) {
    const entry = existsSync(join(folder, "assembly/index.ts"))
      ? "assembly/index.ts"
      : "assembly/plugin.ts";
    const run = runAsc({ cwd: folder, args: [entry, "--outFile", wasm, ...args] });
    return { failed: run.code === 1, stderr: run.stdout + run.stderr, wasm };
  }
  const entry = `test/transform/fixtures/${name}/assembly/plugin.ts`;
  const run = await compile({ entry, args }, wasm);
  return {
    failed: run.failed,
    stderr: run.stderr.replaceAll(`test/transform/fixtures/${name}/`, ""),
    wasm,
  };
}

function expectedOf(name: string): string {
  return readFileSync(join(fixtures, name, "expected.txt"), "utf8");
}

describe("the transform refuses, and says so once", () => {
  for (const [name, args] of Object.entries(refused)) {
    it(name.replaceAll("-", " "), async () => {
      const built = await build(name, args);

      expect(built.stderr).toBe(expectedOf(name));
      expect(built.failed).toBe(true);
      expect(existsSync(built.wasm)).toBe(false);
    });
  }
});

describe("what is refused by mistake elsewhere", () => {
  it("an entry assembly/index.ts, which json-as would empty, keeps its exports, and a line says so", async () => {
    const built = await build("entry-index", []);

    expect(built.stderr).toBe(expectedOf("entry-index"));
    expect(built.failed).toBe(false);
    const names = exportNames(new Uint8Array(readFileSync(built.wasm)));
    expect(names).toContain("proxy_on_tick");
    expect(names).toContain("proxy_abi_version_0_2_1");
  });

  it("a Higress function is fine in a module built for Higress", async () => {
    const built = await build("stray-higress", ["--target", "higress"]);

    expect(built.stderr).toBe("");
    expect(built.failed).toBe(false);
  });
});

it("messages name calls that the SDK has", () => {
  const transform = join(root, "transform");
  const sources = readdirSync(transform).filter((file) => file.endsWith(".js"));
  const text = sources.map((file) => readFileSync(join(transform, file), "utf8")).join("\n");
  const folder = join(root, "assembly/proxywasm");
  const sdk = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");

  const named = [...text.matchAll(/proxywasm\.(\w+)|, (Log\w+)/g)].map(
    (match) => match[1] ?? match[2]!,
  );
  expect(named.length).toBeGreaterThan(6);
  expect(named.filter((name) => !new RegExp(`^export function ${name}\\b`, "m").test(sdk))).toEqual(
    [],
  );
});

it("the reference has the text of each refusal", () => {
  const page = readFileSync(join(root, "docs/reference/transform.md"), "utf8");

  const texts = [...Object.keys(refused), "entry-index"].map((name) => {
    return expectedOf(name)
      .split("\n")[0]!
      .replace(/^(ERROR AS102: User-defined: |FAILURE |proxy-wasm-as: )/, "");
  });
  expect(texts.filter((one) => !page.includes(one))).toEqual([]);
});

it("each fixture is in use", () => {
  const folders = readdirSync(fixtures).sort();

  expect(folders).toEqual([...Object.keys(refused), "entry-index"].sort());
});
