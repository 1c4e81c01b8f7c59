/** The statistics pages: names, order, what is left out, and histograms. */
import type { ProbeCase, ProbeSuite } from "../probe.ts";

const direct = { directResponse: { status: 200, body: "ok" } } as const;
const text = "text";
const prometheus = "prometheus";

/** Operations on a stream of P, then both pages of the names that match. */
function pages(
  id: string,
  what: string,
  operations: string,
  filters: { readonly text: RegExp; readonly prometheus: RegExp },
): ProbeCase {
  return {
    id,
    what,
    run: async (host) => {
      await host.ask({ listener: "p", script: `request_headers: ${operations}` });
      await host.stats(filters.text, text);
      await host.stats(filters.prometheus, prometheus);
    },
  };
}

/** Samples that spread over many bins: 1, 2, 5, 10, 17 … */
function samples(id: number, count: number): string {
  return Array.from({ length: count }, (_, at) => `mrec ${id} ${at * at + 1}`).join("; ");
}

export const suite: ProbeSuite = {
  name: "stats-pages",
  what: "What /stats and /stats/prometheus show of plugins and VMs.",
  plugins: [
    { name: "P" },
    { name: "dotted.name", vmId: "other" },
    { name: "R", vmId: "r", failurePolicy: "FAIL_RELOAD" },
    { name: "L", vmId: "leaving" },
  ],
  listeners: [
    { name: "p", plugins: ["P"], ...direct },
    { name: "other", plugins: ["dotted.name"], ...direct },
    { name: "r", plugins: ["R"], ...direct },
    { name: "l", plugins: ["L"], ...direct },
  ],
  cases: [
    {
      id: "vms",
      what: "VMs made and there, and the reloads of each plugin.",
      run: async (host) => {
        await host.stats(/^wasm\./, text);
        await host.stats(/^envoy_wasm_/, prometheus);
      },
    },
    pages(
      "order",
      "Text is ordered by bytes, Prometheus part by part between the dots.",
      "mdef 0 o_a; mdef 0 o_a-b; mdef 0 o_a.b; mdef 0 o_a!b; mdef 0 o_a..b; mdef 0 o_B; mdef 0 o_a10; mdef 0 o_a9; mdef 0 o_a_b; mdef 1 o_a.g; mdef 1 o_%c3%a9",
      { text: /^wasmcustom\.o_/, prometheus: /^o_/ },
    ),
    pages(
      "one-name-two-types",
      "The gauge of a name hides the counter on one page and not on the other.",
      "mdef 0 both; minc 48 5; mdef 1 both; mrec 13 9",
      { text: /^wasmcustom\.both/, prometheus: /^both/ },
    ),
    pages(
      "tags",
      "A response code at a name's end becomes a tag.",
      "mdef 0 t_rq_503; mdef 0 t_rq; mdef 0 t_rq_200; minc 60 3; mdef 0 t_rq_2xx; mdef 0 t_rq_xx; mdef 0 t.s_rq_200.u; mdef 1 tg_rq_404; mdef 0 t_rq_20; mdef 0 t_rq_2000; mdef 2 th_rq_200",
      { text: /^wasmcustom\.t/, prometheus: /^t/ },
    ),
    pages(
      "names-that-are-none",
      "Names that begin with a digit are left out, an empty one has a prefix.",
      "mdef 0 0num; mdef 0 .0num; mdef 0 ~; mdef 0 .; mdef 0 _0num",
      { text: /^wasmcustom($|\.\.?[_0])/, prometheus: /0num|^envoy_wasmcustom/ },
    ),
    pages(
      "separators",
      "What telemetry of meshes puts between names and values stays on the plain page.",
      "mdef 0 s_%3b.%3bkey=.=value",
      { text: /^wasmcustom\.s_/, prometheus: /^s_/ },
    ),
    pages(
      "rate-limit",
      "A name that begins as a local rate limit's is taken for one.",
      "mdef 0 http_local_rate_limit.x",
      { text: /http_local/, prometheus: /http_local/ },
    ),
    pages(
      "large-values",
      "Values are unsigned.",
      "mdef 1 l_max; mrec 21 -1; mdef 0 l_max; mrec 112 -1",
      {
        text: /^wasmcustom\.l_/,
        prometheus: /^l_/,
      },
    ),
    pages(
      "histogram-without-samples",
      "A histogram without samples, of the same name as a counter.",
      "mdef 2 h_none; mdef 0 h_none",
      { text: /^wasmcustom\.h_none/, prometheus: /^h_none/ },
    ),
    {
      id: "histograms",
      what: "After two flushes: the samples' bins, and no sample in the last interval.",
      run: async (host) => {
        const define = "mdef 2 h_one; mdef 2 h_zero; mdef 2 h_many; mdef 2 h_large; mdef 2 h_two";
        const record = "mrec 14 100; mrec 18 0; mrec 18 3; mrec 26 -1; mrec 26 9223372036854775807";
        const operations = `${define}; ${record}; ${samples(22, 60)}; mrec 30 99; mrec 30 1000`;
        await host.ask({ listener: "p", script: `request_headers: ${operations}` });
        await host.wait(10_600);
        await host.stats(/^wasmcustom\.h_/, text);
        await host.stats(/^h_/, prometheus);
      },
    },
    {
      id: "reloads",
      what: "A trap, a request too early, and a reload.",
      run: async (host) => {
        await host.ask({ listener: "r", script: "request_headers: trap" });
        await host.wait(1600);
        await host.ask({ listener: "r" });
        await host.ask({ listener: "r", script: "request_headers: trap" });
        await host.ask({ listener: "r" });
        await host.ask({ listener: "r" });
        await host.stats(/^wasm\.R\./, text);
        await host.stats(/^wasm\.(envoy|wasm_vm)/, text);
      },
    },
    {
      id: "removed",
      what: "The VMs of a plugin that is gone are not there any more.",
      run: async (host) => {
        await host.remove("l");
        await host.stats(/^wasm\.(envoy|wasm_vm|L\.)/, text);
      },
    },
  ],
};
