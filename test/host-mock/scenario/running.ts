import { join } from "node:path";
import { parseScenario } from "../../../host-mock/scenario/load.ts";
import { runScenario, type RunOptions, type ScenarioRun } from "../../../host-mock/scenario/run.ts";
import { root } from "../../support/build-guest.ts";

export interface Parts {
  readonly frame?: Readonly<Record<string, unknown>>;
  readonly events?: readonly unknown[];
  readonly properties?: readonly unknown[];
}

/** Runs a scenario of two workers whose plugin `p`, the beacon, calls its collector in every tick. */
export function runBeacon(wasm: string, parts: Parts, options: RunOptions = {}): ScenarioRun {
  const { frame = {}, events = [], properties = [] } = parts;
  const value = {
    name: "a run",
    concurrency: 2,
    duration: "10s",
    plugins: [{ name: "p", wasm, configuration: "collector" }],
    clusters: { collector: { status: 204, delay: "5ms" } },
    events,
    properties,
    ...frame,
  };
  return runScenario(parseScenario(join(root, "scenario.json"), JSON.stringify(value)), options);
}

/** Name, status, instant in milliseconds and reason of every fault. */
export function faultsOf({ events }: ScenarioRun) {
  return events
    .filter(({ event }) => event === "fault")
    .map(({ name, status, atNs, result }) => ({ name, status, atMs: atNs / 1e6, result }));
}

export function verdictOf({ verdicts }: ScenarioRun, property: string) {
  return verdicts.find((found) => found.property === property);
}
