import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/build-guest.ts";
import { suites } from "./suites/index.ts";

interface Row {
  readonly number: number;
  /** `suite/case`, or `path/of/a.test.ts: name of a test`. */
  readonly references: readonly string[];
}

const rows: readonly Row[] = readFileSync(join(import.meta.dirname, "README.md"), "utf8")
  .split("\n")
  .map((line) => /^\| (\d+) \| .* \| (.*) \|$/.exec(line))
  .filter((match) => match !== null)
  .map(([, number = "", cell = ""]) => {
    const references = [...cell.matchAll(/`([^`]+)`/g)].map(([, reference = ""]) => reference);
    return { number: Number(number), references };
  });

/** Numbers that each case shows, by `suite/case`. */
const shown = new Map<string, readonly number[]>(
  suites.flatMap(({ name, cases }) =>
    cases.map(({ id, shows = [] }) => [`${name}/${id}`, shows] as const),
  ),
);

describe("the table of what mocks get wrong", () => {
  it("has each number from 1 to 48 once", () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 48 }, (_, at) => at + 1));
  });

  it.each(rows)("$number is shown by what it names", ({ number, references }) => {
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) {
      const [path = "", name] = reference.split(": ");
      if (name === undefined) expect(shown.get(reference), reference).toContain(number);
      else expect(textOf(path), reference).toContain(name);
    }
  });

  it("numbers nothing else", () => {
    const numbers = [...shown.values()].flat();

    expect(
      numbers.filter((number) => !Number.isInteger(number) || number < 1 || number > 48),
    ).toEqual([]);
  });
});

describe("the suites", () => {
  it("have names and cases of their own, in at least two hundred cases", () => {
    const names = suites.map(({ name }) => name);
    const ids = suites.flatMap(({ name, cases }) => cases.map(({ id }) => `${name}/${id}`));

    expect(new Set(names).size).toBe(names.length);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(200);
    expect(ids.filter((id) => !/^[a-z0-9-]+\/[a-z0-9-]+$/.test(id))).toEqual([]);
  });
});

function textOf(path: string): string {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
