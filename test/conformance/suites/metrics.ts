/** Metrics call by call. Ids go on from case to case: A's counters are 4 a, 8 b, 12 (no name), 16 a again, 20 a again. */
import type { ProbeCase, ProbeSuite } from "../probe.ts";

function ops(
  id: string,
  what: string,
  shows: readonly number[],
  operations: string,
  listener = "a",
): ProbeCase {
  const script = `request_headers: ${operations}`;
  return { id, what, shows, run: async (host) => void (await host.ask({ listener, script })) };
}

const direct = { directResponse: { status: 200, body: "ok" } } as const;

export const suite: ProbeSuite = {
  name: "metrics",
  what: "Metrics: ids, statuses, values, and who shares them.",
  plugins: [
    { name: "A" },
    { name: "B", vmId: "b" },
    { name: "C", configuration: "configure: mdef 0 c" },
    { name: "D", vmId: "d", configuration: "configure: mdef 0 started; minc 4 1; mget 4" },
    {
      name: "R",
      vmId: "r",
      failurePolicy: "FAIL_RELOAD",
      configuration: "configure: mdef 0 loads; minc 4 1; mget 4",
    },
  ],
  listeners: [
    { name: "a", plugins: ["A"], ...direct },
    { name: "b", plugins: ["B"], ...direct },
    { name: "c", plugins: ["C"], ...direct },
    { name: "d", plugins: ["D"], ...direct },
    { name: "r", plugins: ["R"], ...direct },
  ],
  cases: [
    ops(
      "ids",
      "Counters are 4, 8 …, gauges 5, 9 …, histograms 6, 10 …; there is no type 3.",
      [26],
      "mdef 0 a; mdef 0 b; mdef 1 a; mdef 1 b; mdef 2 a; mdef 2 b; mdef 0 ~; mdef 3 a; mdef 4294967295 a",
    ),
    ops(
      "defined-again",
      "A name defined again has a new id and the same value.",
      [30],
      "mdef 0 a; minc 4 2; minc 16 3; mget 4; mget 16",
    ),
    ops(
      "dots-at-the-end",
      "Dots at the end are no part of a name.",
      [],
      "mdef 0 a.; mget 20; minc 20 1; mget 4; minc 12 7; mdef 0 .; mget 24; mdef 0 .a; mget 28",
    ),
    ops(
      "counter-increment",
      "A counter grows by what is above zero.",
      [31],
      "minc 8 1; minc 8 0; minc 8 -1; mget 8; minc 8 -9223372036854775808; minc 8 9223372036854775807; mget 8",
    ),
    ops(
      "counter-record",
      "A record on a counter adds.",
      [31],
      "mrec 8 7; mget 8; mrec 8 0; mget 8; mrec 8 -1; mget 8",
    ),
    ops(
      "gauge",
      "A gauge is set, goes up and down, and below zero it wraps.",
      [],
      "mrec 5 42; mget 5; minc 5 -100; mget 5; minc 5 0; minc 5 100; mget 5; mrec 5 -1; minc 5 1; mget 5",
    ),
    ops(
      "gauge-extremes",
      "The smallest offset, twice.",
      [],
      "mrec 5 0; minc 5 -9223372036854775808; mget 5; minc 5 -9223372036854775808; mget 5",
    ),
    ops(
      "histogram",
      "A histogram has neither increment nor value.",
      [31],
      "mrec 6 5; mrec 6 0; mrec 6 -1; minc 6 1; minc 6 0; mget 6",
    ),
    ops(
      "types-apart",
      "A counter and a gauge of one name are two.",
      [],
      "mrec 9 77; mget 9; mget 8; minc 9 1; mget 8",
    ),
    ops(
      "unknown-ids",
      "Ids that were never given, of each type.",
      [31],
      "minc 400 1; mrec 400 1; mget 400; minc 401 1; mrec 401 1; mget 401; minc 402 1; mrec 402 1; mget 402; minc 403 1; mrec 403 1; mget 403",
    ),
    ops(
      "unknown-ids-and-zero",
      "What is looked at first: the id or the offset.",
      [31],
      "minc 400 0; minc 400 -1; minc 401 0; minc 402 0; minc 403 0; minc 0 1; minc 1 1; minc 2 1; minc 3 1; mrec 0 1; mget 0; mget 4294967295; mget 4294967292",
    ),
    ops(
      "name-outside",
      "A name where no memory is, and one of another type.",
      [],
      "mdef 0 ^outside; mdef 3 ^outside; mdef 0 ^null; mget 32",
    ),
    ops(
      "other-vm",
      "Another VM counts its own ids from 4, and adds to the same values.",
      [26, 30],
      "mdef 0 a; mget 4; minc 4 100; mget 4",
      "b",
    ),
    ops("other-vm-is-seen", "What another VM added is there.", [30], "mget 4; mget 16"),
    ops(
      "other-plugin-of-the-vm",
      "Two plugins of one VM share its ids.",
      [26],
      "mget 4; mdef 0 c; mdef 0 c; minc 4 1; mget 4",
      "c",
    ),
    ops(
      "canary-counts",
      "The canary has counted too: one more than there are VMs.",
      [3, 30],
      "mget 4; mdef 0 started; mget 8",
      "d",
    ),
    {
      id: "reconfigured",
      what: "A new configuration counts again, in a canary and on each thread.",
      shows: [3],
      run: async (host) => {
        await host.reconfigure("D", "configure: mdef 0 started; minc 4 10; mget 4");
        await host.untilLogged("mget 4 = 0", 3);
        await host.ask({ listener: "d", script: "request_headers: mget 4" });
      },
    },
    {
      id: "reloaded",
      what: "A counter goes on after its VM failed, and the ids begin anew.",
      shows: [30],
      run: async (host) => {
        await host.ask({ listener: "r", script: "request_headers: mdef 0 loads; mget 4; trap" });
        await host.wait(1700);
        await host.ask({ listener: "r", script: "request_headers: mget 4; mdef 0 loads; mget 8" });
      },
    },
  ],
};
