import { expect, test } from "vitest";
import { lifeOf } from "../../../host-mock/trace/index.ts";
import { TraceBuilder } from "../../support/trace-builder.ts";

test("contexts live from their configuration to a crash, a trap, their deletion or the end", () => {
  const trace = new TraceBuilder().start("main", "worker_0", "worker_1", "worker_2");
  trace.at("1s").crash("worker_0").at("2s").trap("worker_1");
  trace.at("3s").record(trace.subject("worker_2"), "timer", "context_deleted").end("4s");

  const { contexts } = lifeOf(trace.events, trace.nowNs);

  expect(
    contexts.map(({ vm, fromNs, untilNs, end }) => [vm, fromNs / 1e9, untilNs / 1e9, end]),
  ).toEqual([
    ["main#1", 0, 4, "running"],
    ["worker_0#1", 0, 1, "crashed"],
    ["worker_1#1", 0, 2, "trapped"],
    ["worker_2#1", 0, 3, "done"],
  ]);
});

test("canary and base are no threads' VMs", () => {
  const trace = new TraceBuilder().start().end("1s");

  expect(lifeOf(trace.events, trace.nowNs).contexts).toEqual([]);
});

test("a second pause of one thread before its end extends the first", () => {
  const trace = new TraceBuilder()
    .start("main")
    .at("1s")
    .record({ thread: "main" }, "timer", "thread_paused", { until_ns: 3e9 });
  trace.at("2s").record({ thread: "main" }, "timer", "thread_paused", { until_ns: 6e9 });
  trace.at("6s").record({ thread: "main" }, "timer", "thread_resumed").end("9s");

  expect(lifeOf(trace.events, trace.nowNs).pauses).toEqual([
    { thread: "main", fromNs: 1e9, untilNs: 6e9 },
  ]);
});

test("a crash ends the contexts of its thread alone, a trap those of the VM that failed", () => {
  const trace = new TraceBuilder().start("main", "worker_0", "worker_1");
  const other = { thread: "worker_0", vm: "worker_0#1", plugin: "other", context: 1 };
  trace.record(other, "timer", "context_configured", { root_id: "", generation: 1 }, "Ok");
  trace.at("1s").record(trace.subject("worker_0"), "trap", "proxy_on_tick", {
    plugins: ["metrics-reporter"],
  });
  trace.at("2s").crash("worker_1").at("3s").crash("worker_0").end("4s");

  const { contexts } = lifeOf(trace.events, trace.nowNs);

  expect(contexts.map(({ vm, plugin, end }) => `${vm} ${plugin} ${end}`)).toEqual([
    "main#1 metrics-reporter running",
    "worker_0#1 metrics-reporter trapped",
    "worker_1#1 metrics-reporter crashed",
    "worker_0#1 other crashed",
  ]);
});
