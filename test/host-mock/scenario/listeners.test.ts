import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { toResult, type Result } from "../../../host-mock/report/json.ts";
import { listenerOptions } from "../../../host-mock/scenario/listener-options.ts";
import { parseScenario } from "../../../host-mock/scenario/load.ts";
import { pluginOptions } from "../../../host-mock/scenario/plugin-options.ts";
import { runScenario } from "../../../host-mock/scenario/run.ts";
import { probeScript } from "../../conformance/probe-script.ts";
import { buildGuest, root } from "../../support/build-guest.ts";
import { load, refusal, test } from "./loading.ts";
import { scenarioText } from "./scenario-text.ts";

let wasm = "";

beforeAll(async () => {
  ({ path: wasm } = await buildGuest(probeScript));
});

function run(frame: object, plugin: object = {}): Result {
  const value = { name: "listeners", duration: "1s", plugins: [{ name: "A", wasm, ...plugin }] };
  const text = JSON.stringify({ ...value, ...frame });
  return toResult(runScenario(parseScenario(join(root, "scenario.json"), text)));
}

const linesOf = ({ logs }: Result, text: string): number =>
  logs.filter(({ message }) => typeof message === "string" && message.startsWith(text)).length;

const request = (more: object) => ({ at: "10ms", do: "request", ...more });

describe("listeners", () => {
  test("have every option of the host", ({ folder }) => {
    const extra = `listeners:
  all: {plugins: [reporter], buffer_limit_bytes: 9, max_request_header_count: 8, max_request_headers_kb: 7,
    allow_upgrade: true, route_timeout: 2s, idle_timeout: 3s, direct_response: {status: 404, body: none},
    direction: inbound, route_name: r, virtual_host_name: v, filter_chain_name: f, cluster_name: c,
    properties: {a.b: t, n: 1, d: 0.5, gone: null, raw: {base64: gP8=}}}
  few: {}`;

    const { listeners = {} } = load(folder, scenarioText({ extra })).frame;

    expect(listenerOptions(listeners["few"]!)).toEqual({});
    expect(listenerOptions(listeners["all"]!)).toEqual({
      plugins: ["reporter"],
      bufferLimitBytes: 9,
      maxRequestHeaderCount: 8,
      maxRequestHeadersKb: 7,
      allowUpgrade: true,
      routeTimeout: "2000000000ns",
      idleTimeout: "3000000000ns",
      directResponse: { status: 404, body: "none" },
      direction: "inbound",
      routeName: "r",
      virtualHostName: "v",
      filterChainName: "f",
      clusterName: "c",
      properties: { "a.b": "t", n: 1, d: 0.5, gone: null, raw: Uint8Array.of(0x80, 0xff) },
    });
  });

  test("take the requests that name them, else the first does", () => {
    const listeners = {
      first: { direct_response: { status: 201 } },
      second: { direct_response: { status: 202, body: "two" } },
    };
    const events = [request({}), request({ listener: "second" })];

    const { requests } = run({ listeners, events });

    expect(requests).toMatchObject([{ status: 201 }, { status: 202, body: "two" }]);
  });

  test("take the connections that name them", () => {
    const listeners = { one: { plugins: ["A"] }, two: { plugins: ["A"] } };
    const events = [{ at: "10ms", do: "connect", listener: "two" }];

    const { connections } = run({ listeners, events }, { kind: "network" });

    expect(connections).toMatchObject([{ listener: "two" }]);
  });
});

test("a plugin has every option of the host", ({ folder }) => {
  const plugins = `plugins:
  - {name: a, wasm: plugin.wasm, fail_open: true, reload: {base_interval: 3s}, allowed_capabilities: [proxy_log], allow_on_headers_stop_iteration: true}`;

  const { plugins: made } = load(folder, scenarioText({ plugins })).frame;

  expect(pluginOptions(made[0]!, new Uint8Array())).toMatchObject({
    failOpen: true,
    reload: { baseInterval: "3000000000ns" },
    allowedCapabilities: ["proxy_log"],
    allowOnHeadersStopIteration: true,
  });
});

test("a plugin that may not log is quiet", () => {
  const starts = (plugin: object): number => linesOf(run({}, plugin), "start(");

  expect(starts({})).toBe(3);
  expect(starts({ allowed_capabilities: ["proxy_on_vm_start"] })).toBe(0);
  expect(starts({ allowed_capabilities: ["proxy_on_vm_start", "proxy_log"] })).toBe(3);
});

test("a stats sink gets the statistics each stats_flush_interval", () => {
  const plugin = { kind: "stats_sink", configuration: "stats: log info flushed" };
  const count = (frame: object): number => linesOf(run(frame, plugin), "stats");

  expect(count({})).toBe(0);
  expect(count({ stats_flush_interval: "100ms" })).toBeGreaterThanOrEqual(9);
});

test("header values that are no UTF-8 reach the upstream and come back", () => {
  const headers = [["x-raw", { base64: "gP8=" }]];
  const events = [request({ headers, upstream: { headers } })];

  const { requests } = run({ events });

  expect(JSON.stringify(requests[0]).match(/\["x-raw",\{"base64":"gP8="\}\]/g)).toHaveLength(2);
});

