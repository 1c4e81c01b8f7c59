/** The published example in a real Envoy: its configuration, and what it sends. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.ts";
import type { PluginSpec } from "./listeners.ts";
import type { Seen } from "./servers.ts";

export const timing = { leaseMs: 3000, tickMs: 500, reportMs: 1000 } as const;

/** The cluster that gets the reports. */
export const collectorCluster = "collector";

export interface ReporterOptions {
  readonly reportMs?: number;
  readonly rootId?: string;
  readonly vmConfiguration?: string;
}

export function metricsReporter({
  reportMs,
  rootId,
  vmConfiguration,
}: ReporterOptions = {}): PluginSpec {
  const wasm = join(root, "examples/metrics-reporter/build/metrics-reporter.wasm");
  if (!existsSync(wasm)) throw new Error(`make envoy needs ${wasm}: run make build`);
  return {
    name: "metrics-reporter",
    wasm,
    vmId: "metrics",
    configuration: {
      collector: collectorCluster,
      ...timing,
      reportMs: reportMs ?? timing.reportMs,
    },
    ...(rootId === undefined ? {} : { rootId }),
    ...(vmConfiguration === undefined ? {} : { vmConfiguration }),
  };
}

export interface Report {
  readonly atNs: bigint;
  readonly term: bigint;
  readonly id: string;
  /** Epoch and sequence: a report that was sent again has the name of the first one. */
  readonly name: string;
  /** Requests since the last acknowledged report, and all of this epoch. */
  readonly requestCount: number;
  readonly totalCount: number;
}

/** What the collector got, in the order of arrival; something else than a report is an error. */
export function reports(seen: readonly Seen[]): Report[] {
  return seen.map(({ atNs, headers, body }) => {
    const term = String(headers["x-leader-term"]);
    const id = String(headers["x-leader-id"]);
    const { epoch, sequence, requests, total } = JSON.parse(body) as Record<string, unknown>;
    const isReport =
      /^\d+$/.test(term) &&
      id !== "undefined" &&
      typeof requests === "number" &&
      typeof total === "number";
    if (!isReport) {
      throw new Error(`not a report: x-leader-term ${term}, x-leader-id ${id}, body ${body}`);
    }
    const name = `${String(epoch)}/${String(sequence)}`;
    return { atNs, term: BigInt(term), id, name, requestCount: requests, totalCount: total };
  });
}

/** The sum of all reports, those that were sent again counted once. */
export function requestsIn(all: readonly Report[]): number {
  const byName = new Map(all.map(({ name, requestCount }) => [name, requestCount]));
  return [...byName.values()].reduce((sum, count) => sum + count, 0);
}
