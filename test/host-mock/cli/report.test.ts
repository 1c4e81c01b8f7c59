import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { result, simulate, Workplace } from "./workplace.ts";

let place: Workplace;
let folder = "";

beforeAll(async () => {
  place = await Workplace.make();
  folder = place.folder;
});

afterAll(() => place.remove());

const failing = {
  properties: "properties:\n  - {check: calls, cluster: collector, at_least: 100}",
};

describe("--report", () => {
  test("writes a page with the run's verdict, its ticks and the line that runs it again", async () => {
    const file = place.scenario("fine.yaml");
    const report = join(folder, "fine.html");

    const { code, err } = await simulate(file, "--report", report, "--seed", "3", "--quiet");

    const page = readFileSync(report, "utf8");
    expect([code, err]).toEqual([0, ""]);
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain("verdicts are as expected");
    expect(page).toContain("proxy_on_tick");
    expect(page).toContain(`npx proxy-wasm-as simulate ${file} --seed 3</pre>`);
  });

  test("is written for a run that is not as expected, and the exit code stays 1", async () => {
    const report = join(folder, "failing.html");

    const { code, out } = await simulate(
      place.scenario("failing.yaml", failing),
      "--report",
      report,
    );

    expect(code).toBe(1);
    expect(out).toContain("again: ");
    expect(readFileSync(report, "utf8")).toContain(
      '<ul class="failures"><li><b>✘ calls</b> of collector',
    );
  });

  test("changes nothing of the result, and equal runs write equal pages", async () => {
    const file = place.scenario("fine.yaml");
    const [one, two] = [join(folder, "one.html"), join(folder, "two.html")];

    const plain = await result(file);
    const reported = await result(file, "--report", one);
    await simulate(file, "--report", two, "--trace", join(folder, "t.jsonl"), "--quiet");

    expect(reported).toEqual(plain);
    expect(readFileSync(one, "utf8")).toBe(readFileSync(two, "utf8"));
  });

  test("with two scenario files is wrong use", async () => {
    const report = join(folder, "two-files.html");

    const { code, out, err } = await simulate(
      place.scenario("a.yaml"),
      place.scenario("b.yaml"),
      ...["--report", report],
    );

    expect([code, out]).toEqual([2, ""]);
    expect(err).toBe(
      "proxy-wasm-as simulate: --report goes with one scenario file, and 2 are given; " +
        "run them one by one, each with a report file of its own\n",
    );
    expect(existsSync(report)).toBe(false);
  });

  test.each(["--trace", "--junit"])("and %s cannot be one file", async (option) => {
    const file = place.scenario("fine.yaml");
    const output = join(folder, "same.out");

    const { code, err } = await simulate(file, "--report", output, option, output);

    expect(code).toBe(2);
    expect(err).toContain(`${option} and --report name one file; name two`);
    expect(existsSync(output)).toBe(false);
  });

  test("cannot take the place of the scenario that is read", async () => {
    const file = place.scenario("kept.yaml");
    const before = readFileSync(file, "utf8");

    const { code, err } = await simulate(file, "--report", file);

    expect(code).toBe(2);
    expect(err).toContain("is read by the run, and cannot be written by it");
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("that cannot be written leaves the other outputs as they were", async () => {
    const junit = join(folder, "old.xml");
    writeFileSync(junit, "old");

    const { code, out } = await simulate(
      place.scenario("fine.yaml"),
      ...["--junit", junit, "--report", join(folder, "no/such/r.html")],
    );

    expect([code, out]).toEqual([2, ""]);
    expect(readFileSync(junit, "utf8")).toBe("old");
  });
});
