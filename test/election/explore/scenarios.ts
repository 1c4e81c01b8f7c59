/** Scenarios for the explorer, as users write them, around the guests of these tests. */
import { parseScenario, type Scenario } from "../../../host-mock/index.ts";
import { buildGuest } from "../../support/build-guest.ts";

const args = ["--exportStart", "_initialize", "--optimizeLevel", "3", "--use", "abort="];
const raw = { config: false, args } as const;

/** The published SDK's elector; `root_id` is one of the guest's plugins. */
export async function electorModule(): Promise<string> {
  return (await buildGuest({ entry: "test/guests/explore-elector/plugin.guest.ts" })).path;
}

/** wasm-go's recipe, step by step. */
export async function recipeModule(): Promise<string> {
  return (await buildGuest({ entry: "test/guests/wasm-go-recipe/plugin.guest.ts", ...raw })).path;
}

/** A scenario of one plugin; `rest` is further text of the file, such as its checks. */
export function scenarioOf(
  wasm: string,
  { vms, plugin = "", rest = "" }: { vms: number; plugin?: string; rest?: string },
): Scenario {
  return parseScenario(
    "test.yaml",
    `name: test
concurrency: ${vms - 1}
duration: 1s
plugins:
  - {name: elector, wasm: ${JSON.stringify(wasm)}${plugin}}
${rest}
explore: {vms: {elector: ${vms}}}
`,
  );
}
