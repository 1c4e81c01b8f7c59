import { describe, expect, test } from "vitest";
import {
  resolveListeners,
  type ListenerOptions,
} from "../../../host-mock/http/listener-options.ts";

const plugins = [
  { name: "a", kind: "http" },
  { name: "b", kind: "http" },
  { name: "log", kind: "access_log" },
  { name: "tcp", kind: "network" },
  { name: "bootstrap", kind: "service" },
];

const one = (options: ListenerOptions) => resolveListeners({ main: options }, plugins).get("main")!;

test("none declared: one with every plugin that requests pass, and Envoy's limits", () => {
  const listeners = resolveListeners(undefined, plugins);

  expect([...listeners.keys()]).toEqual(["default"]);
  expect(listeners.get("default")).toMatchObject({
    plugins: ["a", "b", "log"],
    bufferLimitBytes: 1_048_576,
    maxRequestHeaderCount: 100,
    maxRequestHeadersKb: 60,
    routeTimeoutNs: 15e9,
    idleTimeoutNs: 300e9,
    directResponse: null,
    allowUpgrade: false,
  });
});

test("plugins are a chain of their own, in the order given", () => {
  expect(one({ plugins: ["b", "a"] }).plugins).toEqual(["b", "a"]);
  expect(one({ plugins: ["tcp"] }).plugins).toEqual(["tcp"]);
});

describe("refused", () => {
  test.each<[string, object, string]>([
    ["a plugin that is not there", { plugins: ["c"] }, "E_UNKNOWN_NAME"],
    ["a plugin that no listener has", { plugins: ["bootstrap"] }, "E_UNKNOWN_NAME"],
    ["a plugin twice", { plugins: ["a", "a"] }, "E_OPTION"],
    ["an unknown option", { plugin: ["a"] }, "E_OPTION"],
    ["a limit that is no number", { bufferLimitBytes: -1 }, "E_OPTION"],
    ["headers beyond 8192 KiB", { maxRequestHeadersKb: 8193 }, "E_OPTION"],
    ["a direction that there is not", { direction: "up" }, "E_OPTION"],
    ["a direct response of no status", { directResponse: { status: 100 } }, "E_OPTION"],
    ["a duration without a unit", { routeTimeout: "15" }, "E_OPTION"],
    ["plugins that are no list", { plugins: "a" }, "E_OPTION"],
    ["a route's name that is no text", { routeName: 7 }, "E_OPTION"],
    ["a cluster's name that is no text", { clusterName: ["up"] }, "E_OPTION"],
    ["a switch that is neither true nor false", { allowUpgrade: "no" }, "E_OPTION"],
    [
      "a direct response's body that is no text",
      { directResponse: { status: 200, body: 7 } },
      "E_OPTION",
    ],
  ])("%s", (_, options, code) => {
    expect(() => one(options)).toThrow(expect.objectContaining({ code }));
  });

  test("no listener at all", () => {
    expect(() => resolveListeners({}, plugins)).toThrow(
      expect.objectContaining({ code: "E_OPTION" }),
    );
  });
});
