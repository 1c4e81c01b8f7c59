/** Trailers: that come, that are made, that are held. */
import type { ProbeSuite } from "../probe.ts";
import { callTo, onAnswer as then, waitingClusters } from "../waiting-calls.ts";

const trailers = [
  ["X-Sum", "1"],
  ["x-two", "2"],
] as const;

export const suite: ProbeSuite = {
  name: "trailers",
  what: "Trailers of requests and answers.",
  plugins: [{ name: "A" }, { name: "B" }],
  clusters: waitingClusters,
  cases: [
    {
      id: "both-ways",
      what: "Trailers come after the body, both ways; the last body callback does not say end.",
      run: async (host) => {
        await host.ask({
          frames: ["abc"],
          trailers,
          upstream: { frames: ["de"], trailers: [["x-end", "3"]] },
          script: {
            A: "request_trailers: pairs 1; value 1 X-SUM; size 1; value 0 :path | response_trailers: pairs 3; size 3; value 2 :status | log: pairs 1; pairs 3",
          },
        });
      },
    },
    {
      id: "edited",
      what: "Trailers edited by the first filter are what the second and the upstream see.",
      run: async (host) => {
        await host.ask({
          frames: ["abc"],
          trailers,
          script: {
            A: "request_trailers: add 1 x-sum 9; remove 1 x-two; replace 1 x-new 5",
            B: "request_trailers: pairs 1",
          },
        });
        await host.ask({
          frames: ["abc"],
          trailers,
          script: { A: "request_trailers: setpairs 1 -" },
        });
      },
    },
    {
      id: "held",
      what: "Trailers held with 1 and resumed, the map as it was left; 2 holds as well.",
      run: async (host) => {
        await host.ask({
          frames: ["abc"],
          trailers,
          script: {
            A: `request_trailers: ${callTo("soon")}; return 1 | ${then("pairs 1; add 1 x-late 1; continue 0; pairs 1")}`,
          },
        });
        await host.ask({
          frames: ["abc"],
          trailers,
          script: { A: `request_trailers: ${callTo("soon")}; return 2 | ${then("continue 0")}` },
        });
      },
    },
    {
      id: "with-a-held-body",
      what: "on_request_trailers comes while the body is held with 1, which can be edited there; Continue lets all go.",
      run: async (host) => {
        await host.ask({
          frames: ["abc", "de"],
          trailers,
          script: {
            A: "request_body: return 1 | request_trailers: get 0 0 9; set 0 0 1 X; return 0",
          },
        });
        await host.ask({
          frames: ["abc", "de"],
          trailers,
          script: {
            A: `request_body: return 1 | request_trailers: ${callTo("soon")}; return 1 | ${then("get 0 0 9; continue 0")}`,
          },
        });
      },
    },
    {
      id: "with-held-headers",
      what: "Headers held to the end: body and trailers come after they are resumed.",
      run: async (host) => {
        await host.ask({
          frames: ["abc"],
          trailers,
          script: { A: `request_headers: ${callTo("late")}; return 1 | ${then("continue 0")}` },
        });
      },
    },
    {
      id: "with-held-headers-and-body",
      what: "Headers held to the end, then the body with 1: its trailers callback comes at once and lets all go.",
      run: async (host) => {
        await host.ask({
          frames: ["abc"],
          trailers,
          script: {
            A: `request_headers: ${callTo("late")}; return 1 | ${then("continue 0")} | request_body#1: get 0 0 9; return 1 | request_body#2: get 0 0 9; return 0`,
          },
        });
      },
    },
    {
      id: "without-a-body",
      what: "Trailers of a request without a body frame.",
      run: async (host) => {
        await host.ask({ frames: [], trailers });
      },
    },
    {
      id: "made-by-add",
      what: "add in the last body callback makes trailers: the maker's own trailers callback does not come, the next one's does.",
      run: async (host) => {
        await host.ask({
          frames: ["abc"],
          script: {
            A: "request_body#1: add 1 x-early 1; value 1 x | request_body#2: value 1 x; pairs 1; add 1 x-made 1; value 1 x-made",
            B: "request_trailers: pairs 1",
          },
        });
      },
    },
    {
      id: "made-by-size",
      what: "Asking for their size makes trailers, empty ones.",
      shows: [47],
      run: async (host) => {
        await host.ask({ frames: ["abc"], script: { A: "request_body#2: size 1" } });
        await host.ask({ frames: ["abc"], script: { A: "request_body#2: remove 1 x" } });
        await host.ask({ script: { A: "response_body#2: size 3" } });
      },
    },
    {
      id: "made-and-held",
      what: "A filter makes trailers and holds the body with 1; resumed, all goes on.",
      run: async (host) => {
        await host.ask({
          frames: ["abc"],
          script: {
            A: `request_body#2: add 1 x-made 1; ${callTo("soon")}; return 1 | ${then("continue 0")}`,
          },
        });
      },
    },
    {
      id: "made-by-the-first-held-by-the-second",
      what: "The first makes trailers while the second holds the body.",
      run: async (host) => {
        await host.ask({
          frames: ["abc"],
          script: {
            A: "request_body#2: add 1 x-made 1",
            B: "request_body: return 1 | request_trailers: get 0 0 9; pairs 1",
          },
        });
      },
    },
    {
      id: "answer-made",
      what: "Trailers made in the last body callback of an answer.",
      run: async (host) => {
        await host.ask({
          upstream: { frames: ["abc"] },
          script: {
            B: "response_body#1: add 3 x-early 1 | response_body#2: add 3 x-made 1; pairs 3",
            A: "response_trailers: pairs 3",
          },
        });
      },
    },
    {
      id: "answer-held",
      what: "Trailers of an answer held and resumed; a body held with 1 before them.",
      run: async (host) => {
        const upstream = { frames: ["abc"], trailers: [["x-end", "1"]] as const };
        await host.ask({
          upstream,
          script: {
            A: `response_trailers: ${callTo("soon")}; return 1 | ${then("pairs 3; add 3 x-late 2; continue 1")}`,
          },
        });
        await host.ask({
          upstream,
          script: { A: "response_body: return 1 | response_trailers: get 1 0 9; set 1 0 9 new" },
        });
      },
    },
  ],
};
