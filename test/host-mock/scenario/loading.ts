import { rmSync } from "node:fs";
import { join } from "node:path";
import { test as base, expect } from "vitest";
import { MockHostError } from "../../../host-mock/errors.ts";
import { parseScenario, type Scenario } from "../../../host-mock/scenario/load.ts";
import { scenarioFolder } from "./scenario-text.ts";

/** A test with a folder of its own, which holds `plugin.wasm`. */
export const test = base.extend<{ folder: string }>({
  folder: async ({}, use) => {
    const folder = scenarioFolder();
    await use(folder);
    rmSync(folder, { recursive: true });
  },
});

export function load(folder: string, text: string, name = "s.yaml"): Scenario {
  return parseScenario(join(folder, name), text);
}

/** The message without the folder, as a user in that folder reads it. */
export function refusal(folder: string, text: string): string {
  try {
    load(folder, text);
  } catch (error) {
    if (!(error instanceof MockHostError)) throw error;
    expect(["E_SCENARIO", "E_FILE"]).toContain(error.code);
    expect(error.message).toMatch(/^\S+:\d+:\d+: [^\n]+; [^\n]+$/);
    return error.message.replaceAll(`${folder}/`, "");
  }
  throw new Error("the scenario was accepted");
}
