/** Requests over HTTP/2. */
import type { ProbeSuite } from "../probe.ts";
import { callTo, onAnswer as then, waitingClusters } from "../waiting-calls.ts";

const limitBytes = 1000;
const protocol = "http2";

export const suite: ProbeSuite = {
  name: "http2",
  what: "What HTTP/2 does otherwise: last frames, resets, headers of connections.",
  plugins: [{ name: "A" }],
  listeners: [
    { name: "main", plugins: ["A"] },
    { name: "small", plugins: ["A"], bufferLimitBytes: limitBytes },
  ],
  clusters: waitingClusters,
  cases: [
    {
      id: "get",
      what: "A GET: the headers that plugins and the upstream see.",
      run: async (host) => {
        await host.ask({
          protocol,
          script:
            "request_headers: pairs 0; prop request,protocol | response_headers: pairs 2 | log: pairs 2",
        });
      },
    },
    {
      id: "frames",
      what: "The last frame of a body carries the end.",
      shows: [46],
      run: async (host) => {
        await host.ask({ protocol, frames: ["abc", "de"] });
        await host.ask({ protocol, frames: ["abc"], contentLength: 3 });
        await host.ask({ protocol, frames: [] });
      },
    },
    {
      id: "buffered",
      what: "A body buffered to its end.",
      run: async (host) => {
        await host.ask({
          protocol,
          frames: ["abc", "de"],
          script: "request_body#1: return 1 | request_body#2: get 0 0 9; set 0 0 9 new; return 0",
        });
      },
    },
    {
      id: "trailers",
      what: "Trailers both ways.",
      run: async (host) => {
        await host.ask({
          protocol,
          frames: ["abc"],
          trailers: [["x-t", "1"]],
          upstream: { frames: ["de"], trailers: [["x-end", "2"]] },
        });
      },
    },
    {
      id: "paused",
      what: "Paused at the headers with a body: it comes in one callback with the end.",
      run: async (host) => {
        await host.ask({
          protocol,
          frames: ["abc", "de"],
          script: `request_headers: ${callTo("late")}; return 1 | ${then("continue 0")}`,
        });
      },
    },
    {
      id: "reply",
      what: "A local reply to a request whose body is still to come.",
      run: async (host) => {
        await host.ask({
          protocol,
          frames: ["abc", "de"],
          script: "request_headers: reply 403 no",
        });
        await host.ask({ protocol, script: "request_headers: reply 204 ~" });
      },
    },
    {
      id: "resets",
      what: "close_stream, an upstream that breaks off, a late local reply: the stream is reset.",
      run: async (host) => {
        await host.ask({ protocol, script: "request_headers: close 0; return 1" });
        await host.ask({ protocol, upstream: { frames: ["abc", "d"], breakAfter: 1 } });
        await host.ask({ protocol, script: "response_body: reply 418 tea" });
      },
    },
    {
      id: "client-leaves",
      what: "The client goes away.",
      run: async (host) => {
        const exchange = host.request({ protocol, upstream: { delayMs: 2000 } });
        await host.wait(60);
        await exchange.abandon();
      },
    },
    {
      id: "limit",
      what: "A stream's window of 16 MiB limits what is held, not the listener's buffer limit.",
      run: async (host) => {
        await host.ask({
          listener: "small",
          protocol,
          frames: ["a".repeat(limitBytes), "b".repeat(limitBytes)],
          script: "request_body: return 1 | request_body#2: return 0",
        });
        await host.ask({
          listener: "small",
          protocol,
          frames: Array.from({ length: 17 }, () => "a".repeat(1024 * 1024)),
          gapMs: 1,
          script: "request_headers: return 3",
        });
      },
    },
    {
      id: "header-count",
      what: "A hundred headers, pseudo-headers and all, pass; one more resets the stream, of which no plugin hears.",
      run: async (host) => {
        for (const count of [96, 97]) {
          const headers = Array.from(
            { length: count },
            (_, index) => [`x-${String(index)}`, "v"] as const,
          );
          await host.ask({ protocol, headers });
        }
      },
    },
  ],
};
