/** Pausing and resuming in each phase, and continuing what nothing holds. */
import type { ProbeSuite } from "../probe.ts";
import { callTo, onAnswer as then, waitingClusters } from "../waiting-calls.ts";

export const suite: ProbeSuite = {
  name: "pause-resume",
  what: "Pauses, and what lets a stream go on.",
  plugins: [{ name: "A" }, { name: "B" }],
  clusters: waitingClusters,
  cases: [
    {
      id: "request-paused-and-resumed",
      what: "A request paused at its headers goes on when its call is answered; the maps are gone by then.",
      shows: [5, 16],
      run: async (host) => {
        const exchange = host.request({
          script: {
            A: `request_headers: ${callTo("late")}; return 1 | ${then("value 0 :path; add 0 x-a 1; continue 0; value 0 :path; pairs 0; add 0 x-b 1")}`,
          },
        });
        await exchange.stillWaits(60);
        await exchange.end();
      },
    },
    {
      id: "headers-answers-beyond",
      what: "Headers answered with 2 go on, with a body too; 9 pauses.",
      shows: [8],
      run: async (host) => {
        await host.ask({ frames: ["abc"], script: { A: "request_headers: return 2" } });
        await host.ask({ script: { B: "response_headers: return 2" } });
        await host.ask({
          frames: ["abc"],
          script: { A: `request_headers: ${callTo("late")}; return 9 | ${then("continue 0")}` },
        });
      },
    },
    {
      id: "without-the-effective-context",
      what: "Without the effective context continue answers Ok and does nothing.",
      shows: [5],
      run: async (host) => {
        const exchange = host.request({
          script: {
            A: `request_headers: ${callTo("soon")}; return 1 | http_call_response: continue 0`,
          },
        });
        await exchange.stillWaits(90);
        await exchange.abandon();
      },
    },
    {
      id: "continue-in-its-own-callback",
      what: "continue in on_request_headers that then continues: whether the next filter sees the headers twice.",
      run: async (host) => {
        await host.ask({ script: { A: "request_headers: continue 0; value 0 :path; return 0" } });
      },
    },
    {
      id: "continue-and-pause",
      what: "continue in a callback that then pauses: a GET passes, a body waits for ever.",
      run: async (host) => {
        await host.ask({ script: { A: "request_headers: continue 0; return 1" } });
        const posted = host.request({
          frames: ["abc"],
          script: { A: "request_headers: continue 0; return 1" },
        });
        await posted.stillWaits(100);
        await posted.abandon();
      },
    },
    {
      id: "continue-of-what-is-not-paused",
      what: "continue of a request that nothing holds, and of an answer that nothing holds, changes nothing.",
      run: async (host) => {
        await host.ask({
          upstream: { delayMs: 100 },
          script: { A: `request_headers: ${callTo("soon")} | ${then("continue 0")}` },
        });
        await host.ask({
          upstream: { frames: ["a", "b"], gapMs: 100 },
          script: { A: `response_headers: ${callTo("soon")} | ${then("continue 1")}` },
        });
      },
    },
    {
      id: "continue-twice",
      what: "Two continues in one callback.",
      run: async (host) => {
        await host.ask({
          frames: ["abc"],
          script: {
            A: `request_headers: ${callTo("soon")}; return 1 | ${then("continue 0; continue 0")}`,
          },
        });
      },
    },
    {
      id: "stop-all-in-the-second",
      what: "The second filter pauses while the first lets frames pass.",
      run: async (host) => {
        await host.ask({
          frames: ["abc", "de"],
          script: { B: `request_headers: ${callTo("late")}; return 1 | ${then("continue 0")}` },
        });
      },
    },
    {
      id: "both-pause",
      what: "Both filters pause in turn.",
      run: async (host) => {
        const pausing = `request_headers: ${callTo("soon")}; return 1 | ${then("continue 0")}`;
        await host.ask({ frames: ["abc"], script: { A: pausing, B: pausing } });
      },
    },
    {
      id: "two-calls-join",
      what: "A request that waits for two calls goes on with the second answer.",
      run: async (host) => {
        await host.ask({
          script: {
            A: `request_headers: ${callTo("soon")}; ${callTo("late")}; return 1 | http_call_response#1: effective $ctx; value 0 :path | http_call_response#2: effective $ctx; continue 0`,
          },
        });
      },
    },
    {
      id: "answer-paused-and-resumed",
      what: "An answer's headers paused: edited and resumed from outside; its body comes in one callback.",
      run: async (host) => {
        await host.ask({
          upstream: { frames: ["abc", "de"], gapMs: 10 },
          script: {
            B: `response_headers: ${callTo("late")}; return 1 | ${then("value 2 :status; add 2 x-late 1; continue 1; value 2 :status")}`,
          },
        });
      },
    },
    {
      id: "continue-upstream-and-unknown",
      what: "Types beyond request and response: Ok for 2, Unimplemented for 3, BadArgument for 4.",
      run: async (host) => {
        await host.ask({
          script: { A: "request_headers: continue 2; continue 3; continue 4; close 2; close 4" },
        });
      },
    },
    {
      id: "body-continue-in-its-own-callback",
      what: "continue in on_request_body while a frame is held, and Continue as the answer.",
      run: async (host) => {
        await host.ask({
          frames: ["abc", "de"],
          script: {
            A: "request_body#1: return 1 | request_body#2: continue 0; get 0 0 9; return 0",
          },
        });
        await host.ask({ frames: ["abc"], script: { A: "request_body#1: continue 0; return 0" } });
      },
    },
  ],
};
