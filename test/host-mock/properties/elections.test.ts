import { describe, expect, test } from "vitest";
import { TraceBuilder } from "../../support/trace-builder.ts";
import { judgeTrace, plugin } from "./support.ts";

const seconds = (value: number): number => value * 1e9;

describe("single_winner", () => {
  const check = { check: "single_winner", plugin } as const;

  test("holds when one leader follows another in the very instant", () => {
    const trace = new TraceBuilder()
      .start("main", "worker_0")
      .at("1s")
      .claim("main", 7)
      .at("5s")
      .stop("main", 7, "released");
    trace.claim("worker_0", 8).end("9s");

    expect(judgeTrace(trace, check)).toEqual({ holds: true, detail: "", atMs: null });
  });

  test("is violated from the instant in which the second leads", () => {
    const trace = new TraceBuilder()
      .start("main", "worker_0")
      .at("1s")
      .claim("main", 7)
      .at("5s")
      .claim("worker_0", 8);
    trace.at("7s").stop("main", 7, "replaced").end("9s");

    expect(judgeTrace(trace, check)).toEqual({
      holds: false,
      detail: "main#1 (term 7) and worker_0#1 (term 8) both lead from 5 s to 7 s",
      atMs: 5000,
    });
  });

  test("is violated by two contexts of one VM, which the detail tells apart", () => {
    const trace = new TraceBuilder().start("main").at("1s").claim("main", 7);
    trace.configure("main", 2, 2).at("2s").claim("main", 8).end("3s");

    expect(judgeTrace(trace, check).detail).toBe(
      "main#1 (context 1, term 7) and main#1 (context 2, term 8) both lead from 2 s to 3 s",
    );
  });

  test("counts each further overlap", () => {
    const trace = new TraceBuilder()
      .start("main", "worker_0", "worker_1")
      .at("1s")
      .claim("main", 7);
    trace.at("2s").claim("worker_0", 8).at("3s").claim("worker_1", 9).end("4s");

    expect(judgeTrace(trace, check).detail).toContain("(and 2 more)");
  });

  test("a promise that runs out as the next leader claims is no overlap", () => {
    const trace = new TraceBuilder()
      .start("main", "worker_0")
      .at("1s")
      .claim("main", 7, "4s")
      .at("5s")
      .claim("worker_0", 8)
      .end("9s");

    expect(judgeTrace(trace, check).holds).toBe(true);
  });

  test("a leadership of no length shares no instant with another", () => {
    const trace = new TraceBuilder()
      .start("main", "worker_0")
      .at("1s")
      .claim("main", 7)
      .at("5s")
      .claim("worker_0", 8);
    trace.trap("worker_0").end("9s");

    expect(judgeTrace(trace, check).holds).toBe(true);
  });

  test("sees wasm-go's two leaders by their leases", () => {
    const trace = new TraceBuilder()
      .start("main", "worker_0")
      .at("1s")
      .setLease("main", "a")
      .setLease("worker_0", "b");
    trace.at("4s").getLease("main", "b").end("9s");

    expect(judgeTrace(trace, check, "lease")).toMatchObject({ holds: false, atMs: 1000 });
  });
});

describe("terms_grow", () => {
  const check = { check: "terms_grow", plugin } as const;

  test("holds for strictly growing terms, gaps included", () => {
    const trace = new TraceBuilder()
      .start("main", "worker_0")
      .at("1s")
      .claim("main", 7)
      .at("2s")
      .crash("main");
    trace.at("20s").claim("worker_0", 90).end("21s");

    expect(judgeTrace(trace, check)).toEqual({ holds: true, detail: "", atMs: null });
  });

  test.each([7, 6])("is violated by term %d after term 7", (term) => {
    const trace = new TraceBuilder()
      .start("main", "worker_0")
      .at("1s")
      .claim("main", 7)
      .at("2s")
      .crash("main");
    trace.at("20s").claim("worker_0", term).end("21s");

    expect(judgeTrace(trace, check)).toEqual({
      holds: false,
      detail: `worker_0#1 (term ${term}) leads at 20 s after main#1 (term 7) at 1 s`,
      atMs: 20_000,
    });
  });

  test("a term below an earlier one is noticed though the last one was lower still", () => {
    const trace = new TraceBuilder()
      .start("main")
      .at("1s")
      .claim("main", 7)
      .at("2s")
      .claim("main", 3)
      .at("3s")
      .claim("main", 5)
      .end("4s");

    expect(judgeTrace(trace, check).detail).toContain("(and 1 more)");
  });

  test("compares terms beyond 2^53 exactly", () => {
    const trace = new TraceBuilder()
      .start("main")
      .at("1s")
      .claim("main", 2n ** 60n + 1n)
      .at("2s")
      .claim("main", 2n ** 60n)
      .end("3s");

    expect(judgeTrace(trace, check).holds).toBe(false);
  });
});

