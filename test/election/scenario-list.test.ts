/** The page docs/internals/election-scenarios.md against the tests that exist. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/build-guest.ts";

const counts = { S: 10, F: 12, C: 11, D: 9, N: 12, W: 5, H: 5, R: 10 };
const ids = Object.entries(counts).flatMap(([table, count]) =>
  Array.from({ length: count }, (_, index) => `${table}${index + 1}`),
);

const page = readFileSync(join(root, "docs/internals/election-scenarios.md"), "utf8");
const [tables = "", waitingList = ""] = page.split("## What waits");

/** Cells of the rows whose first cell is an id. */
function rows(text: string): string[][] {
  return text
    .split("\n")
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
    .filter(([id]) => id !== undefined && /^[SFCDNWHR]\d+$/.test(id));
}

/** Ids with which names of tests begin, by file. */
function named(folder: string): Map<string, Set<string>> {
  const files = readdirSync(join(root, folder)).filter((name) => name.endsWith(".test.ts"));
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, folder, file), "utf8");
      const names = text.matchAll(/["'`]((?:[SFCDNWHR]\d+, )*[SFCDNWHR]\d+): /g);
      return [file, new Set([...names].flatMap(([, list]) => list!.split(", ")))];
    }),
  );
}

const here = named("test/election");
const everywhere = new Set(
  [...here.values(), ...named("test/assembly/election").values()].flatMap((found) => [...found]),
);

describe("the list of election scenarios", () => {
  it("has a test for each id, or the id waits with a reason", () => {
    const waits = new Set(rows(waitingList).map(([id]) => id));

    expect(rows(waitingList).filter(([, what, reason]) => what === "" || reason === "")).toEqual(
      [],
    );
    expect(ids.filter((id) => !everywhere.has(id) && !waits.has(id))).toEqual([]);
    expect([...waits].filter((id) => !ids.includes(id!))).toEqual([]);
  });

  it("names for each id the file that has its test", () => {
    const wrong = rows(tables).filter(
      ([id, , file]) => !here.get(file!.replaceAll("`", ""))?.has(id!),
    );

    expect(wrong).toEqual([]);
  });

  it("has each id that is tested here once", () => {
    const tested = ids.filter((id) => [...here.values()].some((found) => found.has(id)));

    expect(rows(tables).map(([id]) => id)).toEqual(tested);
  });
});
