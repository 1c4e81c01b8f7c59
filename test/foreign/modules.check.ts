/** Every foreign module loads, starts on every thread, ticks, and does its work on a request. */
import { describe, expect, it } from "vitest";
import { MockHostError } from "../../host-mock/errors.ts";
import { MockEnvoy } from "../../host-mock/index.ts";
import { inspectModule } from "../../host-mock/module/inspect.ts";
import { readModuleFile } from "../../host-mock/module/load.ts";
import { foreignModule } from "./build.ts";
import type { ForeignName } from "./build.ts";
import { mockWith, pluginName } from "./host.ts";

interface Expected {
  readonly module: ForeignName;
  readonly configuration?: string;
  /** On the request as the upstream sees it. */
  readonly requestHeader: readonly [string, string];
  /** On the response as the client gets it. */
  readonly responseHeader?: readonly [string, string];
  readonly ticks: boolean;
}

const rustHeader = ["x-rust", "hello"] as const;
const reporter = (language: string): readonly [string, string] => ["x-metrics-reporter", language];
const hello = ["x-hello", "world"] as const;

const all: readonly Expected[] = [
  {
    module: "go_hello",
    configuration: "{}",
    requestHeader: hello,
    responseHeader: hello,
    ticks: false,
  },
  {
    module: "go_hello_stock",
    configuration: "{}",
    requestHeader: hello,
    responseHeader: hello,
    ticks: false,
  },
  {
    module: "go_metrics_reporter",
    configuration: "{}",
    requestHeader: reporter("go"),
    ticks: true,
  },
  {
    module: "go_metrics_reporter_stock",
    configuration: "{}",
    requestHeader: reporter("go"),
    ticks: true,
  },
  { module: "rust_add_header", requestHeader: rustHeader, responseHeader: rustHeader, ticks: true },
  {
    module: "rust_add_header_wasip1",
    requestHeader: rustHeader,
    responseHeader: rustHeader,
    ticks: true,
  },
  { module: "rust_lease", requestHeader: reporter("rust"), ticks: true },
  { module: "rust_lease_wasip1", requestHeader: reporter("rust"), ticks: true },
];

describe.each(all)("$module", ({ module, configuration, requestHeader, responseHeader, ticks }) => {
  it("starts on every thread, ticks there, and adds its header", () => {
    const envoy = mockWith(module, {
      concurrency: 2,
      alsoCalls: ["proxy_on_tick"],
      ...(configuration === undefined ? {} : { configuration }),
    });
    envoy.start();

    const exchange = envoy.thread("worker_1").request({ path: "/shop" });
    envoy.advance("3s");

    const ticked = envoy.recorder.events
      .filter(({ event, name }) => event === "callback" && name === "proxy_on_tick")
      .map(({ thread }) => thread);
    expect([...new Set(ticked)].sort()).toEqual(ticks ? ["main", "worker_0", "worker_1"] : []);
    expect(exchange.status).toBe(200);
    expect(exchange.upstream?.headers).toContainEqual(requestHeader);
    if (responseHeader !== undefined) expect(exchange.headers).toContainEqual(responseHeader);
    expect(envoy.recorder.events.filter(({ event }) => event === "trap")).toEqual([]);
  });
});

describe("ABI markers of wasm-go modules", () => {
  it.each(["go_hello", "go_metrics_reporter"] as const)(
    "%s has Higress's alone and is refused by Envoy",
    (name) => {
      const wasm = foreignModule(name);
      const start = (): void => {
        new MockEnvoy({
          profile: "envoy",
          plugins: [{ name: pluginName, wasm, configuration: "{}" }],
        }).start();
      };

      expect(inspectModule(readModuleFile(wasm)).abi).toEqual(["0.2.100"]);
      expect(start).toThrow(MockHostError);
      expect(start).toThrow(/Missing or unknown Proxy-Wasm ABI version/);
      expect(start).toThrow(/higress/);
    },
  );

  it.each(["go_hello_stock", "go_metrics_reporter_stock"] as const)(
    "%s has two and runs in both hosts",
    (name) => {
      const { abi } = inspectModule(readModuleFile(foreignModule(name)));

      expect(abi).toEqual(expect.arrayContaining(["0.2.1", "0.2.100"]));
      for (const profile of ["envoy", "higress"]) {
        const envoy = mockWith(name, { profile, configuration: "{}" });
        envoy.start();
        expect(envoy.thread("worker_0").request({}).status).toBe(200);
      }
    },
  );
});
