import { beforeAll, describe, expect, test } from "vitest";
import type { TraceEvent } from "../../../../host-mock/index.ts";
import { CallDetail } from "../../../../host-mock/report/index.ts";
import { TraceBuilder } from "../../../support/trace-builder.ts";
import { anHourOfNine, seen } from "./hour.ts";

let detail: CallDetail;
const events: TraceEvent[] = [];

beforeAll(() => {
  ({ detail } = seen(anHourOfNine(), (event) => events.push(event)));
});

const isThreads = ({ vm }: TraceEvent): boolean => !/#(base|canary)$/.test(vm);

describe("what a report keeps of an hour of nine VMs", () => {
  test("says of every callback when it came and what it called, in order", () => {
    const told = detail.runs.flatMap((run) =>
      Array.from({ length: run.count }, (_, index) => {
        const calls = detail.sequences[run.sequence]!.map(
          (call) => detail.calls[call]!.split(/[ :]/)[0],
        );
        return `${run.startNs + index * run.periodNs} ${run.thread} ${run.name} ${calls.join(" ")}`;
      }),
    );
    const open = new Map<string, { head: string; calls: string[] }>();
    const recorded: string[] = [];
    for (const event of events.filter(isThreads)) {
      if (event.event === "callback")
        open.set(event.vm, { head: `${event.atNs} ${event.thread} ${event.name}`, calls: [] });
      if (event.event === "call") open.get(event.vm)?.calls.push(event.name);
      if (event.event === "return") {
        const { head, calls } = open.get(event.vm)!;
        recorded.push(`${head} ${calls.join(" ")}`);
      }
    }

    expect(recorded.length).toBeGreaterThan(10_000);
    expect(told.sort()).toEqual(recorded.sort());
  });

  test("is a third of the callbacks, or less, for ticks are alike", () => {
    const callbackCount = events.filter(({ event }) => event === "callback").length;

    expect(detail.runs.length).toBeLessThan(callbackCount / 3);
    expect(detail.sequences.length).toBeLessThan(100);
  });

  test("has every set of shared data, with its status", () => {
    const sets = events.filter((event) => event.name === "proxy_set_shared_data");

    expect(detail.sets).toHaveLength(sets.length);
    expect(detail.sets.map(({ status }) => status)).toEqual(sets.map(({ status }) => status));
    expect(new Set(detail.sets.map(({ status }) => status))).toContain("InternalFailure");
  });
});

describe("a callback that never returns", () => {
  test("is kept with what it had called when its VM trapped", () => {
    const trace = new TraceBuilder().start("main");
    const subject = trace.subject("main");
    trace.at("1s").record(subject, "callback", "proxy_on_tick");
    trace
      .record(subject, "call", "proxy_log")
      .trap("main", "proxy_on_tick", "unreachable executed");

    const { runs, calls, sequences } = CallDetail.of(trace.end("2s").events);

    expect(runs).toMatchObject([{ name: "proxy_on_tick", startNs: 1e9, count: 1 }]);
    expect(sequences[runs[0]!.sequence]!.map((call) => calls[call])).toEqual(["proxy_log"]);
  });
});
