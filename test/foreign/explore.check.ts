/** The real Go module under every schedule of its host calls. Making it steppable takes minutes, once. */
import { expect, it } from "vitest";
import {
  exploredWorld,
  exploreScenario,
  parseSchedule,
  parseScenario,
  replaySchedule,
} from "../../host-mock/index.ts";
import { foreignModule } from "./build.ts";

const dataCalls = ["proxy_get_shared_data", "proxy_set_shared_data"];
const asyncifyMsMax = 900_000;
const searchMsMax = 30_000;

it(
  "wasm-go's election, compiled by Go, elects two leaders after four calls of shared data",
  { timeout: asyncifyMsMax },
  () => {
    const text = `name: wasm-go
duration: 1s
profile: higress
plugins:
  - {name: go, wasm: ${JSON.stringify(foreignModule("go_metrics_reporter"))}, witness: lease, configuration: {period_ms: 3000}}
clusters: {collector: {status: 204}}
properties: [{check: single_winner, plugin: go, expect: violated}]
explore: {ticks: 1}
`;
    const scenario = parseScenario("go.yaml", text);
    // Makes the module steppable.
    exploredWorld(scenario);

    const startMs = performance.now();
    const { search, ok } = exploreScenario(scenario);
    const searchMs = performance.now() - startMs;

    expect(ok).toBe(true);
    const calls = search.violation!.steps.filter(({ call }) => dataCalls.includes(call));
    expect(calls.map(({ call, status }) => `${call} ${status}`)).toEqual([
      "proxy_get_shared_data NotFound",
      "proxy_get_shared_data NotFound",
      "proxy_set_shared_data Ok",
      "proxy_set_shared_data Ok",
    ]);
    expect(search.violation!.steps.at(-1)?.leaders).toEqual(["main", "worker_0"]);
    const world = exploredWorld(scenario);
    const again = replaySchedule(world, parseSchedule(world, search.violation!.text));
    expect(again.views).toEqual(search.violation!.steps);
    console.log(`searched in ${(searchMs / 1000).toFixed(1)} s: ${search.violation!.text}`);
    expect(searchMs).toBeLessThan(searchMsMax);
  },
);
