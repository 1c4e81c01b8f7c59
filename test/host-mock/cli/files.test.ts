import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openFile } from "../../../host-mock/cli/files.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "proxy-wasm-as-files-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe("an output file", () => {
  test("keeps its old content until the new one is complete", () => {
    const path = join(folder, "out.txt");
    writeFileSync(path, "old");

    const file = openFile(path);
    file.write("n".repeat(600_000));
    const meanwhile = readFileSync(path, "utf8");
    file.keep();

    expect(meanwhile).toBe("old");
    expect(readFileSync(path, "utf8")).toBe("n".repeat(600_000));
    expect(readdirSync(folder)).toEqual(["out.txt"]);
  });

  test("that is given up leaves the folder as it was", () => {
    const path = join(folder, "out.txt");
    writeFileSync(path, "old");

    for (const name of ["out.txt", "new.txt"]) {
      const file = openFile(join(folder, name));
      file.write("half");
      file.discard();
    }

    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["out.txt"]);
  });

  test("behind a link is written where the link points, with the mode it had", () => {
    const path = join(folder, "real.txt");
    writeFileSync(path, "old");
    chmodSync(path, 0o600);
    symlinkSync(path, join(folder, "link.txt"));

    const file = openFile(join(folder, "link.txt"));
    file.write("new");
    file.keep();

    expect(readFileSync(path, "utf8")).toBe("new");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(["link.txt", "real.txt"]);
  });

  test("may be a device", () => {
    const file = openFile("/dev/null");

    file.write("nothing");
    file.keep();

    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  test("is refused before any work when it is a folder or in none", () => {
    for (const path of [folder, join(folder, "none/out.txt")]) {
      expect(() => openFile(path)).toThrow(expect.objectContaining({ code: "E_FILE" }));
    }
    expect(readdirSync(folder)).toEqual([]);
  });
});
