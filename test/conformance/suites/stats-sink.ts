/** A stats sink: what is told at each flush, and in which form. */
import type { ProbeSuite } from "../probe.ts";

const define =
  "mdef 0 sink.counted; mdef 0 sink.never; mdef 1 sink.gauge; mdef 1 sink.unset; mdef 1 sink.zero; mdef 2 sink.histogram";
const first = "minc 4 3; mrec 5 7; mrec 13 0; mrec 6 9; mdef 0 sink.odd1; minc $last 1";

export const suite: ProbeSuite = {
  name: "stats-sink",
  what: "A plugin as stats sink, on the main thread.",
  flushSeconds: 1,
  plugins: [
    {
      name: "sink",
      kind: "stats_sink",
      vmId: "sink",
      guest: {
        entry: "test/guests/probe-stats/plugin.guest.ts",
        config: false,
        args: [
          "-O3",
          "--runtime",
          "incremental",
          "--exportStart",
          "_initialize",
          "--use",
          "abort=",
        ],
      },
    },
    {
      name: "trapper",
      kind: "stats_sink",
      vmId: "trapper",
      configuration: "stats#3: get 8 4 4; get 8 0 0; set 8 0 0 x; bufstatus 3; get 8 4 4; trap",
    },
    { name: "A", vmId: "a", configuration: `configure: ${define}` },
  ],
  cases: [
    {
      id: "first-flush",
      what: "The first flush comes after an interval; metrics that were only defined are not in it.",
      run: async (host) => {
        await host.untilLogged("stats(");
      },
    },
    {
      id: "counters-and-gauges",
      what: "Counters come with what was added since the last flush, gauges with their value, histograms never.",
      run: async (host) => {
        await host.ask({ script: `request_headers: ${first}` });
        await host.untilLogged("stats(");
      },
    },
    {
      id: "a-sink-traps",
      what: "A sink that traps is told no more; the other one goes on. What has not changed has no delta.",
      shows: [40],
      run: async (host) => {
        await host.untilLogged("stats(", 2);
      },
    },
    {
      id: "next-delta",
      what: "The next flush has the next delta.",
      run: async (host) => {
        await host.ask({ script: "request_headers: minc 4 2; minc 5 -8; mrec 4 1" });
        await host.untilLogged("stats(");
      },
    },
    {
      id: "shutdown",
      what: "The end of the process flushes once more.",
      run: async (host) => {
        await host.shutdown();
      },
    },
  ],
};
