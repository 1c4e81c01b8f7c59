import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const source = readFileSync(join(root, "host-mock/errors.ts"), "utf8");
const page = readFileSync(join(root, "docs/reference/error-codes.md"), "utf8");

/** The codes of the closed union, in its order. */
function codesInSource(): string[] {
  return [...source.matchAll(/^ {2}(?:\| )?"(E_[A-Z_]+)";?$/gm)].map((match) => match[1] ?? "");
}

/** The page's entries by code. */
function entries(): Map<string, string> {
  const parts = page.split(/^## /m).slice(1);
  return new Map(
    parts.map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n"))]),
  );
}

describe("docs/reference/error-codes.md", () => {
  test("has an entry for each code of errors.ts, in its order, and none besides", () => {
    const codes = codesInSource();

    expect(codes).toContain("E_FILE");
    expect(codes).toContain("E_INTERNAL");
    expect([...entries().keys()]).toEqual(codes);
  });

  for (const [code, entry] of entries()) {
    test(`says cause and fix of ${code}`, () => {
      expect(entry).toMatch(/^Cause: .{20,}$/m);
      expect(entry).toMatch(/^Fix: .{15,}$/m);
    });
  }

  test("speaks of no code that does not exist", () => {
    const named = new Set(page.match(/\bE_[A-Z_]+\b/g));

    expect([...named].filter((code) => !codesInSource().includes(code))).toEqual([]);
  });
});
