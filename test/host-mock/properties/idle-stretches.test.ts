import { expect, test } from "vitest";
import { idleStretches } from "../../../host-mock/properties/index.ts";
import { lifeOf } from "../../../host-mock/trace/index.ts";
import { TraceBuilder } from "../../support/trace-builder.ts";

const plugin = "metrics-reporter";

function idle(trace: TraceBuilder, drainingMayClaim = false): number[][] {
  const endNs = trace.nowNs;
  return idleStretches(lifeOf(trace.events, endNs), { plugin, endNs, drainingMayClaim }).map(
    ({ fromNs, untilNs }) => [fromNs / 1e9, untilNs / 1e9],
  );
}

test("nobody can claim while the only VM is dead or paused, or before it starts", () => {
  const trace = new TraceBuilder()
    .at("2s")
    .start("main")
    .at("5s")
    .pause("main", "3s")
    .at("10s")
    .crash("main");
  trace.at("12s").restart("main").end("20s");

  expect(idle(trace)).toEqual([
    [0, 2],
    [5, 8],
    [10, 12],
  ]);
});

test("one living, unpaused context is enough", () => {
  const trace = new TraceBuilder()
    .start("main", "worker_0")
    .at("5s")
    .pause("main", "3s")
    .at("9s")
    .crash("main")
    .end("20s");

  expect(idle(trace)).toEqual([]);
});

test("a context that drains may not claim, unless it is one that does", () => {
  const trace = new TraceBuilder().start("main").at("3s");
  trace.record(trace.subject("main"), "timer", "context_draining").end("9s");

  expect(idle(trace)).toEqual([[3, 9]]);
  expect(idle(trace, true)).toEqual([]);
});

test("instants of no length do not count: a restart in place leaves no gap", () => {
  const trace = new TraceBuilder().start("main").at("3s").crash("main").restart("main").end("9s");

  expect(idle(trace)).toEqual([]);
});
