import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../support/build-guest.ts";

/** The cells of each row of a table. */
const rows = readFileSync(join(root, "docs/deviations.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| what |"))
  .map((line) => line.slice(2, -2).split(" | "))
  .filter(([first]) => first !== "---");

describe("the deviations from Envoy", () => {
  it("are there, each once, and each with a cell for what shows it", () => {
    const names = rows.map(([what]) => what);

    expect(rows.length).toBeGreaterThan(50);
    expect(names).toEqual([...new Set(names)]);
    expect(rows.filter((cells) => !/^(–|`[^|]+`)$/.test(cells.at(-1) ?? ""))).toEqual([]);
  });

  it("name tests that there are", () => {
    const named = rows.flatMap((cells) => (cells.at(-1) ?? "").match(/(?<=`)[\w/-]+(?=`)/g) ?? []);

    expect(named.length).toBeGreaterThan(30);
    expect(
      named.filter((name) => !existsSync(join(root, "test/host-mock", `${name}.test.ts`))),
    ).toEqual([]);
  });
});
