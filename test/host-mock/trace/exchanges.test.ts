import { expect, test } from "vitest";
import { exchanges, logLines } from "../../../host-mock/trace/index.ts";
import { TraceBuilder } from "../../support/trace-builder.ts";

test("an exchange knows what client and upstream saw", () => {
  const trace = new TraceBuilder().start("worker_0").at("1s").request("worker_0", 200).end("2s");

  expect(exchanges(trace.events)).toEqual([
    {
      request: 1,
      atNs: 1e9,
      endedNs: 1e9,
      thread: "worker_0",
      method: "GET",
      path: "/",
      status: 200,
      headers: [["server", "envoy"]],
      body: "",
      isLocal: false,
      upstream: { headers: [["a", "b"]], body: "" },
    },
  ]);
});

test("a local answer never reached the upstream; a waiting request has no end", () => {
  const trace = new TraceBuilder()
    .start("worker_0")
    .at("1s")
    .request("worker_0", 403, { local: true });
  trace
    .record({ thread: "worker_0" }, "timer", "request_started", {
      request: 9,
      method: "GET",
      path: "/slow",
    })
    .end("2s");

  const [local, waiting] = exchanges(trace.events);

  expect(local).toMatchObject({ status: 403, isLocal: true, upstream: null });
  expect(waiting).toMatchObject({ status: null, endedNs: null, path: "/slow" });
});

test("log lines keep their bytes, and witness lines are marked", () => {
  const trace = new TraceBuilder()
    .start("main")
    .at("1s")
    .claim("main", 7)
    .log("main", "info", Uint8Array.of(0xff))
    .end("2s");

  expect(
    logLines(trace.events).map(({ level, message, isWitness }) => [
      level,
      message.length,
      isWitness,
    ]),
  ).toEqual([
    ["debug", expect.any(Number), true],
    ["info", 1, false],
  ]);
});
