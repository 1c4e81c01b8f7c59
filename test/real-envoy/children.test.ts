import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guard, startLogged } from "./children.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "proxy-wasm-as-children-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a process has the command's own id, and writes into its log", async () => {
  const log = join(folder, "words");
  const child = startLogged({ command: "sh", args: ["-c", "echo $$; echo oh >&2; exit 3"], log });

  expect(await once(child, "exit")).toEqual([3, null]);
  expect(readFileSync(log, "utf8")).toBe(`${String(child.pid)}\noh\n`);
});

test("a process whose log grows without end is ended, and the log is as long as it may be", async () => {
  const log = join(folder, "flood");
  const child = startLogged({ command: "yes", args: [], log, logBlocks: 64 });

  expect(await once(child, "exit")).toEqual([null, "SIGXFSZ"]);
  expect(statSync(log).size).toBeGreaterThan(0);
  expect(statSync(log).size).toBeLessThanOrEqual(64 * 1024);
});

test("a guarded process is killed when whoever holds the guard's input is gone", async () => {
  const child = spawn("sleep", ["60"]);

  guard(child).stdin!.destroy();

  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
});

test("a guard ends when its process has ended", async () => {
  const guarding = guard(spawn("true"));

  expect(await once(guarding, "exit")).toEqual([null, "SIGKILL"]);
});
