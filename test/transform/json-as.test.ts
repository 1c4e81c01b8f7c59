import { spawnSync } from "node:child_process";
import { readFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, describe, expect, it, vi } from "vitest";
import { runAsc } from "../support/asc.ts";
import { compile, root } from "../support/build-guest.ts";
import { pagesAfterStart } from "../support/module-face.ts";

// asc runs in processes of its own here, and is slow in a cold one on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const entry = "test/guests/transform-json-as/plugin.guest.ts";
const withoutJsonAs = "test/guests/transform-callbacks/own-callback.guest.ts";

mkdirSync(join(root, ".cache"), { recursive: true });
const out = mkdtempSync(join(root, ".cache/json-as-"));
afterAll(() => rmSync(out, { recursive: true }));

function pagesOf(path: string): number {
  return pagesAfterStart(new Uint8Array(readFileSync(path)));
}

/**
 * Runs asc several times in one fresh process without JSON_CACHE; answers what each run wrote to
 * stderr.
 */
function runsInOneProcess(runs: readonly (readonly string[])[]): string[] {
  const script = `
    import asc from "assemblyscript/asc";
    const said = [];
    for (const args of ${JSON.stringify(runs)}) {
      let stderr = "";
      await asc.main(args, { stdout: { write() {} }, stderr: { write(text) { stderr += text; } } });
      said.push(stderr);
    }
    process.stdout.write(JSON.stringify(said));`;
  const env = { ...process.env };
  delete env["JSON_CACHE"];
  const run = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  expect(run.stderr).toBe("");
  return (JSON.parse(run.stdout) as string[]).map((said) => stripVTControlCharacters(said));
}

describe("json-as through the SDK's asconfig.json", () => {
  it("takes no memory of a VM beyond its first page", async () => {
    const path = join(out, "default.wasm");

    const { failed, stderr } = await compile({ entry }, path);

    expect(stderr).toBe("");
    expect(failed).toBe(false);
    expect(pagesOf(path)).toBe(1);
  });

  it("keeps a cache size that the author chose", () => {
    const path = join(out, "chosen.wasm");

    const run = runAsc({
      cwd: root,
      args: [entry, "--outFile", path],
      env: { JSON_CACHE: "256kb" },
    });

    expect(run).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(pagesOf(path)).toBeGreaterThan(1);
  });
});

describe("asc several times in one process", () => {
  // What is looked at does not depend on how well asc optimises, which is most of its time.
  const quick = ["--optimizeLevel", "0", "--shrinkLevel", "0"];
  const right = ["--config", "asconfig.json", "--outFile", join(out, "many.wasm"), ...quick];
  const wrong = [
    "--config",
    "test/transform/fixtures/json-as-first/asconfig.json",
    "--outFile",
    join(out, "many.wasm"),
    ...quick,
  ];

  it("is fine in the right order, over and over", () => {
    const said = runsInOneProcess([
      [entry, ...right],
      [withoutJsonAs, ...right],
      [entry, ...right],
    ]);

    expect(said).toEqual(["", "", ""]);
    expect(pagesOf(join(out, "many.wasm"))).toBe(1);
  });

  it("refuses the wrong order after the right one, and takes the right one again", () => {
    const said = runsInOneProcess([
      [entry, ...right],
      [entry, ...wrong],
      [entry, ...right],
    ]);

    expect(said[0]).toBe("");
    expect(said[1]).toContain("FAILURE json-as runs before proxy-wasm-as/transform");
    expect(said[2]).toBe("");
  });

  it("refuses a json-as that was loaded without the setting, where it is used", () => {
    const said = runsInOneProcess([
      [entry, ...wrong],
      [entry, ...right],
      [withoutJsonAs, ...right],
    ]);

    expect(said[0]).toContain("FAILURE json-as runs before proxy-wasm-as/transform");
    expect(said[1]).toBe(
      "FAILURE json-as was loaded in this process before proxy-wasm-as/transform, and would take 1 MiB of each VM: " +
        "set the environment variable JSON_CACHE=128 before anything loads it\n",
    );
    expect(said[2]).toBe("");
  });
});
