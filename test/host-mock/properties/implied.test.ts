import { describe, expect, test } from "vitest";
import { TraceBuilder } from "../../support/trace-builder.ts";
import { judgeTrace, plugin } from "./support.ts";

describe("traps and no_trap", () => {
  const trapped = (): TraceBuilder =>
    new TraceBuilder().start("main").at("4s").trap("main").end("9s");

  test("a trap is counted, and named", () => {
    expect(judgeTrace(trapped(), { check: "traps", plugin, at_least: 1, at_most: 1 }).holds).toBe(
      true,
    );
    expect(judgeTrace(trapped(), { check: "no_trap", plugin })).toEqual({
      holds: false,
      detail: "main#1 trapped in proxy_on_tick at 4 s: unreachable",
      atMs: 4000,
    });
  });

  test("no trap where none happened, and none of another plugin's", () => {
    expect(judgeTrace(trapped(), { check: "no_trap", plugin: "other" }).holds).toBe(true);
    expect(judgeTrace(trapped(), { check: "no_trap" }).holds).toBe(false);
    expect(
      judgeTrace(new TraceBuilder().start("main").end("9s"), { check: "traps", plugin }).holds,
    ).toBe(false);
  });
});

describe("log", () => {
  const logged = (): TraceBuilder =>
    new TraceBuilder()
      .start("main")
      .at("1s")
      .claim("main", 7)
      .log("main", "trace", "reported 3")
      .log("main", "info", "reported 4")
      .end("9s");

  test("matches anywhere in the line, at any level, and leaves witness lines out", () => {
    expect(
      judgeTrace(logged(), { check: "log", plugin, matches: "ported", at_least: 2, at_most: 2 })
        .holds,
    ).toBe(true);
    expect(judgeTrace(logged(), { check: "log", plugin, matches: "claim" })).toEqual({
      holds: false,
      detail: "0 matching lines, at least 1 expected",
      atMs: null,
    });
  });

  test("a global expression does not remember where it stopped", () => {
    expect(
      judgeTrace(logged(), { check: "log", plugin, matches: /reported/g, at_least: 2 }).holds,
    ).toBe(true);
  });

  test("other plugins' lines do not count", () => {
    expect(judgeTrace(logged(), { check: "log", plugin: "other", matches: "reported" }).holds).toBe(
      false,
    );
  });
});

describe("starts", () => {
  const check = { check: "starts", plugin } as const;
  const configured = (
    trace: TraceBuilder,
    vm: string,
    generation: number,
    status: string,
    line = "",
  ): TraceBuilder =>
    trace.record(
      { thread: "main", vm, plugin, context: 1 },
      "timer",
      "context_configured",
      { generation },
      status,
      line,
    );

  test("holds when the canary and every thread accepted", () => {
    expect(judgeTrace(new TraceBuilder().start("main", "worker_0").end("9s"), check).holds).toBe(
      true,
    );
  });

  test("fails with the last log line when the canary refused", () => {
    const trace = configured(
      new TraceBuilder(),
      "main#canary",
      1,
      "refused",
      "collector is missing",
    ).end("9s");

    expect(judgeTrace(trace, check)).toEqual({
      holds: false,
      detail: "main#canary refused its configuration at 0 s: collector is missing",
      atMs: 0,
    });
  });

  test("fails when one VM refused, with the line it logged itself", () => {
    const trace = new TraceBuilder().start("main").log("main", "error", "no randomness here");
    configured(trace, "main#1", 1, "refused").end("9s");

    expect(judgeTrace(trace, check).detail).toContain("no randomness here");
  });

  test("fails when a VM trapped while it started, and when none ever came", () => {
    const trapped = new TraceBuilder().start("main").trap("main", "proxy_on_configure").end("9s");

    expect(judgeTrace(trapped, check).holds).toBe(false);
    expect(judgeTrace(new TraceBuilder().end("9s"), { check: "starts" }).detail).toContain(
      "was ever configured",
    );
  });

  test("holds when a request's context trapped while it was made, and fails when a plugin's did", () => {
    const trappedIn = (context: number): TraceBuilder => {
      const trace = new TraceBuilder().start("main").at("3s");
      const name = "proxy_on_context_create";
      return trace.record(trace.subject("main", context), "trap", name, { root: 1 }).end("9s");
    };

    expect(judgeTrace(trappedIn(2), check).holds).toBe(true);
    expect(judgeTrace(trappedIn(1), check)).toMatchObject({ holds: false, atMs: 3000 });
  });

  test("a refused new configuration is no failed start", () => {
    const trace = configured(
      new TraceBuilder().start("main").at("3s"),
      "main#canary",
      2,
      "refused",
    ).end("9s");

    expect(judgeTrace(trace, check).holds).toBe(true);
  });
});

describe("events_applied", () => {
  const check = { check: "events_applied" } as const;

  test("holds when all were, a refused configuration included", () => {
    const trace = new TraceBuilder().start("main").at("3s").crash("main");
    trace.fault("reconfigure", { plugin }, "refused").end("9s");

    expect(judgeTrace(trace, check).holds).toBe(true);
  });

  test("fails when one did not happen, and says why", () => {
    const trace = new TraceBuilder()
      .start("main")
      .at("3s")
      .fault("crash", { thread: "main" }, "not_applied", "main", "main is dead")
      .end("9s");

    expect(judgeTrace(trace, check)).toEqual({
      holds: false,
      detail: "crash at 3 s did not happen: main is dead",
      atMs: 3000,
    });
  });
});

describe("declared_clusters", () => {
  const check = { check: "declared_clusters" } as const;

  test("holds without, and fails with a call to a cluster nobody declared", () => {
    const good = new TraceBuilder().start("main").at("3s").call("main").end("9s");
    const bad = new TraceBuilder().start("main").at("3s");
    bad
      .record(bad.subject("main"), "timer", "undeclared_cluster", { cluster: "colector" })
      .end("9s");

    expect(judgeTrace(good, check).holds).toBe(true);
    expect(judgeTrace(bad, check)).toEqual({
      holds: false,
      detail: 'main#1 called cluster "colector", which nobody declared, at 3 s',
      atMs: 3000,
    });
  });
});

describe("expect", () => {
  const check = { check: "expect", request: 1, status: 200 } as const;

  test("holds for the status that the client saw", () => {
    expect(
      judgeTrace(
        new TraceBuilder().start("worker_0").at("1s").request("worker_0", 200).end("9s"),
        check,
      ).holds,
    ).toBe(true);
  });

  test("fails for another one, with the body that came", () => {
    const trace = new TraceBuilder()
      .start("worker_0")
      .at("1s")
      .request("worker_0", 503, { local: true, body: "no" })
      .end("9s");

    expect(judgeTrace(trace, check)).toEqual({
      holds: false,
      detail: 'GET / on worker_0 got 503 ("no"), 200 expected',
      atMs: 1000,
    });
  });

  test("fails for a reset, for a request that was never answered, and for one never sent", () => {
    const reset = new TraceBuilder().start("worker_0").at("1s").request("worker_0", null).end("9s");
    const waiting = new TraceBuilder()
      .record({ thread: "worker_0" }, "timer", "request_started", { request: 1 })
      .end("9s");

    expect(judgeTrace(reset, check).detail).toContain("got a reset");
    expect(judgeTrace(waiting, check).detail).toContain("never answered");
    expect(judgeTrace(new TraceBuilder().end("9s"), check).detail).toBe(
      "the request was never sent",
    );
  });
});
