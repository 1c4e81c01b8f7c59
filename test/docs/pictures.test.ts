import { describe, expect, it } from "vitest";
import { runCommand } from "../../host-mock/cli/program.ts";
import { collectors } from "../host-mock/cli/collecting-streams.ts";
import { isRecording, markedIn, writeMarked } from "./support/page.ts";

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
