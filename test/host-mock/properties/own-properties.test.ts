import { describe, expect, test } from "vitest";
import {
  always,
  eventuallyWithin,
  judgeProperty,
  lastCalls,
  property,
  sometimes,
  vmsOf,
  type Moment,
} from "../../../host-mock/properties/index.ts";
import { TraceBuilder } from "../../support/trace-builder.ts";
import { facts } from "./support.ts";

const at = (seconds: number, what = "main#1 crashed", of?: string): Moment => ({
  atNs: seconds * 1e9,
  what,
  ...(of === undefined ? {} : { of }),
});

describe("eventuallyWithin", () => {
  const within = (causes: Moment[], effects: Moment[], endS = 100) =>
    eventuallyWithin("10s", { causes, effects, endNs: endS * 1e9 });

  test("holds when an effect comes within the bound, inclusive, or at the very instant", () => {
    expect(within([at(5)], [at(15)])).toEqual({ holds: true, detail: "", atMs: null });
    expect(within([at(5)], [at(5)]).holds).toBe(true);
    expect(within([at(8), at(5)], [at(14)]).holds).toBe(true);
  });

  test("is violated in the instant in which the bound is over", () => {
    expect(within([at(5)], [at(4), at(16)])).toEqual({
      holds: false,
      detail: "main#1 crashed at 5 s, and what follows came at 16 s, not within 10s",
      atMs: 15_000,
    });
    expect(within([at(5), at(6)], [])).toEqual({
      holds: false,
      detail: "main#1 crashed at 5 s, and nothing followed, not within 10s (and 1 more)",
      atMs: 15_000,
    });
  });

  test("a cause whose time is not over at the end is pending, and named", () => {
    expect(within([at(95)], [])).toEqual({
      holds: true,
      detail: "pending: main#1 crashed at 95 s",
      atMs: null,
    });
    expect(within([at(95), at(96)], []).detail).toBe(
      "pending: main#1 crashed at 95 s (and 1 other)",
    );
    expect(within([at(90)], []).holds).toBe(false);
  });

  test("an effect answers causes of the same thing alone", () => {
    const causes = [at(5, "a crashed", "a"), at(5, "b crashed", "b")];

    expect(within(causes, [at(6, "", "a")])).toMatchObject({
      holds: false,
      detail: "b crashed at 5 s, and nothing followed, not within 10s",
    });
    expect(within(causes, [at(6, "", "b"), at(7, "", "a")]).holds).toBe(true);
  });

  test("without a cause nothing is proved, unless that is allowed", () => {
    expect(within([], [at(5)])).toMatchObject({ holds: false });
    expect(eventuallyWithin("10s", { causes: [], effects: [], endNs: 1, orNone: true }).holds).toBe(
      true,
    );
  });

  test("a bound needs a unit", () => {
    const options = { causes: [], effects: [], endNs: 1 };

    expect(() => eventuallyWithin("10", options)).toThrow(/10/);
  });
});

describe("a property of one's own", () => {
  const run = facts(new TraceBuilder().start("main").at("1s").log("main", "error", "no").end("2s"));
  const quiet = property("quiet", ({ logs }) =>
    always(logs.map(({ atNs, vm }) => ({ atNs, detail: `${vm} complains` }))),
  );

  test("judges what the trace tells", () => {
    expect(judgeProperty(quiet, run)).toEqual({
      holds: false,
      detail: "main#1 complains",
      atMs: 1000,
    });
    expect(
      judgeProperty(
        property("loud", ({ logs }) => sometimes(logs.length > 0, "nobody complains")),
        run,
      ).holds,
    ).toBe(true);
  });

  test.each([
    ["no name", () => property("", () => always([])), /property: the name is ""/],
    ["no function", () => property("p", 5 as never), /property p: there is no function/],
    [
      "no judgement",
      () => judgeProperty(property("p", (() => true) as never), run),
      /property p gave no judgement; return what always/,
    ],
    [
      "a promise",
      () => judgeProperty(property("p", (async () => {}) as never), run),
      /property p gave no judgement/,
    ],
    [
      "half a judgement",
      () => judgeProperty(property("p", (() => ({ holds: true })) as never), run),
      /property p gave no judgement/,
    ],
  ])("with %s is refused", (_what, act, message) => {
    expect(act).toThrow(expect.objectContaining({ code: "E_OPTION" }));
    expect(act).toThrow(message);
  });
});

describe("the last host calls", () => {
  const trace = new TraceBuilder().start("main", "worker_0");
  for (let i = 1; i <= 8; i++) {
    const value = new TextEncoder().encode(`${i}`.repeat(80));
    const args = { key: `k${i}`, value, cas: i };
    trace.at(`${i}s`).record(trace.subject("main"), "call", "proxy_set_shared_data", args, "Ok");
  }
  trace.record(trace.subject("worker_0"), "call", "proxy_get_shared_data", { key: "k" }, "Ok", {
    value: new TextEncoder().encode("v"),
    cas: 3,
  });
  const run = facts(trace.end("9s"));
  const broken = (detail: string, atMs: number | null = 8000) => ({ holds: false, detail, atMs });

  test("are those of each VM that the sentence names, up to the instant, six of each", () => {
    const lines = lastCalls(run, broken("main#1 and worker_0#1, and main#1 again", 7000));

    expect(lines[0]).toBe("  last host calls of main#1 up to 7 s:");
    expect(lines[1]).toBe(
      `    2 s proxy_set_shared_data(key="k2", value="${"2".repeat(59)}…", cas=2) Ok`,
    );
    expect(lines.slice(6)).toEqual([
      expect.stringMatching(/^ {4}7 s /),
      "  no host call of worker_0#1 was recorded up to 7 s",
    ]);
  });

  test("come with what the host answered", () => {
    expect(lastCalls(run, broken("worker_0#1"))[1]).toBe(
      '    8 s proxy_get_shared_data(key="k") Ok value="v", cas=3',
    );
  });

  test("are none for what holds, has no instant or names nobody", () => {
    expect(lastCalls(run, { ...broken("main#1"), holds: true })).toEqual([]);
    expect(lastCalls(run, broken("main#1", null))).toEqual([]);
    expect(lastCalls(run, broken("nobody"))).toEqual([]);
  });

  test("know base and canary VMs by name", () => {
    expect(vmsOf(broken("main#canary, worker_12#3, main#base and xmain#1 or main"))).toEqual([
      "main#canary",
      "worker_12#3",
      "main#base",
    ]);
  });
});
