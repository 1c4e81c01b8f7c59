/** Several plugins in one chain: order, edits, pauses of one and another, VMs apart. */
import type { ProbeSuite } from "../probe.ts";
import { callTo, onAnswer as then, waitingClusters } from "../waiting-calls.ts";

export const suite: ProbeSuite = {
  name: "chain",
  what: "Three plugins in one chain, the third in a VM of its own.",
  plugins: [{ name: "A" }, { name: "B" }, { name: "C", vmId: "other" }],
  clusters: waitingClusters,
  cases: [
    {
      id: "order",
      what: "Requests pass A, B, C and answers C, B, A; all logs come before the first done.",
      shows: [1, 2],
      run: async (host) => {
        await host.ask({ frames: ["abc"] });
      },
    },
    {
      id: "edits",
      what: "Each sees what those before it changed: headers, body, and the stream's properties.",
      run: async (host) => {
        await host.ask({
          frames: ["abc"],
          script: {
            A: "request_headers: add 0 x-a 1; setprop k v; replace 0 :path /a | request_body#1: set 0 9 0 d",
            B: "request_headers: value 0 x-a; value 0 :path; prop k | request_body: get 0 0 9; set 0 0 0 <",
            C: "request_headers: value 0 :path; prop k | request_body: get 0 0 9 | response_headers: add 2 x-c 1",
          },
        });
      },
    },
    {
      id: "reply-in-the-middle",
      what: "B replies: C, B and A see the reply, but not C, which never saw the request.",
      run: async (host) => {
        await host.ask({ script: { B: "request_headers: reply 403 b" } });
      },
    },
    {
      id: "reply-edited",
      what: "A changes the reply of C.",
      run: async (host) => {
        await host.ask({
          script: {
            C: "request_headers: reply 403 c",
            A: "request_headers: return 0 | response_headers: replace 2 :status 402; remove 2 content-length | response_body: set 1 0 9 from-a",
            B: "request_headers: return 0",
          },
        });
      },
    },
    {
      id: "second-pauses",
      what: "B pauses at the headers while A lets the body pass; then C sees it in one piece.",
      run: async (host) => {
        await host.ask({
          frames: ["abc", "de"],
          script: { B: `request_headers: ${callTo("late")}; return 1 | ${then("continue 0")}` },
        });
      },
    },
    {
      id: "one-buffers-another-drops",
      what: "A buffers to the end; B throws the first of two frames away.",
      run: async (host) => {
        await host.ask({
          frames: ["abc", "de", "f"],
          script: {
            A: "request_body#1: return 1 | request_body#2: return 0",
            B: "request_body#1: get 0 0 9; return 3",
            C: "request_headers: return 0",
          },
        });
      },
    },
    {
      id: "first-buffers-second-pauses",
      what: "A holds frames of the body while B holds the headers; B goes on first.",
      run: async (host) => {
        await host.ask({
          frames: ["abc", "de"],
          gapMs: 120,
          script: {
            A: "request_body: return 1 | request_body#3: get 0 0 9; return 0",
            B: `request_headers: ${callTo("soon")}; return 1 | ${then("continue 0")}`,
          },
        });
      },
    },
    {
      id: "answers-pause",
      what: "C pauses the answer, then B does.",
      run: async (host) => {
        const pausing = `response_headers: ${callTo("soon")}; return 1 | ${then("continue 1")}`;
        await host.ask({ script: { B: pausing, C: pausing } });
      },
    },
    {
      id: "others-context",
      what: "B sets the effective context to A's stream, of the same VM, and edits its request; C's id is not known there.",
      shows: [6],
      run: async (host) => {
        await host.ask({
          script: {
            A: `request_headers: ${callTo("soon")}; return 1 | ${then("value 0 :path; continue 0")}`,
            B: "request_headers: effective $stream; value 0 :path; effective 0; value 0 :path",
          },
        });
      },
    },
  ],
};
