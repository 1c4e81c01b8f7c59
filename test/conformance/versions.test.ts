import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readExpected } from "./expected.ts";
import { suites } from "./suites/index.ts";
import { differencesAt, otherVersions, readDifferences, versionDifferences } from "./versions.ts";

describe.each(otherVersions)("what Envoy %s does otherwise", (version) => {
  const folder = join(import.meta.dirname, "expected", version);
  const onFile = readdirSync(folder).map((name) => name.replace(/\.txt$/, ""));

  it("belongs to suites that there are", () => {
    expect(onFile.filter((name) => suites.every((suite) => suite.name !== name))).toEqual([]);
  });

  it.each(suites)("is known by its reason, and differs: $name", (suite) => {
    const recorded = readExpected(suite.name);
    const there = readDifferences(version, suite.name);
    const known = [...recorded.keys()].filter(
      (id) => differencesAt(version, { suite: suite.name, id }).length > 0,
    );

    expect([...there.keys()].sort()).toEqual(known.sort());
    for (const [id, block] of there) expect(block, id).not.toEqual(recorded.get(id));
  });
});

it("each difference names a case that there is", () => {
  const ids = new Set(
    suites.flatMap(({ name }) => [...readExpected(name).keys()].map((id) => `${name}/${id}`)),
  );
  const named = versionDifferences.flatMap(({ suite, cases }) =>
    cases.map((id) => `${suite}/${id}`),
  );

  expect(named.filter((name) => !ids.has(name))).toEqual([]);
});