describe("somebody_led", () => {
  const check = { check: "somebody_led", plugin } as const;

  test("holds when one did", () => {
    const trace = new TraceBuilder().start("main").at("1s").claim("main", 7).end("2s");

    expect(judgeTrace(trace, check)).toEqual({ holds: true, detail: "", atMs: null });
  });

  test("is violated when nobody ever did", () => {
    const trace = new TraceBuilder()
      .start("main")
      .log("main", "info", "proxy-wasm-as.elections are fun")
      .end("90s");

    expect(judgeTrace(trace, check)).toEqual({
      holds: false,
      detail: "nobody was ever elected",
      atMs: null,
    });
  });
});

describe("leader_within", () => {
  const within = (bound: number) =>
    ({ check: "leader_within", plugin, boundNs: seconds(bound) }) as const;
  const crashed = (): TraceBuilder => {
    const trace = new TraceBuilder()
      .start("main", "worker_0")
      .at("2s")
      .claim("main", 7)
      .at("10s")
      .crash("main");
    return trace.at("28s").claim("worker_0", 8).end("30s");
  };

  test("holds when no stretch is longer than the bound, which is inclusive", () => {
    expect(judgeTrace(crashed(), within(18))).toEqual({
      holds: true,
      detail: "at most 18 s without a leader (from 10 s)",
      atMs: null,
    });
  });

  test("is violated in the instant in which the bound is passed", () => {
    expect(judgeTrace(crashed(), within(17.5))).toEqual({
      holds: false,
      detail: "nobody leads from 10 s to 28 s: 18 s, longer than 17.5 s",
      atMs: 27_500,
    });
  });

  test("the stretch before the first leader counts from the start of the run", () => {
    const trace = new TraceBuilder().start("main").at("5s").claim("main", 7).end("6s");

    expect(judgeTrace(trace, within(4))).toMatchObject({ holds: false, atMs: 4000 });
  });

  test("a stretch still open at the end is pending, named, and no violation", () => {
    const trace = new TraceBuilder()
      .start("main", "worker_0")
      .at("1s")
      .claim("main", 7)
      .at("10s")
      .crash("main")
      .end("90s");

    const { holds, detail } = judgeTrace(trace, within(18));

    expect(holds).toBe(true);
    expect(detail).toContain(
      "pending: nobody leads from 10 s to the end of the run, already longer than the bound",
    );
  });

  test("time in which nobody is alive and unpaused to claim does not count, and is named", () => {
    const trace = new TraceBuilder()
      .start("main")
      .at("1s")
      .claim("main", 7)
      .at("2s")
      .crash("main")
      .at("40s")
      .restart("main");
    trace.at("45s").claim("main", 8).end("46s");

    const { holds, detail } = judgeTrace(trace, within(5));

    expect(holds).toBe(true);
    expect(detail).toContain("not counting 38 s in which nobody was alive and unpaused to claim");
  });

  test("the violation's instant leaves out the time that does not count", () => {
    const trace = new TraceBuilder()
      .start("main")
      .at("1s")
      .claim("main", 7, "1s")
      .at("3s")
      .pause("main", "10s");
    trace.at("20s").claim("main", 8).end("21s");

    expect(judgeTrace(trace, within(5))).toMatchObject({ holds: false, atMs: 17_000 });
  });

  test("two leaders that overlap leave no stretch between them", () => {
    const trace = new TraceBuilder()
      .start("main", "worker_0")
      .claim("main", 7, "30s")
      .at("5s")
      .claim("worker_0", 8, "2s")
      .end("30s");

    expect(judgeTrace(trace, within(1)).holds).toBe(true);
  });

  test("names every stretch that is not counted, in a verdict of either kind", () => {
    const trace = new TraceBuilder().start("main", "worker_0").at("2s").claim("main", 5, "1s");
    trace.at("3500ms").pause("main", "5s").pause("worker_0", "5s");
    trace.at("9s").claim("worker_0", 6, "3s").end("12s");
    const uncounted =
      "not counting 5 s between 3 s and 9 s in which nobody was alive and unpaused to claim";

    const holds = judgeTrace(trace, within(2));
    const violated = judgeTrace(trace, within(1.5));

    expect(holds).toMatchObject({ holds: true });
    expect(holds.detail).toContain("at most 2 s without a leader (from 0 s)");
    expect(holds.detail).toContain(uncounted);
    expect(violated).toMatchObject({ holds: false, atMs: 1500 });
    expect(violated.detail).toContain(uncounted);
  });
});