const wrong: readonly (readonly [extra: string, message: string | RegExp])[] = [
  ["listeners: {}", "s.yaml:8:12: listeners must have an entry; declare a listener"],
  ["listeners: []", "s.yaml:8:12: listeners must be an object of listeners; write NAME:"],
  [
    "listeners: {a: {route_timout: 1s}}",
    's.yaml:8:17: unknown key "route_timout" in a listener; did you mean route_timeout?',
  ],
  [
    "listeners: {a: {route_timeout: 1}}",
    "s.yaml:8:32: a duration needs a unit, and 1 has none; write 1ms or 1s",
  ],
  [
    "listeners: {a: {plugins: [reportr]}}",
    's.yaml:8:27: there is no plugin "reportr"; did you mean reporter?',
  ],
  [
    "listeners: {a: {plugins: [reporter, reporter]}}",
    "s.yaml:8:37: plugin reporter is named twice; name each plugin once",
  ],
  [
    "listeners: {a: {max_request_headers_kb: 9000}}",
    "s.yaml:8:41: max_request_headers_kb must be a whole number, not 9000; give one from 1 to 8192",
  ],
  [
    "listeners: {a: {direction: inbund}}",
    's.yaml:8:28: direction cannot be "inbund"; did you mean inbound?',
  ],
  [
    "listeners: {a: {direct_response: {body: x}}}",
    "s.yaml:8:34: status is missing; give a whole number from 200 to 599",
  ],
  [
    "listeners: {a: {properties: {p: [1]}}}",
    "s.yaml:8:33: p must be a property's value, not a list; write a text",
  ],
  [
    "listeners: {inner: {}}\nevents:\n  - {at: 1s, do: request, listener: iner}",
    's.yaml:10:37: there is no listener "iner"; did you mean inner?',
  ],
  [
    "events:\n  - {at: 1s, do: request, listener: other}",
    's.yaml:9:37: there is no listener "other"; there is default',
  ],
  ["stats_flush_interval: 0ms", "s.yaml:8:23: stats_flush_interval must be at least 1ms"],
  [
    "events:\n  - {at: 1s, do: request, headers: [[a, {base64: '?'}]]}",
    "s.yaml:9:36: header a is not base64; use",
  ],
  [
    "events:\n  - {at: 1s, do: request, headers: {a: {base_64: gP8=}}}",
    "s.yaml:9:36: header a must be text or bytes, not an object; write text, {base64: …}",
  ],
];

describe("is refused where it stands:", () => {
  for (const [extra, message] of wrong)
    test(extra, ({ folder }) => {
      expect(refusal(folder, scenarioText({ extra }))).toContain(message);
    });

  const plugins: readonly (readonly [keys: string, message: string])[] = [
    [
      "failure_policy: FAIL_OPEN, fail_open: true",
      "s.yaml:5:68: fail_open and failure_policy both say",
    ],
    ["reload: {base_interval: 1ms}", "s.yaml:5:65: base_interval must be at least 2ms"],
    ["reload: {base: 1s}", 'unknown key "base" in a reload; its keys are base_interval'],
    ["allowed_capabilities: proxy_log", "allowed_capabilities must be a list of imports"],
    ["fail_opn: true", 'unknown key "fail_opn" in a plugin; did you mean fail_open?'],
    ["allow_on_headers_stop_iteration: 1", "allow_on_headers_stop_iteration must be true or false"],
  ];
  for (const [keys, message] of plugins)
    test(keys, ({ folder }) => {
      const text = `plugins:\n  - {name: reporter, wasm: plugin.wasm, ${keys}}`;

      expect(refusal(folder, scenarioText({ plugins: text }))).toContain(message);
    });

  test("a connection without a listener, where there are two", ({ folder }) => {
    const text = scenarioText({
      plugins: "plugins:\n  - {name: n, wasm: plugin.wasm, kind: network}",
      extra:
        "listeners: {a: {plugins: [n]}, b: {plugins: [n]}}\nevents:\n  - {at: 1s, do: connect}",
    });

    expect(refusal(folder, text)).toContain(
      "s.yaml:10:5: the connection names no listener, and there are several; add listener: with one of a, b",
    );
  });

  test("a plugin for requests beside one for connections", ({ folder }) => {
    const text = scenarioText({
      plugins:
        "plugins:\n  - {name: n, wasm: plugin.wasm, kind: network}\n  - {name: h, wasm: plugin.wasm}\n  - {name: s, wasm: plugin.wasm, kind: singleton}",
      extra: "listeners: {a: {plugins: [n, h]}}",
    });

    expect(refusal(folder, text)).toContain(
      "s.yaml:10:30: plugin h is of kind http and stands beside plugins of kind network; give",
    );
    expect(refusal(folder, text.replace("[n, h]", "[s]"))).toContain(
      "s.yaml:10:27: plugin s is of kind singleton, which no listener has; leave it out",
    );
  });
});
