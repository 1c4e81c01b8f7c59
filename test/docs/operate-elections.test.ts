/** The operator's page: its alarms name metrics that exist, its drills scenarios that are run. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../support/build-guest.ts";
import { blocksOf } from "./support/page.ts";

const page = "docs/guides/operate-elections.md";
const text = readFileSync(join(root, page), "utf8");
const blocks = blocksOf(page);
const scenarios = "examples/metrics-reporter/scenarios";

describe(page, () => {
  it("has alarms about metrics of its own tables alone, and about each kind of trouble", () => {
    const told = new Set([...text.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name!));
    const alarms = blocks.find(({ language }) => language === "promql")!.text;

    const used = [...alarms.matchAll(/\belection_([a-z_]+)/g)].map(([, name]) =>
      name!.replace(/_bucket$/, ""),
    );

    expect(used.length).toBeGreaterThan(10);
    expect(used.filter((name) => !told.has(name))).toEqual([]);
  });

  it("has a tag's expression that takes the plugin's name out of a statistic's", () => {
    const yaml = blocks.find(({ language }) => language === "yaml")!.text;
    const { stats_config: config } = parse(yaml) as {
      stats_config: { stats_tags: { regex: string }[] };
    };
    const tag = new RegExp(config.stats_tags[0]!.regex);

    const [, removed, value] = tag.exec("wasmcustom.election.a.b-c.stops_expired")!;

    expect([removed, value]).toEqual(["a.b-c.", "a.b-c"]);
    expect(tag.test("wasmcustom.other.metric")).toBe(false);
  });

  it("has drills with scenarios that are there; the example's own test runs whatever is", () => {
    const named = [...text.matchAll(/`([a-z0-9-]+)\.yaml`/g)].map(([, name]) => name!);

    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !existsSync(join(root, scenarios, `${name}.yaml`)))).toEqual([]);
  });
});
