/** Who is told of an HTTP call, when, and in which order. */
import type { ProbeAnswer, ProbeCluster, ProbeSuite } from "../probe.ts";

function http(name: string, ...answers: readonly ProbeAnswer[]): ProbeCluster {
  return { name, protocol: "http", answers };
}

const call = (cluster: string, timeout = 1000): string =>
  `call ${cluster} :method=GET,:path=/,:authority=up.example ~ - ${String(timeout)}`;

export const suite: ProbeSuite = {
  name: "http-call-order",
  what: "HTTP calls of roots and streams: where answers arrive, in which order, and what becomes of those nobody waits for.",
  plugins: [
    { name: "A" },
    {
      name: "B",
      vmId: "b",
      configuration: `configure: ${call("configured")}; return 1 | http_call_response: value 6 :status; get 4 0 10; getstatus`,
    },
    {
      name: "D",
      vmId: "d",
      configuration: `start: ${call("after-20")}; return 1 | configure: tick 200 | tick#1: tick 0; ${call("ok")}; ${call("empty")}; getstatus`,
    },
    { name: "C", vmId: "c", configuration: `done: ${call("farewell")}` },
  ],
  listeners: [
    { name: "main", plugins: ["A"] },
    { name: "roots", plugins: ["B", "D"] },
    { name: "leaving", plugins: ["C"] },
  ],
  clusters: [
    http("ok", { frames: ["hello"] }),
    http("configured", { frames: ["set"] }),
    http("farewell", { frames: ["bye"] }),
    http("after-20", { frames: ["20"], delayMs: 20 }),
    http("after-80", { frames: ["80"], delayMs: 80 }),
    http("after-140", { frames: ["140"], delayMs: 140 }),
    { name: "empty", protocol: "empty" },
  ],
  cases: [
    {
      id: "from-start",
      what: "Calls of configure and start reach their receivers once for each VM that stays; those of ticks too.",
      shows: [3, 26],
      run: async (host) => {
        await host.untilLogged("tick(", 2);
        await host.untilLogged("http_call_response(", 2);
        await host.called("configured");
        await host.called("after-20");
        await host.called("ok");
      },
    },
    {
      id: "three-at-once",
      what: "Three calls at once: answers come as the receivers give them, and the root is told of each.",
      shows: [5, 26],
      run: async (host) => {
        await host.ask({
          script: `request_headers: ${call("after-140")}; ${call("after-20")}; ${call("after-80")}; return 1 | http_call_response: get 4 0 10 | http_call_response#3: get 4 0 10; effective $stream; continue 0`,
        });
      },
    },
    {
      id: "call-in-answer",
      what: "A call made in the callback of an answer.",
      run: async (host) => {
        await host.ask({
          script: `request_headers: ${call("ok")}; return 1 | http_call_response#1: ${call("empty")}; ${call("ok")} | http_call_response#2: effective $stream; continue 0`,
        });
      },
    },
    {
      id: "stream-is-gone",
      what: "The stream has ended before the answer comes: its root is told, and the stream is no context any more.",
      shows: [5, 6],
      run: async (host) => {
        await host.ask({ script: `request_headers: ${call("after-80")}` });
        await host.untilLogged("http_call_response(");
      },
    },
    {
      id: "client-is-gone",
      what: "The client leaves while its request waits for a call: the answer comes all the same.",
      run: async (host) => {
        const exchange = host.request({ script: `request_headers: ${call("after-80")}; return 1` });
        await exchange.stillWaits(30);
        await exchange.abandon();
        await host.untilLogged("http_call_response(");
      },
    },
    {
      id: "without-effective",
      what: "Without an effective context, continue and a local reply in the answer's callback answer Ok and do nothing.",
      shows: [5],
      run: async (host) => {
        const exchange = host.request({
          script: `request_headers: ${call("ok")}; return 1 | http_call_response: continue 0; reply 403 no`,
        });
        await host.untilLogged("http_call_response(");
        await exchange.stillWaits(40);
        await exchange.abandon();
      },
    },
    {
      id: "reply-from-answer",
      what: "A local reply to the waiting request from the answer's callback.",
      shows: [5, 20],
      run: async (host) => {
        await host.ask({
          script: `request_headers: ${call("ok")}; return 1 | http_call_response: effective $stream; reply 403 no x-why=answer; effective 0; getstatus`,
        });
      },
    },
    {
      id: "request-changed-in-answer",
      what: "Headers of the waiting request are read and changed in the answer's callback.",
      shows: [6],
      run: async (host) => {
        await host.ask({
          path: "/before",
          script: `request_headers: ${call("ok")}; return 1 | http_call_response: value 0 :path; effective $stream; value 0 :path; replace 0 :path /after; add 0 x-a 1; continue 0; value 0 :path`,
        });
      },
    },
    {
      id: "from-body",
      what: "A call from the body's callback holds the body.",
      run: async (host) => {
        await host.ask({
          frames: ["abc"],
          script: `request_body#1: return 1 | request_body#2: ${call("ok")}; return 1 | http_call_response: effective $stream; get 0 0 10; continue 0`,
        });
      },
    },
    {
      id: "from-response",
      what: "A call from response_headers holds the response.",
      run: async (host) => {
        await host.ask({
          script: `response_headers: ${call("ok")}; return 1 | http_call_response: effective $stream; add 2 x-late 1; continue 1`,
        });
      },
    },
    {
      id: "from-log",
      what: "Calls from log and done of a stream: its root is told.",
      run: async (host) => {
        await host.ask({
          script: `log: ${call("after-140")} | done: ${call("after-80")} | delete: ${call("after-20")}`,
        });
        await host.untilLogged("http_call_response(", 3);
      },
    },
    {
      id: "from-done",
      what: "A call in done of the last user of a VM is accepted, and never leaves: no connection is open.",
      run: async (host) => {
        await host.remove("leaving");
        await host.called("farewell");
      },
    },
  ],
};
