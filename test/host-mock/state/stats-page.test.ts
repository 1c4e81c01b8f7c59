import { describe, expect, it } from "vitest";
import { latin1, utf8 } from "../../../host-mock/state/bytes.ts";
import { prometheusPage, textPage, type Statistic } from "../../../host-mock/state/stats-page.ts";
import { StatsHistogram } from "../../../host-mock/state/stats-histogram.ts";

function counter(name: string, value = 0): Statistic {
  return { kind: "counter", name: latin1(utf8(name)), value: BigInt(value), isUsed: true };
}

function gauge(name: string, value = 0): Statistic {
  return { ...counter(name, value), kind: "gauge" } as Statistic;
}

function histogram(name: string, ...samples: readonly bigint[]): Statistic {
  const flushed = new StatsHistogram();
  for (const sample of samples) flushed.record(sample, 0);
  flushed.flush(5e9);
  return { kind: "histogram", name, histogram: flushed };
}

function own(...names: readonly string[]): Statistic[] {
  return names.map((name) => counter(`wasmcustom.${name}`));
}

describe("the text page", () => {
  it("has counters and gauges by the bytes of their names, then histograms", () => {
    const page = textPage([
      histogram("wasmcustom.a"),
      gauge("wasmcustom.zz", 2),
      ...own("é", "a.b", "a-b", "a", "A"),
    ]);

    expect(page).toBe(
      "wasmcustom.A: 0\nwasmcustom.a: 0\nwasmcustom.a-b: 0\nwasmcustom.a.b: 0\nwasmcustom.zz: 2\n" +
        "wasmcustom.é: 0\nwasmcustom.a: No recorded values\n",
    );
  });

  it("shows the gauge of a counter and a gauge of one name", () => {
    expect(textPage([gauge("x", 9), counter("x", 2)])).toBe("x: 9\n");
  });

  it("shows each percentile of the last interval and of all samples", () => {
    expect(textPage([histogram("h", 100n)])).toBe(
      "h: P0(105,105) P25(105,105) P50(105,105) P75(105,105) P90(105,105) P95(105,105) " +
        "P99(105,105) P99.5(105,105) P99.9(105,105) P100(105,105)\n",
    );
  });

  it("leaves out what the filter does not find, also with an expression that remembers its place", () => {
    const filter = /two|one/g;
    const page = (): string => textPage(own("one", "two", "three"), filter);

    expect([page(), page()]).toEqual(Array(2).fill("wasmcustom.one: 0\nwasmcustom.two: 0\n"));
  });

  it("is empty without statistics", () => {
    expect(textPage([])).toBe("");
  });
});

function names(...statistics: readonly Statistic[]): string[] {
  return prometheusPage(statistics)
    .split("\n")
    .filter((line) => line.startsWith("# TYPE"))
    .map((line) => line.split(" ")[2]!);
}

describe("the Prometheus page", () => {
  it("has counters, gauges and histograms, plugins' names without a prefix", () => {
    const page = prometheusPage([
      gauge("wasmcustom.c", 9),
      counter("wasmcustom.c", 2),
      counter("wasm.p.vm_reload"),
    ]);

    expect(page).toBe(
      "# TYPE envoy_wasm_p_vm_reload counter\nenvoy_wasm_p_vm_reload{} 0\n" +
        "# TYPE c counter\nc{} 2\n# TYPE c gauge\nc{} 9\n",
    );
  });

  it("orders names part by part, and has a TYPE line for each statistic though names look alike", () => {
    expect(names(...own("a-b", "a_b", "a.b", "a!b", "a..b", ".a", "B", "a10", "a"))).toEqual([
      "_a",
      "B",
      "a",
      "a__b",
      "a_b",
      "a_b",
      "a_b",
      "a10",
      "a_b",
    ]);
  });

  it("shows one underscore for a character, whatever its size in bytes", () => {
    expect(names(...own("é", "x→y"))).toEqual(["x_y", "_"]);
  });

  it("leaves out a name that would begin with a digit, and calls one without a name envoy_wasmcustom", () => {
    expect(names(...own("0num"), counter("wasmcustom"))).toEqual(["envoy_wasmcustom"]);
  });

  it("makes tags of response codes at a name's end, several in one group", () => {
    const page = prometheusPage(
      own("foo_rq_503", "foo_rq", "foo_rq_200", "foo_rq_2xx", "bar_rq_xx", "x.foo_rq_200.y"),
    );

    expect(page).toBe(
      "# TYPE bar_rq_xx counter\nbar_rq_xx{} 0\n" +
        '# TYPE foo_rq counter\nfoo_rq{} 0\nfoo_rq{envoy_response_code="200"} 0\n' +
        'foo_rq{envoy_response_code="503"} 0\n' +
        '# TYPE foo_rq_xx counter\nfoo_rq_xx{envoy_response_code_class="2"} 0\n' +
        "# TYPE x_foo_rq_200_y counter\nx_foo_rq_200_y{} 0\n",
    );
  });

  it("takes the namespace of a name that begins as a local rate limit's for its prefix", () => {
    expect(prometheusPage(own("http_local_rate_limit.x"))).toContain(
      'envoy_http_local_rate_limit_x{envoy_local_http_ratelimit_prefix="wasmcustom"} 0\n',
    );
  });

  it("shows a histogram's buckets, its approximate sum and its count", () => {
    const lines = prometheusPage([histogram("wasmcustom.h", 100n)]).split("\n");

    expect(lines).toHaveLength(1 + 20 + 2 + 1);
    expect(lines[7]).toBe('h_bucket{le="100"} 1');
    expect(lines[6]).toBe('h_bucket{le="50"} 0');
    expect(lines.slice(20, 23)).toEqual([
      'h_bucket{le="+Inf"} 1',
      "h_sum{} 104.76190476190475919793243519962",
      "h_count{} 1",
    ]);
  });
});
