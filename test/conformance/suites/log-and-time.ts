/** Log levels, standard output, clocks, random bytes and timers. */
import type { ProbeCase, ProbeSuite } from "../probe.ts";

const direct = { directResponse: { status: 200, body: "ok" } } as const;

function ops(
  id: string,
  what: string,
  shows: readonly number[],
  operations: string,
  waitMs = 0,
): ProbeCase {
  const script = `request_headers: ${operations}`;
  return {
    id,
    what,
    shows,
    run: async (host) => {
      await host.ask({ listener: "a", script });
      if (waitMs > 0) await host.wait(waitMs);
    },
  };
}

/** Ticks of the worker's root, counted through all cases. */
const ticks = [
  "tick#1: tick 0",
  "tick#2: log 2 goes on with the same period",
  "tick#3: tick 25",
  "tick#4: tick 0; tick 25",
  "tick#5: tick 25; tick 0",
  "tick#6: now; clock 1; tick 0",
  "tick#7: tick 0",
  "tick#8: tick 4294967295",
].join(" | ");

export const suite: ProbeSuite = {
  name: "log-and-time",
  what: "Lines of log, clocks, random bytes, timers.",
  plugins: [
    { name: "A", configuration: ticks },
    {
      name: "K",
      vmId: "k",
      configuration: "configure: tick 20 | tick#1: log 2 once on each thread; tick 0",
    },
    { name: "E", vmId: "e", environment: { FIRST: "1", SECOND: "" } },
  ],
  listeners: [
    { name: "a", plugins: ["A"], ...direct },
    { name: "k", plugins: ["K"], ...direct },
    { name: "e", plugins: ["E"], ...direct },
  ],
  cases: [
    {
      id: "everywhere",
      what: "A timer that configuration sets ticks on each thread, and not in the canary.",
      shows: [3, 32],
      run: (host) => host.wait(100),
    },
    ops(
      "levels",
      "Six levels; what the logger drops is Ok all the same.",
      [44],
      "log 0 trace; log 1 debug; log 2 info; log 3 warn; log 4 error; log 5 critical",
    ),
    ops(
      "no-levels",
      "There is no seventh level.",
      [44],
      "log 6 x; log 7 x; log -1 x; log 4294967295 x",
    ),
    ops("log-nothing", "An empty line is a line.", [], "log 2"),
    ops(
      "log-bytes",
      "Any bytes, and a line end at the end stays.",
      [],
      "log 2 %01%7f%c3%a9%ff; log 2 a%0ab; log 2 end%0a; log 2 x*200",
    ),
    ops("level", "The logger's level, debug here.", [44], "level"),
    ops(
      "standard-output",
      "Descriptors 1 and 2.",
      [38],
      "fdwrite 1 out; fdwrite 2 error; fdwrite 0 in; fdwrite 3 file; fdwrite 1 line%0a; fdwrite 1 ~; fdwrite 1 %0a",
    ),
    ops(
      "clocks",
      "Two clocks, and the wall clock's own call.",
      [],
      "now; clock 0; clock 1; clock 2; clock 3",
    ),
    ops(
      "random",
      "Random bytes, up to 65536.",
      [],
      "random 0; random 16; random 65536; random 65537",
    ),
    ops("exit", "proc_exit returns.", [37], "exit 0; exit 1; log 2 still here"),
    {
      id: "environment",
      what: "The VM's variables and no arguments.",
      run: async (host) => {
        await host.ask({ listener: "e", script: "request_headers: environ; args" });
        await host.ask({ listener: "a", script: "request_headers: environ; args" });
      },
    },
    ops(
      "first-tick",
      "A stream sets its root's timer; the first tick comes a period later.",
      [32],
      "tick 25",
      120,
    ),
    ops(
      "period-goes-on",
      "The timer is armed again, until a tick sets another period.",
      [32],
      "tick 30",
      300,
    ),
    ops("stopped-at-once", "0 stops what was set.", [32], "tick 25; tick 0", 90),
    ops(
      "set-again",
      "A timer set again has begun anew: one tick.",
      [32],
      "tick 5; tick 20; tick 25",
      120,
    ),
    ops("huge", "A period of 49 days is one.", [], "tick 4294967295", 60),
    ops("after-huge", "And a smaller one takes its place.", [32], "tick 25", 120),
    ops("huge-in-tick", "Set in a tick it stops the ticking.", [32], "tick 20", 120),
    ops("always-ok", "Any number is Ok.", [], "tick -1; tick 0"),
  ],
};
