/** Runs of the example as pages show them: one that fails, one that does not, and an hour of nine VMs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  CallDetail,
  loadScenario,
  parseScenario,
  prepareScenario,
  type Scenario,
  type ScenarioRun,
  type TraceEvent,
} from "../../../../host-mock/index.ts";
import { root } from "../../../support/build-guest.ts";

const folder = join(root, "examples/metrics-reporter/scenarios");

export interface Seen {
  readonly run: ScenarioRun;
  readonly detail: CallDetail;
}

/** Runs a scenario with everything recorded; `onEvent` hears it too. */
export function seen(scenario: Scenario, onEvent?: (event: TraceEvent) => void): Seen {
  const detail = new CallDetail();
  const run = prepareScenario(scenario, { trace: "full" }).run((event) => {
    detail.feed(event);
    onEvent?.(event);
  });
  return { run, detail };
}

export function example(name: string): Scenario {
  return loadScenario(join(folder, `${name}.yaml`));
}

/** Two lead after a wipe, and the check says that this must not be. */
export function failing(): Scenario {
  const file = join(folder, "wipe.yaml");
  return parseScenario(file, readFileSync(file, "utf8").replace(", expect: violated", ""));
}

const hour = `
name: an hour of nine VMs
concurrency: 8
duration: 1h
plugins:
  - {name: metrics-reporter, wasm: ../build/metrics-reporter.wasm, configuration: {collector: collector}}
clusters:
  collector: {status: 204, delay: 5ms, fence: {header: x-leader-term, id_header: x-leader-id, refuse: 409}}
events:
  - {at: 1m, do: chaos, until: 55m, crash_every: 60s, restart_after: 5s, threads: all}
  - {at: 10m, do: pause, leader_of: metrics-reporter, for: 30s}
  - {at: 20m, do: wall_clock, by: +1h}
  - {at: 30m, do: refuse, call: proxy_set_shared_data, status: InternalFailure, for: 30s, leader_of: metrics-reporter}
properties:
  - {check: single_winner, plugin: metrics-reporter}
  - {check: terms_grow, plugin: metrics-reporter}
  - {check: leader_within, plugin: metrics-reporter, bound: 18s}
  - {check: no_stale_effect, cluster: collector, header: x-leader-term}
`;

export function anHourOfNine(): Scenario {
  return parseScenario(join(folder, "hour.yaml"), hour);
}
