import { describe, expect, test } from "vitest";
import { leaderships, Witness, type WitnessKind } from "../../../host-mock/trace/index.ts";
import { TraceBuilder } from "../../support/trace-builder.ts";

function history(trace: TraceBuilder, witness: WitnessKind = "log") {
  return leaderships(trace.events, { plugin: "metrics-reporter", witness, endNs: trace.nowNs }).map(
    ({ vm, context, term, fromNs, untilNs, end }) => ({
      vm,
      context,
      term,
      span: [fromNs / 1e9, untilNs / 1e9],
      end,
    }),
  );
}

describe("the log witness", () => {
  test("a leadership lasts from its claim to its last promise", () => {
    const trace = new TraceBuilder()
      .start("main")
      .at("1s")
      .claim("main", 7)
      .at("4s")
      .renew("main", 7)
      .end("60s");

    expect(history(trace)).toEqual([
      { vm: "main#1", context: 1, term: 7n, span: [1, 19], end: "expired" },
    ]);
  });

  test("on a host without a monotonic clock it counts from its lines, whose times are the wall clock's", () => {
    const wallNs = 1_767_225_600_000_000_000n;
    const line = `claim term=7 at_ns=${wallNs} until_ns=${wallNs + 15_000_000_000n} id=a key=lease`;
    const trace = new TraceBuilder().start("main").at("1s");
    trace.log("main", "debug", `proxy-wasm-as.election ${line}`).end("60s");

    expect(history(trace)).toEqual([
      { vm: "main#1", context: 1, term: 7n, span: [1, 16], end: "expired" },
    ]);
  });

  test("one that the run's end cuts off is running", () => {
    const trace = new TraceBuilder().start("main").at("1s").claim("main", 7).end("5s");

    expect(history(trace)).toEqual([
      { vm: "main#1", context: 1, term: 7n, span: [1, 5], end: "running" },
    ]);
  });

  test("one whose promise ends with the run has expired", () => {
    const trace = new TraceBuilder().start("main").at("1s").claim("main", 7).end("16s");

    expect(history(trace)[0]?.end).toBe("expired");
  });

  test.each(["expired", "replaced", "vanished", "fenced", "released", "superseded", "error"])(
    "a stop line ends it with its reason: %s",
    (reason) => {
      const trace = new TraceBuilder()
        .start("main")
        .at("1s")
        .claim("main", 7)
        .at("3s")
        .stop("main", 7, reason)
        .end("9s");

      expect(history(trace)).toEqual([
        { vm: "main#1", context: 1, term: 7n, span: [1, 3], end: reason },
      ]);
    },
  );

  test("a stop line after the promise changes nothing", () => {
    const trace = new TraceBuilder()
      .start("main")
      .at("1s")
      .claim("main", 7)
      .at("30s")
      .stop("main", 7, "replaced")
      .end("40s");

    expect(history(trace)).toEqual([
      { vm: "main#1", context: 1, term: 7n, span: [1, 16], end: "expired" },
    ]);
  });

  test("a crash and a trap end it", () => {
    const trace = new TraceBuilder().start("main", "worker_0");
    trace.at("1s").claim("main", 7).at("3s").crash("main");
    trace.at("5s").claim("worker_0", 8).at("6s").trap("worker_0").end("40s");

    expect(history(trace)).toEqual([
      { vm: "main#1", context: 1, term: 7n, span: [1, 3], end: "crashed" },
      { vm: "worker_0#1", context: 1, term: 8n, span: [5, 6], end: "trapped" },
    ]);
  });

  test("a crash elsewhere, and a crash that did not happen, do not", () => {
    const trace = new TraceBuilder()
      .start("main", "worker_0")
      .at("1s")
      .claim("main", 7)
      .at("2s")
      .crash("worker_0");
    trace.fault("crash", { thread: "main" }, "not_applied", "main", "dead").end("5s");

    expect(history(trace)[0]?.end).toBe("running");
  });

  test("a trap of another plugin's VM of the same name does not; one of a VM that both share does", () => {
    const apart = new TraceBuilder().start("main").at("1s").claim("main", 7).at("2s");
    const together = new TraceBuilder().start("main").at("1s").claim("main", 7).at("2s");

    apart
      .record({ thread: "main", vm: "main#1", plugin: "other" }, "trap", "proxy_on_tick", {
        plugins: ["other"],
      })
      .end("3s");
    together
      .record({ thread: "main", vm: "main#1", plugin: "other" }, "trap", "proxy_on_tick", {
        plugins: ["other", "metrics-reporter"],
      })
      .end("3s");

    expect(history(apart)[0]?.end).toBe("running");
    expect(history(together)[0]?.end).toBe("trapped");
  });

  test("a new term of the same context opens a new leadership", () => {
    const trace = new TraceBuilder()
      .start("main")
      .at("1s")
      .claim("main", 7)
      .at("5s")
      .claim("main", 8)
      .end("6s");

    expect(history(trace)).toEqual([
      { vm: "main#1", context: 1, term: 7n, span: [1, 5], end: "replaced" },
      { vm: "main#1", context: 1, term: 8n, span: [5, 6], end: "running" },
    ]);
  });

  test("a renewal after the promise ran out is a new leadership under the old term", () => {
    const trace = new TraceBuilder()
      .start("main")
      .at("1s")
      .claim("main", 7)
      .at("20s")
      .renew("main", 7)
      .end("21s");

    expect(history(trace).map(({ term, span }) => ({ term, span }))).toEqual([
      { term: 7n, span: [1, 16] },
      { term: 7n, span: [20, 21] },
    ]);
  });

  test("a renewal begun inside the promise and written after it extends it", () => {
    const trace = new TraceBuilder().start("main").at("1s").claim("main", 7).at("16s");
    const mono = 3_600_000_000_000n;
    const since = mono + 15_900_000_000n;

    trace
      .log(
        "main",
        "debug",
        `proxy-wasm-as.election renew term=7 at_ns=${since} until_ns=${since + 15_000_000_000n} id=${trace.id("main")} key=k`,
      )
      .end("40s");

    expect(history(trace)).toEqual([
      { vm: "main#1", context: 1, term: 7n, span: [1, 30.9], end: "expired" },
    ]);
  });

  test("a claim whose promise is already over never was a leadership", () => {
    const trace = new TraceBuilder().start("main").at("1s").claim("main", 7, "0s").end("9s");

    expect(history(trace)).toEqual([]);
  });

  test("one claimed and lost in one instant has no length, and is listed", () => {
    const trace = new TraceBuilder().start("main").at("1s").claim("main", 7).trap("main").end("9s");

    expect(history(trace)).toEqual([
      { vm: "main#1", context: 1, term: 7n, span: [1, 1], end: "trapped" },
    ]);
  });

  test("a pause does not end it", () => {
    const trace = new TraceBuilder()
      .start("main")
      .at("1s")
      .claim("main", 7)
      .pause("main", "10s")
      .end("12s");

    expect(history(trace)[0]?.end).toBe("running");
  });

  test("the two contexts of one VM are told apart", () => {
    const trace = new TraceBuilder().start("main").at("1s").claim("main", 7);
    trace.configure("main", 2, 2).claim("main", 8).end("2s");

    expect(history(trace).map(({ context, end }) => ({ context, end }))).toEqual([
      { context: 1, end: "running" },
      { context: 2, end: "running" },
    ]);
  });

  test.each([
    [
      "something before it",
      "so: proxy-wasm-as.election claim term=7 at_ns=1 until_ns=99999999999999 id=a key=k",
    ],
    [
      "a term that is no integer",
      "proxy-wasm-as.election claim term=x at_ns=1 until_ns=99999999999999 id=a key=k",
    ],
    [
      "another word",
      "proxy-wasm-as.election adopt term=7 at_ns=1 until_ns=99999999999999 id=a key=k",
    ],
    ["no promise", "proxy-wasm-as.election claim term=7 at_ns=1 id=a key=k"],
  ])("a line with %s says nothing", (_, line) => {
    const trace = new TraceBuilder().start("main").at("1s").log("main", "debug", line).end("2s");

    expect(history(trace)).toEqual([]);
  });

  test("terms above 2^53 stay exact", () => {
    const trace = new TraceBuilder()
      .start("main")
      .at("1s")
      .claim("main", 2n ** 62n + 1n)
      .end("2s");

    expect(history(trace)[0]?.term).toBe(2n ** 62n + 1n);
  });

  test("who leads is known while the run goes on; of two, the higher term", () => {
    const trace = new TraceBuilder().start("main", "worker_0");
    const witness = new Witness({ plugin: "metrics-reporter", witness: "log" });
    trace.at("1s").claim("main", 9).at("2s").claim("worker_0", 8).at("9s").crash("main").end("30s");

    const seen = trace.events.map((event) => {
      witness.feed(event);
      return [event.atNs / 1e9, witness.leader(event.atNs)?.vm ?? null] as const;
    });

    expect(seen).toContainEqual([0, null]);
    expect(seen).toContainEqual([1, "main#1"]);
    expect(seen).toContainEqual([2, "main#1"]);
    expect(seen).toContainEqual([9, "worker_0#1"]);
    expect(seen.at(-1)).toEqual([30, null]);
  });
});

