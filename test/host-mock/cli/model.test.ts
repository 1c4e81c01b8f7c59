import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../../host-mock/cli/program.ts";
import { leasePausePlot, modelLeasePause } from "../../../host-mock/model/index.ts";
import { collectors } from "./collecting-streams.ts";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "proxy-wasm-as-"));
});

afterAll(() => rmSync(folder, { recursive: true }));

async function model(...options: string[]): Promise<{ code: number; out: string; err: string }> {
  const streams = collectors();
  const code = await runCommand(["model", ...options], streams);
  return { code, out: streams.stdout.text, err: streams.stderr.text };
}

/** One of the rare runs whose P99 lies outside its band. */
const rare = ["--generator", "xoroshiro128plus", "--seed", "30", "--trials", "100000"];

describe("model lease-pause", () => {
  test("prints the published table digit for digit unless told otherwise", async () => {
    const { code, out, err } = await model("lease-pause");

    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^lease-pause: 200,000 trials a lease, generator go, seed 42$/m);
    expect(out).toMatch(/^3s +0\.94 % +\(1,875\) +3\.15 s +3\.28 s +97\.81 % +\(1,834\)$/m);
    expect(out).toMatch(/^5s +0\.87 % +\(1,741\) +5\.15 s +5\.28 s +97\.76 % +\(1,702\)$/m);
    expect(out).toMatch(/^10s +0\.68 % +\(1,352\) +10\.15 s +10\.28 s +97\.71 % +\(1,321\)$/m);
  });

  test("prints what theory expects beside it, and what a fence changes", async () => {
    const { out } = await model("lease-pause");

    expect(out).toMatch(/^3s +split +97\.81 % +97\.05 – 98\.38 % +97\.96 % .* inside$/m);
    expect(out).toMatch(/^3s +none +1,865 +\(99\.47 %\) +1,834 +0 +10$/m);
    expect(out).toMatch(/^3s +lazy: .* +31 +\(1\.65 %\) +0 +1,834 +10$/m);
    expect(out).toMatch(/^3s +eager: .* +0 +\(0\.00 %\) +0 +1,865 +10$/m);
    expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test("takes generator, seed, trials and lengths of the lease", async () => {
    const { code, out } = await model(
      ...["lease-pause", "--generator", "mulberry32", "--ttl", "10s,1500ms"],
      ...["--seed", "7", "--trials", "1000"],
    );

    expect(code).toBe(0);
    expect(out).toMatch(/^lease-pause: 1,000 trials a lease, generator mulberry32, seed 7$/m);
    expect(out.match(/^(10s|1\.5s) +\d/gm)).toHaveLength(2);
    expect(out).toContain("too few");
  });

  test("prints one JSON document with --json", async () => {
    const { code, out } = await model("lease-pause", "--json");

    const found = JSON.parse(out) as { rows: unknown[] };
    expect(code).toBe(0);
    expect(found).toMatchObject({
      model: "lease-pause",
      ok: true,
      generator: "go",
      seed: 42,
      trials: 200_000,
    });
    expect(found.rows[0]).toMatchObject({
      ttl_ms: 3000,
      elections: { count: 1875, of: 200_000, rate: 0.009375, inside: true },
      split: { count: 1834, of: 1875, inside: true },
      latency: { p50: { expected_ms: 3150, inside: true }, p99: { expected_ms: 3280 } },
      fencing: {
        none: { before_election: 10, accepted: 1865, overwriting: 1834, refused: 0 },
        lazy: { before_election: 10, accepted: 31, overwriting: 0, refused: 1834 },
        eager: { before_election: 10, accepted: 0, overwriting: 0, refused: 1865 },
      },
      early: { count: 10, inside: null },
      late_fence: { count: 31, inside: true },
      outlived: { of: 200_000, inside: true },
    });
  });

  test("exits with 1 when a share is not as expected, and names it alone when quiet", async () => {
    const loud = await model("lease-pause", ...rare);
    const quiet = await model("lease-pause", ...rare, "--quiet");

    expect([loud.code, quiet.code]).toEqual([1, 1]);
    expect(loud.out).toMatch(/^3s +P99 .* outside$/m);
    expect(quiet.out.trimEnd().split("\n")).toHaveLength(2);
    expect(quiet.out).toMatch(/^3s +P99 .* outside$/m);
  });

  test("prints nothing when quiet and all is as expected", async () => {
    expect(await model("lease-pause", "--quiet")).toEqual({ code: 0, out: "", err: "" });
  });

  test("writes the picture with --plot, beside what it prints", async () => {
    const file = join(folder, "shares.svg");

    const { code, out } = await model("lease-pause", "--plot", file);

    expect(code).toBe(0);
    expect(out).toContain("0.94 %");
    expect(readFileSync(file, "utf8")).toBe(leasePausePlot(modelLeasePause()));
  });

  test.each([
    ["no model", [], /^proxy-wasm-as model: missing required argument 'name'; see /],
    ["another model", ["lease"], /^proxy-wasm-as model: .*"lease"; there is lease-pause$/],
    [
      "another generator",
      ["lease-pause", "--generator", "pcg"],
      /--generator cannot be "pcg"; there are go, mulberry32, xoroshiro128plus$/,
    ],
    ["a seed below 0", ["lease-pause", "--seed", "-1"], /--seed cannot be "-1"; give a whole/],
    ["no trials", ["lease-pause", "--trials", "0"], /--trials cannot be "0"; .* 1 to 100000000$/],
    ["a bare number", ["lease-pause", "--ttl", "3"], /--ttl: "3" is no duration; write a unit/],
    ["an empty length", ["lease-pause", "--ttl", "3s,"], /--ttl: "" is no duration/],
    ["too long a lease", ["lease-pause", "--ttl", "30s"], /--ttl cannot be "30s"; .* 1s to 29s/],
    ["too short a lease", ["lease-pause", "--ttl", "1s,999ms"], /--ttl cannot be "999ms"/],
    ["two models", ["lease-pause", "more"], /too many arguments/],
    ["an unknown option", ["lease-pause", "--sead", "1"], /Did you mean --seed/],
  ])("answers %s with one line, and exits with 2", async (_, options, line) => {
    const { code, out, err } = await model(...options);

    expect([code, out]).toEqual([2, ""]);
    expect(err.trimEnd()).toMatch(line);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  });

  test("leaves no picture behind where it cannot be written", async () => {
    const file = join(folder, "nowhere", "shares.svg");

    const { code, out, err } = await model("lease-pause", "--plot", file);

    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("cannot be written");
    expect(existsSync(file)).toBe(false);
  });
});
