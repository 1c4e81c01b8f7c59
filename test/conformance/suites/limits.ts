/** Limits: how much a stopped filter may hold, how many headers a request may have. */
import type { ProbeCase, ProbeSuite } from "../probe.ts";
import { callTo, onAnswer as then, waitingClusters } from "../waiting-calls.ts";

/** The listener's limit, and frames that pass it at the third. */
const limitBytes = 1000;
const frames = ["a".repeat(400), "b".repeat(400), "c".repeat(400), "d".repeat(400)];

const requests: readonly ProbeCase[] = [
  {
    id: "request-buffered-beyond",
    what: "A request body buffered beyond the limit is a 413 through the response callbacks.",
    run: async (host) => {
      await host.ask({
        frames,
        script: "request_body: return 1 | response_headers: pairs 2 | response_body: get 1 0 99",
      });
    },
  },
  {
    id: "request-up-to-the-limit",
    what: "Exactly the limit is not too much.",
    run: async (host) => {
      await host.ask({
        frames: ["a".repeat(600), "b".repeat(400)],
        script: "request_body: return 1 | request_body#3: return 0",
      });
    },
  },
  {
    id: "request-held-at-headers",
    what: "Headers stopped with 3: the body may not pass the limit either.",
    run: async (host) => {
      await host.ask({ frames, script: "request_headers: return 3" });
    },
  },
  {
    id: "request-pressure-at-headers",
    what: "Headers stopped with 4: the client is not read any more, and everything comes when it goes on.",
    run: async (host) => {
      await host.ask({
        frames,
        gapMs: 10,
        script: `request_headers: ${callTo("late")}; return 4 | ${then("continue 0")} | request_body: return 0`,
      });
    },
  },
  {
    id: "request-pressure-in-the-body",
    what: "Body callbacks that answer 2 are stopped by the limit, and go on when the body does.",
    run: async (host) => {
      await host.ask({
        frames,
        gapMs: 10,
        script: `request_headers: ${callTo("late")} | request_body: return 2 | ${then("continue 0")} | request_body#4: return 0 | request_body#5: return 0`,
      });
    },
  },
  {
    id: "request-made-longer",
    what: "A plugin that makes the held body longer than the limit.",
    run: async (host) => {
      await host.ask({
        frames: ["a", "b"],
        script:
          "request_body#1: return 1 | request_body#2: set 0 9 0 x*2000; bufstatus 0; return 1",
      });
      await host.ask({ frames: ["a"], script: "request_body#1: set 0 9 0 x*2000; bufstatus 0" });
    },
  },
];

const answers: readonly ProbeCase[] = [
  {
    id: "answer-held-beyond",
    what: "An answer whose headers are held with 3 and whose body passes the limit is a 500, past the filters.",
    run: async (host) => {
      await host.ask({ upstream: { frames }, script: "response_headers: return 3 | log: pairs 2" });
    },
  },
  {
    id: "answer-buffered-beyond",
    what: "An answer buffered beyond the limit when its headers have gone out resets the stream.",
    run: async (host) => {
      await host.ask({ upstream: { frames }, script: "response_body: return 1" });
    },
  },
  {
    id: "answer-pressure",
    what: "An answer's headers held with 4: the upstream waits, the client gets everything in the end.",
    run: async (host) => {
      await host.ask({
        upstream: { frames, gapMs: 10 },
        script: `response_headers: ${callTo("late")}; return 4 | ${then("continue 1")}`,
      });
    },
  },
];

function numbered(count: number): [string, string][] {
  return Array.from({ length: count }, (_, index) => [`x-${String(index)}`, "v"]);
}

const headers: readonly ProbeCase[] = [
  {
    id: "header-count",
    what: "A hundred headers pass, host and all; one more is a 431 of which plugins see the log alone.",
    run: async (host) => {
      await host.ask({ headers: numbered(99) });
      await host.ask({ headers: numbered(100), script: "log: pairs 0; pairs 2" });
    },
  },
  {
    id: "header-size",
    what: "A head of 60 KiB passes, request line, host and line ends and all; a byte more is a 431.",
    run: async (host) => {
      const rest = "GET / HTTP/1.1##host: probe.example##x-big: ####".length;
      await host.ask({ headers: [["x-big", "b".repeat(60 * 1024 - rest)]] });
      await host.ask({ headers: [["x-big", "b".repeat(60 * 1024 - rest + 1)]] });
    },
  },
  {
    id: "raised-limits",
    what: "Ten thousand headers pass where the limits are raised.",
    run: async (host) => {
      await host.ask({
        listener: "raised",
        headers: numbered(10_000),
        script: "request_headers: value 0 x-9999; size 0",
      });
    },
  },
];

export const suite: ProbeSuite = {
  name: "limits",
  what: "Limits of held bodies, back pressure, and limits of request headers.",
  plugins: [{ name: "A" }],
  listeners: [
    { name: "main", plugins: ["A"], bufferLimitBytes: limitBytes },
    { name: "raised", plugins: ["A"], maxRequestHeaderCount: 20_000, maxRequestHeadersKb: 8192 },
  ],
  clusters: waitingClusters,
  cases: [...requests, ...answers, ...headers],
};