describe("the lease witness", () => {
  test("a set under the VM's own id leads for 60 s, each further one extends it", () => {
    const trace = new TraceBuilder()
      .start("main")
      .at("1s")
      .setLease("main", "a")
      .at("4s")
      .setLease("main", "a")
      .end("100s");

    expect(history(trace, "lease")).toEqual([
      { vm: "main#1", context: 1, term: null, span: [1, 64], end: "expired" },
    ]);
  });

  test("another VM's set does not end it, its own next get of another id does", () => {
    const trace = new TraceBuilder()
      .start("main", "worker_0")
      .at("1s")
      .setLease("main", "a")
      .at("2s")
      .setLease("worker_0", "b");
    trace.at("4s").getLease("main", "b").end("10s");

    expect(history(trace, "lease")).toEqual([
      { vm: "main#1", context: 1, term: null, span: [1, 4], end: "replaced" },
      { vm: "worker_0#1", context: 1, term: null, span: [2, 10], end: "running" },
    ]);
  });

  test("a refused set, a get of the own id and other keys say nothing", () => {
    const trace = new TraceBuilder()
      .start("main")
      .at("1s")
      .setLease("main", "a")
      .at("2s")
      .getLease("main", "a");
    const value = new TextEncoder().encode('{"vmID":"z","timestamp":1}');
    trace.record(
      trace.subject("main"),
      "call",
      "proxy_set_shared_data",
      { key: "counter", value, cas: 0 },
      "Ok",
    );
    trace.record(
      trace.subject("main"),
      "call",
      "proxy_set_shared_data",
      { key: "higress_wasm_vm_lease:", value, cas: 0 },
      "CasMismatch",
    );
    trace.end("3s");

    expect(history(trace, "lease")).toEqual([
      { vm: "main#1", context: 1, term: null, span: [1, 3], end: "running" },
    ]);
  });

  test("a set that names nobody is a release", () => {
    const trace = new TraceBuilder()
      .start("main")
      .at("1s")
      .setLease("main", "a")
      .at("5s")
      .setLease("main", "")
      .end("9s");

    expect(history(trace, "lease")).toEqual([
      { vm: "main#1", context: 1, term: null, span: [1, 5], end: "released" },
    ]);
  });

  test("two contexts of one VM that both write its id both lead", () => {
    const trace = new TraceBuilder().start("main").at("1s").setLease("main", "a");
    trace
      .configure("main", 2, 2)
      .at("2s")
      .setLease("main", "a")
      .at("3s")
      .getLease("main", "a", 1)
      .end("4s");

    expect(history(trace, "lease").map(({ context, end }) => ({ context, end }))).toEqual([
      { context: 1, end: "running" },
      { context: 2, end: "running" },
    ]);
  });

  test("a set made while a request is handled is the plugin context's", () => {
    const trace = new TraceBuilder()
      .start("worker_0")
      .at("1s")
      .setLease("worker_0", "a", 17)
      .end("2s");

    expect(history(trace, "lease")[0]?.context).toBe(1);
  });

  test("garbage in the lease says nothing", () => {
    const trace = new TraceBuilder().start("main").at("1s");
    for (const text of ['{"vmID":', '{"vmID":7}', '["vmID"]', '"vmID"', "null"]) {
      const value = new TextEncoder().encode(text);
      trace.record(
        trace.subject("main"),
        "call",
        "proxy_set_shared_data",
        { key: "higress_wasm_vm_lease:", value, cas: 0 },
        "Ok",
      );
    }
    trace.end("2s");

    expect(history(trace, "lease")).toEqual([]);
  });
});

test("leaderships long over are not followed any more, however many there were", () => {
  const trace = new TraceBuilder().start("main");
  for (let second = 1; second <= 3000; second++) {
    trace.atNs(second * 1e9).claim(`worker_${second}`, second, "1500ms");
  }
  const witness = new Witness({ plugin: "metrics-reporter", witness: "log" });

  for (const event of trace.events) witness.feed(event);

  expect(witness.history(trace.nowNs)).toHaveLength(3000);
  expect(witness.openCount).toBeLessThan(70);
});
