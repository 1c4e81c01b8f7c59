import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../../host-mock/cli/program.ts";
import { loadScenario, overviewSvg, runScenario } from "../../host-mock/index.ts";
import { root } from "../support/build-guest.ts";
import { collectors } from "../host-mock/cli/collecting-streams.ts";
import { blocksOf, isRecording, markedIn, writeMarked } from "./support/page.ts";

const scenarios = "examples/metrics-reporter/scenarios";

/** What the command prints without a terminal, colours or a width of its own. */
async function printed(scenario: string): Promise<string> {
  const streams = collectors();
  const code = await runCommand(
    ["simulate", "--no-color", `${scenarios}/${scenario}.yaml`],
    streams,
  );
  expect(streams.stderr.text).toBe("");
  expect(code).toBe(0);
  return streams.stdout.text;
}

describe("an output shown in a page", () => {
  it.each([
    ["README.md", "picture", "stale-leader"],
    ["examples/metrics-reporter/README.md", "output", "day17"],
    ["docs/guides/read-a-timeline.md", "output", "day17"],
  ])("%s: the %s is that of a fresh run of %s", async (page, name, scenario) => {
    const output = await printed(scenario);
    if (isRecording) writeMarked(page, name, output);

    expect(output).toContain("verdicts are as expected");
    expect(markedIn(page, name)).toBe(output);
  });
});

describe("a picture shown in a page", () => {
  it.each(["stale-leader", "wipe"])("docs/pictures/%s.svg is that of a fresh run", (name) => {
    const file = join(root, `docs/pictures/${name}.svg`);
    const svg = overviewSvg(runScenario(loadScenario(join(root, `${scenarios}/${name}.yaml`))));
    if (isRecording) writeFileSync(file, svg);

    expect(readFileSync(file, "utf8")).toBe(svg);
  });

  it("docs/guides/read-a-report.md: its command and its test write the same report", async () => {
    const [command, test] = blocksOf("docs/guides/read-a-report.md");
    const folder = mkdtempSync(join(tmpdir(), "proxy-wasm-as-report-"));
    const [byCommand, byTest] = [join(folder, "command.html"), join(folder, "test.html")];
    const argv = command!.text.trim().replace("report.html", byCommand).split(" ").slice(2);
    const script = join(folder, "report.ts");
    const door = JSON.stringify(join(root, "host-mock/index.ts"));
    const body = test!.text.replace('"proxy-wasm-as"', door).replace("report.html", byTest);
    writeFileSync(script, body);

    expect(await runCommand(argv, collectors())).toBe(0);
    await import(/* @vite-ignore */ script);

    const again = /<section><h2>Again<\/h2>.*<\/section>\n/;
    const written = readFileSync(byCommand, "utf8");
    expect(written).toMatch(again);
    expect(readFileSync(byTest, "utf8")).toBe(written.replace(again, ""));
    rmSync(folder, { recursive: true });
  });
});
