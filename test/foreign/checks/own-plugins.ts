/** The project's own small plugins, made with wasm-go and with Rust's crate proxy-wasm. */
import { expect } from "vitest";
import type { ForeignName } from "../build.ts";
import { leaderActs, mockWith, threadsOf } from "../host.ts";
import type { ModuleCheck } from "./check.ts";

interface Expected {
  readonly module: ForeignName;
  readonly checked: string;
  readonly configuration?: string;
  /** On the request as the upstream sees it. */
  readonly requestHeader: readonly [string, string];
  /** On the response as the client gets it. */
  readonly responseHeader?: readonly [string, string];
  readonly ticks: boolean;
}

const rustHeader = ["x-rust", "hello"] as const;
const hello = ["x-hello", "world"] as const;
const headers = "adds a header to request and answer on every thread";
const counter = `${headers}; counts in shared data at each tick`;
const election = "adds a header; ticks and elects a leader; another VM takes over when it dies";

const expectations: readonly Expected[] = [
  ...(["go_hello", "go_hello_stock"] as const).map((module) => ({
    module,
    checked: headers,
    configuration: "{}",
    requestHeader: hello,
    responseHeader: hello,
    ticks: false,
  })),
  ...(["go_metrics_reporter", "go_metrics_reporter_stock"] as const).map((module) => ({
    module,
    checked: election,
    configuration: "{}",
    requestHeader: ["x-metrics-reporter", "go"] as const,
    ticks: true,
  })),
  ...(["rust_add_header", "rust_add_header_wasip1"] as const).map((module) => ({
    module,
    checked: counter,
    requestHeader: rustHeader,
    responseHeader: rustHeader,
    ticks: true,
  })),
  ...(["rust_lease", "rust_lease_wasip1"] as const).map((module) => ({
    module,
    checked: election,
    requestHeader: ["x-metrics-reporter", "rust"] as const,
    ticks: true,
  })),
];

function runsAs({ module, configuration, requestHeader, responseHeader, ticks }: Expected): void {
  const envoy = mockWith(module, {
    concurrency: 2,
    alsoCalls: ["proxy_on_tick"],
    ...(configuration === undefined ? {} : { configuration }),
  });
  envoy.start();

  const exchange = envoy.thread("worker_1").request({ path: "/shop" });
  envoy.advance("3s");

  const ticked = envoy.trace
    .filter(({ event, name }) => event === "callback" && name === "proxy_on_tick")
    .map(({ thread }) => thread);
  expect([...new Set(ticked)].sort()).toEqual(ticks ? ["main", "worker_0", "worker_1"] : []);
  expect(exchange.status).toBe(200);
  expect(exchange.upstream?.headers).toContainEqual(requestHeader);
  if (responseHeader !== undefined) expect(exchange.headers).toContainEqual(responseHeader);
  expect(envoy.trace.filter(({ event }) => event === "trap")).toEqual([]);
}

/** The one that reports dies; after its lease of 60 s another one reports. */
function failsOver({ module, configuration }: Expected): void {
  const envoy = mockWith(module, {
    concurrency: 2,
    callCost: "1us",
    ...(configuration === undefined ? {} : { configuration }),
  });
  envoy.start();
  envoy.advance("10s");
  const [leader = "nobody", ...others] = threadsOf(leaderActs(envoy));
  const diedNs = envoy.nowNs;

  const hasCrashed = envoy.thread(leader).crash();
  envoy.advance("70s");

  const heirs = threadsOf(leaderActs(envoy).filter(({ atNs }) => atNs > diedNs));
  expect([hasCrashed, others]).toEqual([true, []]);
  expect(heirs).toHaveLength(1);
  expect(heirs).not.toContain(leader);
}

export const ownPluginChecks: readonly ModuleCheck[] = expectations.map((expected) => ({
  module: expected.module,
  checked: expected.checked,
  run: () => {
    runsAs(expected);
    if (expected.checked === election) failsOver(expected);
  },
}));
