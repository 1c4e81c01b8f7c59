import { describe, expect, test } from "vitest";
import { TraceBuilder, type CallOptions } from "../../support/trace-builder.ts";
import { judgeTrace } from "./support.ts";

const check = { check: "no_stale_effect", cluster: "collector", header: "X-Leader-Term" } as const;

function calls(
  ...made: readonly (readonly [at: string, thread: string, options: CallOptions])[]
): TraceBuilder {
  const trace = new TraceBuilder().start("main", "worker_0");
  for (const [at, thread, options] of made) trace.at(at).call(thread, options);
  return trace.end("60s");
}

describe("no_stale_effect", () => {
  test("holds for growing terms and for one leader's repeated term", () => {
    const trace = calls(
      ["1s", "main", { term: 7 }],
      ["2s", "main", { term: 7 }],
      ["3s", "worker_0", { term: 8 }],
    );

    expect(judgeTrace(trace, check)).toEqual({ holds: true, detail: "", atMs: null });
  });

  test("is violated by a held call that arrives after a newer term, in the instant of its arrival", () => {
    const trace = calls(["1s", "main", { term: 7, held: "8s" }], ["3s", "worker_0", { term: 8 }]);

    expect(judgeTrace(trace, check)).toEqual({
      holds: false,
      detail:
        "a call of main#1 with term 7 arrives after term 8 of worker_0#1 at 9 s (sent at 1 s)",
      atMs: 9000,
    });
  });

  test("does not judge what the fence refused", () => {
    const trace = calls(
      ["1s", "main", { term: 7, held: "8s", refused: true }],
      ["3s", "worker_0", { term: 8 }],
    );

    expect(judgeTrace(trace, check).holds).toBe(true);
  });

  test("is violated by an equal term of another context", () => {
    const trace = calls(["1s", "main", { term: 7 }], ["3s", "worker_0", { term: 7 }]);

    expect(judgeTrace(trace, check)).toMatchObject({ holds: false, atMs: 3000 });
  });

  test("is violated by an equal term of a younger context of the same VM", () => {
    const trace = new TraceBuilder().start("main").at("1s").call("main", { term: 7 });
    trace.configure("main", 2, 2).at("2s").call("main", { term: 7 }).end("3s");

    expect(judgeTrace(trace, check).detail).toBe(
      "a call of main#1, context 2, arrives with term 7, which is main#1, context 1's at 2 s",
    );
  });

  test("a leader's call from a request's context is its own effect", () => {
    const trace = new TraceBuilder().start("worker_0").at("1s").call("worker_0", { term: 7 });
    trace.at("2s").call("worker_0", { term: 7, context: 12 }).end("3s");

    expect(judgeTrace(trace, check).holds).toBe(true);
  });

  test("equal instants are judged in the order of dispatch", () => {
    const good = calls(
      ["1s", "main", { term: 7, held: "2s" }],
      ["2s", "worker_0", { term: 8, held: "1s" }],
    );
    const bad = calls(
      ["1s", "main", { term: 8, held: "2s" }],
      ["2s", "worker_0", { term: 7, held: "1s" }],
    );

    expect(judgeTrace(good, check).holds).toBe(true);
    expect(judgeTrace(bad, check)).toMatchObject({ holds: false, atMs: 3000 });
  });

  test.each([undefined, "", "seven", "7.0", "7e3", "7, 8"])(
    "is violated by the term %j",
    (term) => {
      const trace = calls(["1s", "main", { term }]);

      expect(judgeTrace(trace, check)).toMatchObject({ holds: false, atMs: 1000 });
    },
  );

  test("is violated by a header that is given twice", () => {
    const trace = new TraceBuilder().start("main").at("1s");
    const headers = [
      ["x-leader-term", "7"],
      ["x-leader-term", "7"],
    ];
    trace.record(trace.subject("main"), "timer", "http_call_sent", {
      call: 1,
      cluster: "collector",
      headers,
    });
    trace
      .record(
        trace.subject("main"),
        "timer",
        "http_call_arrived",
        { call: 1, refused: false },
        null,
        204,
      )
      .end("2s");

    expect(judgeTrace(trace, check).holds).toBe(false);
  });

  test("looks at its own cluster, and at calls that arrived, only", () => {
    const trace = calls(
      ["1s", "main", { term: 8 }],
      ["2s", "main", { term: 7, cluster: "other" }],
      ["3s", "worker_0", { term: 7, held: null }],
    );

    expect(judgeTrace(trace, check).holds).toBe(true);
  });

  test.each([
    ["no call at all", calls()],
    ["calls that were all refused", calls(["1s", "main", { term: 7, refused: true }])],
    ["calls that never arrived", calls(["1s", "main", { term: 7, held: null }])],
  ])("fails on %s: nothing was judged", (_, trace) => {
    const { holds, detail } = judgeTrace(trace, check);

    expect(holds).toBe(false);
    expect(detail).toContain("nothing was judged");
  });
});

describe("calls", () => {
  test("counts what was dispatched, whatever became of it", () => {
    const trace = calls(
      ["1s", "main", { term: 7, held: null }],
      ["2s", "main", { term: 7, refused: true }],
    );

    expect(
      judgeTrace(trace, { check: "calls", cluster: "collector", at_least: 2, at_most: 2 }),
    ).toEqual({
      holds: true,
      detail: "2 calls",
      atMs: null,
    });
  });

  test("expects one call by default, and none where none is allowed", () => {
    expect(judgeTrace(calls(), { check: "calls", cluster: "collector" }).holds).toBe(false);
    expect(judgeTrace(calls(), { check: "calls", cluster: "collector", at_most: 0 }).holds).toBe(
      true,
    );
  });

  test("is violated by too few, and by the first one too many", () => {
    const trace = calls(["1s", "main", {}], ["2s", "main", {}], ["3s", "main", {}]);

    expect(judgeTrace(trace, { check: "calls", cluster: "collector", at_least: 4 })).toEqual({
      holds: false,
      detail: "3 calls, at least 4 expected",
      atMs: null,
    });
    expect(judgeTrace(trace, { check: "calls", cluster: "collector", at_most: 1 })).toEqual({
      holds: false,
      detail: "3 calls, at most 1 expected",
      atMs: 2000,
    });
  });
});
