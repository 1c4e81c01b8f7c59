import { describe, expect, test } from "vitest";
import {
  checkDeterminism,
  exploredWorld,
  exploreScenario,
  parseScenario,
  type ExploreOptions,
  type Scenario,
} from "../../../host-mock/index.ts";
import { electorModule, recipeModule, scenarioOf } from "../../election/explore/scenarios.ts";

async function elector(vms: number, root = "plain"): Promise<Scenario> {
  return scenarioOf(await electorModule(), { vms, plugin: `, root_id: ${root}` });
}

function statesOf(scenario: Scenario, options: ExploreOptions): number {
  const { search, ok } = exploreScenario(scenario, options);
  expect(search.complete).toBe(true);
  expect(ok).toBe(true);
  return search.states!;
}

describe("the stepped world", () => {
  test("is a function of its answers: fresh worlds agree on random schedules", async () => {
    const scenario = await elector(3);
    const bounds = { ticks: 2, time_steps: 2, crashes: 1 };

    const check = checkDeterminism(() => exploredWorld(scenario, { bounds }), {
      seed: 1,
      count: 60,
    });

    expect(check.difference).toBeNull();
    expect(check.steps).toBeGreaterThan(1000);
  });

  test("every reduction keeps the verdict, and has fewer states or steps", async () => {
    const scenario = await elector(2);
    const bounds = { ticks: 1, time_steps: 1 };

    const plain = exploreScenario(scenario, {
      bounds,
      symmetry: false,
      search: { merging: false },
    });
    const merged = statesOf(scenario, { bounds, symmetry: false });
    const asleep = exploreScenario(scenario, {
      bounds,
      symmetry: false,
      search: { sleepSets: true },
    });
    const alike = statesOf(scenario, { bounds });

    expect(plain.ok).toBe(true);
    expect(plain.search.schedules).toBeGreaterThan(merged);
    expect(asleep.search.states).toBe(merged);
    expect(alike).toBeLessThan(merged);
  });

  test("guests that start differently are not taken for alike", async () => {
    const scenario = await elector(2, "wasm-go");
    const canary = exploredWorld(scenario, { bounds: { ticks: 1 } });

    // Without a canary the first to start makes the record, and the second finds it.
    const bare = exploredWorld(scenario, { bounds: { ticks: 1, canary: false } });

    expect(canary.renamingCount).toBe(2);
    expect(bare.renamingCount).toBe(1);
  });

  test("a crash, a wipe, a refusal and a corruption are choices with a budget", async () => {
    const scenario = await elector(2);
    const bounds = { ticks: 1, crashes: 1, wipes: 1, refusals: 1, corruptions: 1 };
    const world = exploredWorld(scenario, { bounds });

    const words = Array.from({ length: world.choiceCount }, (_, choice) => world.wordOf(choice));

    expect(words).toEqual([
      ...["main", "worker_0", "wipe", "corrupt"],
      ...["crash:main", "crash:worker_0", "refuse:main", "refuse:worker_0"],
    ]);
  });

  test("a property of one's own is judged, and its violation shown", async () => {
    const scenario = await elector(2);
    const nobodyLeads = {
      name: "nobody_leads",
      holds: (
        world: { judge: { leaderCount(state: Int32Array, at: number): number } },
        state: Int32Array,
        at: number,
      ) => world.judge.leaderCount(state, at) === 0,
    };

    const { search } = exploreScenario(scenario, {
      bounds: { ticks: 1 },
      properties: [nobodyLeads],
    });

    expect(search.violation?.property).toBe("nobody_leads");
    expect(search.violation?.steps.at(-1)?.leaders).toHaveLength(1);
  });

  test("a mixed fleet has names of both plugins, and wasm-go beside ours is never alike to it", async () => {
    const text = `name: mixed
duration: 1s
plugins:
  - {name: ours, wasm: ${await electorModule()}, root_id: wasm-go}
  - {name: theirs, wasm: ${await recipeModule()}, witness: lease}
explore: {ticks: 1, vms: {ours: 2, theirs: 1}}
`;
    const scenario = parseScenario("mixed.yaml", text);

    const { search, vms } = exploreScenario(scenario, { bounds: { time_steps: 1 } });

    expect(vms).toEqual(["ours@main", "ours@worker_0", "theirs@main"]);
    expect(search.complete || search.violation !== null).toBe(true);
  });
});
