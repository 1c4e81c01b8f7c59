/** The least that a request shows: an example of a suite. */
import type { ProbeSuite } from "../probe.ts";

export const suite: ProbeSuite = {
  name: "requests",
  what: "Plain requests through one plugin.",
  plugins: [{ name: "A" }],
  cases: [
    {
      id: "get",
      what: "A GET, answered with a body of unknown length.",
      shows: [1, 46],
      run: async (host) => {
        await host.ask({ script: "request_headers: value 0 host; value 0 :path; size 2" });
      },
    },
    {
      id: "post-in-frames",
      what: "A chunked body in two frames ends in an empty one.",
      shows: [46],
      run: async (host) => {
        await host.ask({ frames: ["aaa", "bbbb"], script: "request_body: get 0 0 100" });
      },
    },
    {
      id: "odd-answers",
      what: "Headers answered with 2 go on, and the stream is not ended.",
      shows: [8],
      run: async (host) => {
        await host.ask({ frames: ["aaa"], script: "request_headers: return 2" });
        await host.ask({ script: "request_headers: return 2 | response_headers: return 2" });
      },
    },
    {
      id: "reply-of-its-own",
      what: "A local reply passes the plugin's own response callbacks, and no upstream sees the request.",
      shows: [20],
      run: async (host) => {
        await host.ask({
          script:
            "request_headers: reply 403 no x-why=because; return 0 | response_headers: pairs 2",
        });
      },
    },
  ],
};
