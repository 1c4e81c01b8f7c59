import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../../host-mock/cli/program.ts";
import { beacon, writeModule } from "./guests.ts";
import { collectors } from "./collecting-streams.ts";

let folder = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "proxy-wasm-as-"));
  copyFileSync(await beacon(), join(folder, "beacon.wasm"));
  writeFileSync(join(folder, "text.wasm"), "not a module");
  writeFileSync(join(folder, "empty.wasm"), "");
  writeFileSync(
    join(folder, "component.wasm"),
    new Uint8Array([0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0]),
  );
  writeFileSync(join(folder, "cut.wasm"), new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 9]));
  writeModule(join(folder, "plain.wasm"), {});
  writeModule(join(folder, "higress.wasm"), {
    exports: ["proxy_abi_version_0_2_100"],
    imports:
      '(import "env" "proxy_redis_init" (func (param i32 i32 i32 i32 i32 i32 i32) (result i32)))',
  });
});

afterAll(() => rmSync(folder, { recursive: true }));

async function inspect(
  name: string,
  ...options: string[]
): Promise<{ code: number; out: string; err: string }> {
  const streams = collectors();
  const code = await runCommand(["inspect", join(folder, name), ...options], streams);
  return { code, out: streams.stdout.text, err: streams.stderr.text };
}

describe("inspect", () => {
  test("prints a table that a person reads", async () => {
    const { code, out, err } = await inspect("beacon.wasm");

    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^ABI +0\.2\.1$/m);
    expect(out).toMatch(/^on envoy +loads$/m);
    expect(out).toMatch(/^on higress +loads$/m);
    expect(out).toMatch(/^ {2}HTTP calls +proxy_http_call$/m);
    expect(out).toMatch(/^ {2}log and time +proxy_set_tick_period_milliseconds proxy_log$/m);
    expect(out).toMatch(/^ {2}envoy lacks +none$/m);
    expect(out).toMatch(/^exports +proxy_abi_version_0_2_1 malloc .*\n +proxy_on_tick /m);
    expect(out).toMatch(/^ {2}envoy never calls +none$/m);
    expect(out).toMatch(/^features +bulk-memory$/m);
    expect(out).toMatch(/^ {2}code +[\d,]+ bytes \([\d.]+ %\)$/m);
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test("prints one JSON document of the contract's fields with --json", async () => {
    const { code, out } = await inspect("beacon.wasm", "--json");

    const found = JSON.parse(out) as Record<string, unknown>;
    expect(code).toBe(0);
    expect(found).toMatchObject({
      file: join(folder, "beacon.wasm"),
      bytes: statSync(join(folder, "beacon.wasm")).size,
      abi: ["0.2.1"],
      language: "assemblyscript",
      missing: { envoy: [], higress: [] },
      start_section: false,
      memory: { initial_pages: 1, maximum_pages: null, shared: false, imported: false },
      never_called: { envoy: [], higress: [] },
      features: ["bulk-memory"],
    });
    expect(found.imports).toContainEqual({ module: "env", name: "proxy_http_call" });
    expect(found.exports).toContain("proxy_on_configure");
  });

  test("names the profile that lacks an import, and what that host says", async () => {
    const { out } = await inspect("higress.wasm");
    const { out: json } = await inspect("higress.wasm", "--json");

    expect(out).toMatch(/^on envoy +Wasm VM failed Missing or unknown Proxy-Wasm ABI version/m);
    expect(out).toMatch(/^on higress +loads$/m);
    expect(out).toMatch(/^ {2}envoy lacks +env\.proxy_redis_init$/m);
    expect(JSON.parse(json)).toMatchObject({
      missing: { envoy: ["env.proxy_redis_init"], higress: [] },
    });
  });

  test("prints nothing when quiet", async () => {
    expect(await inspect("beacon.wasm", "--quiet")).toEqual({ code: 0, out: "", err: "" });
  });
});

describe("inspect refuses in one line, with nothing on stdout and exit code 2,", () => {
  const rows: readonly [behaviour: string, argv: [string, ...string[]], line: RegExp][] = [
    [
      "a missing file",
      ["none.wasm"],
      /none\.wasm:1:1: the file cannot be read \(ENOENT\); check the path/,
    ],
    [
      "a file that is not wasm",
      ["text.wasm"],
      /text\.wasm:1:1: this is no WebAssembly module; give a \.wasm file/,
    ],
    ["an empty file", ["empty.wasm"], /empty\.wasm:1:1: the file is empty; build the module again/],
    [
      "a component",
      ["component.wasm"],
      /component\.wasm:1:1: this is a WebAssembly component; proxies load core modules/,
    ],
    ["a module that is cut off", ["cut.wasm"], /cut\.wasm:1:1: /],
    [
      "a module that is no plugin",
      ["plain.wasm"],
      /plain\.wasm:1:1: no proxy-wasm module: .*; name a plugin's module/,
    ],
    [
      "a module of another profile",
      ["higress.wasm", "--profile", "envoy"],
      /higress\.wasm:1:1: Wasm VM failed Missing.*; use the profile higress/,
    ],
    [
      "an unknown profile",
      ["beacon.wasm", "--profile", "envoi"],
      /--profile cannot be "envoi"; .*envoy/,
    ],
  ];

  for (const [behaviour, argv, line] of rows) {
    for (const json of [[], ["--json"]]) {
      test([behaviour, ...json].join(" "), async () => {
        const { code, out, err } = await inspect(...argv, ...json);

        expect([code, out]).toEqual([2, ""]);
        expect(err).toMatch(/^[^\n]+: [^\n]+; [^\n]+\n$/);
        expect(err).toMatch(line);
      });
    }
  }
});
