import { expect, test } from "vitest";
import { toResult } from "../../../host-mock/report/index.ts";
import { TraceBuilder } from "../../support/trace-builder.ts";
import { day17, judged } from "./runs.ts";

test("the result has the contract's fields, in its order", () => {
  const result = toResult(day17());

  expect(Object.keys(result)).toEqual([
    "scenario",
    "ok",
    "seed",
    "profile",
    "duration_ms",
    "properties",
    "elections",
    "calls",
    "requests",
    "connections",
    "logs",
    "shared_data",
    "metrics",
    "host_calls",
    "traps",
    "faults",
  ]);
  expect(result).toMatchObject({
    scenario: "day17",
    ok: true,
    seed: 1,
    profile: "envoy",
    duration_ms: 90_000,
    host_calls: 142,
  });
});

test("a property, a leadership and a call look as in the contract", () => {
  const result = toResult(day17());

  expect(result.properties[0]).toEqual({
    property: "single_winner",
    subject: "metrics-reporter",
    ok: true,
    holds: true,
    expected: "holds",
    implied: false,
    detail: "",
    at_ms: null,
  });
  expect(result.elections["metrics-reporter"]?.[0]).toEqual({
    thread: "main",
    vm: "main#1",
    context: 1,
    term: "1767225602000",
    from_ms: 2000,
    until_ms: 10_000,
    end: "crashed",
  });
  expect(result.calls[0]).toEqual({
    at_ms: 2000,
    arrived_ms: 2000,
    thread: "main",
    vm: "main#1",
    context: 1,
    plugin: "metrics-reporter",
    cluster: "collector",
    method: "POST",
    path: "/",
    headers: [["x-leader-term", "1767225602000"]],
    body: "{}",
    answered: 204,
    status: 204,
  });
});

test("times keep their fractions, and what is no UTF-8 is base64", () => {
  const trace = new TraceBuilder()
    .start("main")
    .at("1500us")
    .log("main", "info", Uint8Array.of(0xff))
    .trap("main");
  trace.end("2500us", {
    shared_data: {
      "": {
        K: { value: Uint8Array.of(0xfe), cas: 7 },
        T: { value: new TextEncoder().encode("text"), cas: 8 },
      },
    },
    metrics: { "reports.sent": 3, big: 5n },
    host_calls: 12,
  });

  const result = toResult(judged("bytes", trace, []));

  expect(result.duration_ms).toBe(2.5);
  expect(result.logs).toEqual([
    {
      at_ms: 1.5,
      thread: "main",
      plugin: "metrics-reporter",
      level: "info",
      message: { base64: "/w==" },
    },
  ]);
  expect(result.shared_data).toEqual({
    "": { K: { value: { base64: "/g==" }, cas: 7 }, T: { value: "text", cas: 8 } },
  });
  expect(result.metrics).toEqual({ "reports.sent": 3, big: 5 });
  expect(result.traps).toEqual([
    {
      at_ms: 1.5,
      thread: "main",
      vm: "main#1",
      plugin: "metrics-reporter",
      callback: "proxy_on_tick",
      message: "unreachable",
      source: null,
      frames: [],
      host_calls: [],
    },
  ]);
});

test("requests show what client and upstream saw", () => {
  const trace = new TraceBuilder()
    .start("worker_0")
    .at("40s")
    .request("worker_0", 200)
    .request("worker_0", 403, { local: true });

  const { requests } = toResult(judged("requests", trace.end("41s"), []));

  expect(requests).toEqual([
    {
      at_ms: 40_000,
      thread: "worker_0",
      status: 200,
      headers: [["server", "envoy"]],
      body: "",
      local: false,
      upstream: { headers: [["a", "b"]], body: "" },
    },
    {
      at_ms: 40_000,
      thread: "worker_0",
      status: 403,
      headers: [["server", "envoy"]],
      body: "",
      local: true,
      upstream: null,
    },
  ]);
});

test("a refused new configuration has an entry", () => {
  const trace = new TraceBuilder().start("main").at("3s");
  trace
    .fault("reconfigure", { plugin: "metrics-reporter" }, "refused", "", "collector is missing")
    .end("4s");

  expect(toResult(judged("reload", trace, [])).faults).toEqual([
    {
      at_ms: 3000,
      fault: "reconfigure",
      thread: null,
      plugin: "metrics-reporter",
      status: "refused",
      detail: "collector is missing",
    },
  ]);
});

test("a plugin that nobody led in has an empty list, and the document is JSON", () => {
  const result = toResult(judged("empty", new TraceBuilder().start("main").end("1s"), []));

  expect(result.elections).toEqual({ "metrics-reporter": [] });
  expect(JSON.parse(JSON.stringify(result))).toEqual(result);
});
