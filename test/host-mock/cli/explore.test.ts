import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../../host-mock/cli/program.ts";
import { electorModule, recipeModule } from "../../election/explore/scenarios.ts";
import { collectors } from "./collecting-streams.ts";

let folder = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "proxy-wasm-as-"));
  const file = (name: string, wasm: string, rest: string): void => {
    const text = `name: ${name}\nduration: 1s\nplugins:\n  - {name: p, wasm: ${wasm}${rest}\n`;
    writeFileSync(join(folder, `${name}.yaml`), text);
  };
  const recipe = await recipeModule();
  file("good", await electorModule(), ", root_id: plain}\nexplore: {ticks: 1, time_steps: 1}");
  file("recipe", recipe, ", witness: lease}\nexplore: {ticks: 1}");
  const expected = "properties:\n  - {check: single_winner, plugin: p, expect: violated}";
  file("expected", recipe, `, witness: lease}\n${expected}\nexplore: {ticks: 1}`);
  file("wrong", recipe, "}\nexplore: {tick: 1}");
});

afterAll(() => rmSync(folder, { recursive: true }));

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const streams = collectors();
  const code = await runCommand(argv, streams);
  return { code, out: streams.stdout.text, err: streams.stderr.text };
}

const path = (name: string): string => join(folder, name);

interface Json {
  readonly ok: boolean;
  readonly states: number;
  readonly complete: boolean;
  readonly cut_by: string | null;
  readonly violation: { readonly property: string; readonly steps: readonly unknown[] } | null;
}

describe("explore", () => {
  test("an election that holds is searched completely, with counts", async () => {
    const { code, out, err } = await run("explore", path("good.yaml"));

    expect(err).toBe("");
    expect(out).toMatch(/^good: exhaustive; 2 VMs × 1 ticks, 1 × 16s of time; profile envoy$/m);
    expect(out).toMatch(/\d+ states, \d+ steps, depth \d+, .* complete$/m);
    expect(out).toMatch(/✔ single_winner, .* hold in every schedule/);
    expect(code).toBe(0);
  });

  test("a violation is printed as a table with the line that runs it again, and that line does", async () => {
    const { code, out } = await run("explore", path("recipe.yaml"));

    expect(code).toBe(1);
    expect(out).toMatch(/✘ single_winner is violated, after \d+ steps/);
    expect(out).toMatch(/step +VM +call +answer +who leads/);
    const again = /^again: npx proxy-wasm-as (replay .*) --schedule "(.*)"$/m.exec(out);
    const replayed = await run(...again![1]!.split(" "), "--schedule", again![2]!);
    expect(replayed.code).toBe(1);
    expect(replayed.out).toContain("single_winner is violated");
    const table = (text: string): string[] =>
      text.split("\n").filter((line) => /^ +\d+ +(main|worker)/.test(line));
    expect(table(replayed.out)).toEqual(table(out));
  });

  test("a violation that the file expects is fine, and one that does not come is not", async () => {
    const found = await run("explore", path("expected.yaml"), "--json");
    const alone = await run("explore", path("expected.yaml"), "--profile", "strict", "--json");

    expect(found.code).toBe(0);
    expect((JSON.parse(found.out) as Json).violation?.property).toBe("single_winner");
    // Where a set must name the version that is there, the second creator is refused.
    expect((JSON.parse(alone.out) as Json).violation).toBeNull();
    expect(alone.code).toBe(1);
  });

  test("every host has a line in the table of --profile all", async () => {
    const { out } = await run("explore", path("recipe.yaml"), "--profile", "all");

    expect(out).toMatch(/^ +envoy +single_winner violated: /m);
    expect(out).toMatch(/^ +strict +holds \(\d+ states\)$/m);
    expect(out.trim().split("\n")).toHaveLength(8);
  });

  test("a search that is cut off says by what, and is neither right nor wrong", async () => {
    const { code, out } = await run("explore", path("good.yaml"), "--max-states", "5", "--json");

    const { complete, cut_by, violation } = JSON.parse(out) as Json;
    expect({ code, complete, cut_by, violation }).toEqual({
      code: 3,
      complete: false,
      cut_by: "states",
      violation: null,
    });
  });

  test("shards joined find what the whole search finds", async () => {
    const whole = JSON.parse((await run("explore", path("good.yaml"), "--json")).out) as Json;
    const files = [];
    for (const shard of ["1/2", "2/2"]) {
      const { out } = await run("explore", path("good.yaml"), "--shard", shard, "--json");
      files.push(path(`shard${shard[0]}.json`));
      writeFileSync(files.at(-1), out);
    }

    const joined = await run("merge", ...files, "--json");
    const alone = await run("merge", files[0]!, "--json");

    expect(joined.code).toBe(0);
    expect(JSON.parse(joined.out)).toMatchObject({ ok: true, complete: true, violation: null });
    expect((JSON.parse(joined.out) as Json).states).toBeGreaterThanOrEqual(whole.states);
    expect(JSON.parse(alone.out)).toMatchObject({ ok: false, complete: false, cut_by: "shard" });
    expect(alone.code).toBe(3);
  });

  test("a saved schedule replays, and the page of a search is written", async () => {
    const [saved, report] = [path("found.json"), path("found.html")];
    await run("explore", path("recipe.yaml"), "--save", saved, "--report", report);

    const { code, out } = await run("replay", saved, "--json");

    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ ok: false, property: "single_winner", ended: true });
    expect(readFileSync(report, "utf8")).toContain("<svg");
  });

  test("a sampling strategy that ran its schedules without a violation is fine", async () => {
    const sampled = ["--strategy", "pct", "--depth", "2", "--schedules", "20", "--seed", "3"];
    const { code, out } = await run("explore", path("good.yaml"), ...sampled);

    expect(out).toMatch(/20 schedules, .* cut off by schedules/);
    expect(code).toBe(0);
  });

  test("bad input is one line that says what there is", async () => {
    const lines = [
      await run("explore", path("wrong.yaml")),
      await run("explore", path("good.yaml"), "--strategy", "luck"),
      await run("explore", path("good.yaml"), "--ticks", "two"),
      await run("explore", path("good.yaml"), "--shard", "3/2"),
      await run("replay", path("good.yaml"), "--schedule", "worker_9"),
      await run("replay", path("wrong.yaml")),
      await run("merge", path("good.yaml")),
    ];

    for (const { code, out, err } of lines) {
      expect(out).toBe("");
      expect(err.trim().split("\n")).toHaveLength(1);
      expect(code).toBe(2);
    }
    expect(lines[0]!.err).toContain("did you mean ticks?");
    expect(lines[1]!.err).toContain("there are exhaustive, random, pct, round-robin, fixed");
  });
});

describe("replay of a trace", () => {
  test("a scenario's trace is run again and compared event by event", async () => {
    const trace = path("run.jsonl");
    await run("simulate", path("good.yaml"), "--trace", trace);

    const same = await run("replay", trace, "--scenario", path("good.yaml"));
    const other = await run("replay", trace, "--scenario", path("good.yaml"), "--seed", "2");
    const unnamed = await run("replay", trace);

    expect(same).toMatchObject({ code: 0, out: expect.stringMatching(/^✔ \d+ events, all as/) });
    expect(other).toMatchObject({ code: 1, out: expect.stringMatching(/^✘ event \d+ differs/) });
    expect(unnamed).toMatchObject({ code: 2, out: "" });
  });
});
