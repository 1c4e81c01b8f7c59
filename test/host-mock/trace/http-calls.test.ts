import { expect, test } from "vitest";
import { httpCalls } from "../../../host-mock/trace/index.ts";
import { TraceBuilder } from "../../support/trace-builder.ts";

test("a call knows when it was sent, when it arrived, and what came of it", () => {
  const trace = new TraceBuilder()
    .start("main")
    .at("1s")
    .call("main", { term: 7, held: "8s", refused: true })
    .end("20s");

  const [call] = httpCalls(trace.events);

  expect(call).toMatchObject({
    vm: "main#1",
    atNs: 1e9,
    arrivedNs: 9e9,
    cluster: "collector",
    headers: [["x-leader-term", "7"]],
    answered: 409,
    status: 409,
    isRefused: true,
  });
});

test("a call that never arrived has no arrival, no answer and no status", () => {
  const trace = new TraceBuilder().start("main").at("1s").call("main", { held: null }).end("20s");

  expect(httpCalls(trace.events)[0]).toMatchObject({
    arrivedNs: null,
    answered: null,
    status: null,
    isRefused: false,
  });
});

test("what the receiver answered and what the guest was told are two things", () => {
  const trace = new TraceBuilder().start("main").at("1s");
  const args = { call: 1, cluster: "dead", method: "GET", path: "/", headers: [], body: "" };
  trace.record(trace.subject("main"), "timer", "http_call_sent", args);
  trace.record(trace.subject("main"), "timer", "http_call_arrived", { call: 1, refused: false });
  trace
    .at("2s")
    .record(trace.subject("main"), "timer", "http_call_answered", { call: 1 }, null, 504)
    .end("3s");

  expect(httpCalls(trace.events)[0]).toMatchObject({ arrivedNs: 1e9, answered: null, status: 504 });
});

test("a call made while a request is handled counts for the plugin context that is named, or the VM's newest", () => {
  const trace = new TraceBuilder().start("worker_0").at("1s").call("worker_0", { context: 17 });
  trace.configure("worker_0", 2, 2).call("worker_0", { context: 18 });
  trace
    .record(trace.subject("worker_0", 19), "timer", "http_call_sent", {
      call: 3,
      root: 1,
      cluster: "collector",
    })
    .end("2s");

  expect(httpCalls(trace.events).map((call) => [call.context, call.root])).toEqual([
    [17, 1],
    [18, 2],
    [19, 1],
  ]);
});
