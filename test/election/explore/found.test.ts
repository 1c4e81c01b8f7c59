import { expect, test } from "vitest";
import {
  exploreScenario,
  exploredWorld,
  parseSchedule,
  replaySchedule,
} from "../../../host-mock/index.ts";
import { recipeModule, scenarioOf } from "./scenarios.ts";

const dataCalls = ["proxy_get_shared_data", "proxy_set_shared_data"];

test("two VMs of wasm-go's recipe both lead after four calls of shared data, and the printed schedule shows it again", async () => {
  const scenario = scenarioOf(await recipeModule(), {
    vms: 2,
    plugin: ', root_id: "", witness: lease',
  });

  const { search, ok } = exploreScenario(scenario, { bounds: { ticks: 1 } });

  expect(ok).toBe(false);
  expect(search.violation?.property).toBe("single_winner");
  const calls = search.violation!.steps.filter(({ call }) => dataCalls.includes(call));
  expect(calls.map(({ call, status }) => `${call} ${status}`)).toEqual([
    "proxy_get_shared_data NotFound",
    "proxy_get_shared_data NotFound",
    "proxy_set_shared_data Ok",
    "proxy_set_shared_data Ok",
  ]);
  expect(search.violation!.steps.at(-1)?.leaders).toEqual(["main", "worker_0"]);
  const world = exploredWorld(scenario, { bounds: { ticks: 1 } });
  const again = replaySchedule(world, parseSchedule(world, search.violation!.text));
  expect(again.violation?.property).toBe("single_winner");
  expect(again.views).toEqual(search.violation!.steps);
});
