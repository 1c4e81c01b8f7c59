/** Body callbacks: what each answer means for the bytes, and for the next callback. */
import type { ProbeCase, ProbeSuite } from "../probe.ts";
import { callTo, onAnswer as then, waitingClusters } from "../waiting-calls.ts";

const three = ["aaa", "bb", "c"];

const requests: readonly ProbeCase[] = [
  {
    id: "buffer",
    what: "StopIterationAndBuffer: each callback sees everything so far, and an edit changes all of it.",
    shows: [9, 46],
    run: async (host) => {
      await host.ask({
        frames: three,
        script:
          "request_body: get 0 0 100; return 1 | request_body#4: get 0 0 100; set 0 0 2 XY; set 0 100 0 z; bufstatus 0; return 0",
      });
    },
  },
  {
    id: "watermark",
    what: "StopIterationAndWatermark: each callback sees its own frame, and everything goes on.",
    shows: [9],
    run: async (host) => {
      await host.ask({
        frames: three,
        script: "request_body: get 0 0 100; return 2 | request_body#4: get 0 0 100; return 0",
      });
    },
  },
  {
    id: "no-buffer",
    what: "StopIterationNoBuffer: the frame is gone.",
    shows: [9],
    run: async (host) => {
      await host.ask({
        frames: three,
        script: "request_body#2: get 0 0 100; return 3 | request_body: get 0 0 100",
      });
      await host.ask({ frames: three, script: "request_body#1: return 9" });
    },
  },
  {
    id: "mixed",
    what: "Buffer, then watermark, then Continue, and edits of single frames.",
    shows: [9],
    run: async (host) => {
      await host.ask({
        frames: ["aa", "bb", "cc", "dd"],
        script:
          "request_body#1: return 1 | request_body#2: get 0 0 9; return 2 | request_body#3: get 0 0 9; set 0 0 0 <; return 0 | request_body#4: get 0 0 9; set 0 0 9 E; return 0",
      });
    },
  },
  {
    id: "headers-held-all",
    what: "Headers stopped with 4, 3 and 1: no body callback; resumed, all of it in one.",
    shows: [7],
    run: async (host) => {
      for (const answer of ["4", "3", "1"]) {
        await host.ask({
          frames: three,
          script: `request_headers: ${callTo("late")}; return ${answer} | ${then("get 0 0 9; continue 0")} | request_body: get 0 0 9`,
        });
      }
    },
  },
  {
    id: "headers-held-single",
    what: "With allow_on_headers_stop_iteration an answer 1 holds the headers alone; they can be edited in body callbacks.",
    shows: [7, 10],
    run: async (host) => {
      await host.ask({
        listener: "single",
        frames: three,
        script:
          "request_headers: return 1 | request_body: get 0 0 9; value 0 :path; return 1 | request_body#4: get 0 0 9; add 0 x-size 6; return 0",
      });
      await host.ask({
        listener: "single",
        frames: three,
        script: "request_headers: return 1 | request_body#1: return 0",
      });
    },
  },
  {
    id: "headers-held-single-no-body",
    what: "The same for a request without a body: it waits until it is resumed.",
    run: async (host) => {
      await host.ask({
        listener: "single",
        script: `request_headers: ${callTo("soon")}; return 1 | ${then("value 0 :path; continue 0")}`,
      });
    },
  },
  {
    id: "resumed-at-the-end",
    what: "Stopped at the last frame with 1, 2 and 3, and resumed later.",
    run: async (host) => {
      for (const answer of ["1", "2", "3"]) {
        await host.ask({
          frames: ["aaa"],
          script: `request_body#1: return 1 | request_body#2: ${callTo("soon")}; return ${answer} | ${then("continue 0")}`,
        });
      }
    },
  },
  {
    id: "held-body-from-outside",
    what: "What is held with 1 can be read and changed from the callback of a call's answer.",
    shows: [9, 16, 18],
    run: async (host) => {
      await host.ask({
        frames: ["aaa"],
        script: `request_body#1: return 1 | request_body#2: ${callTo("soon")}; return 1 | ${then("get 0 0 9; set 0 9 0 b; bufstatus 0; continue 0; bufstatus 0; set 0 0 0 x; get 0 0 9")}`,
      });
    },
  },
  {
    id: "resumed-in-mid-body",
    what: "A frame that is not the last, held with 1 and resumed, and what becomes of the next ones.",
    run: async (host) => {
      await host.ask({
        frames: three,
        gapMs: 80,
        script: `request_body#1: ${callTo("soon")}; return 1 | ${then("continue 0")} | request_body: get 0 0 9`,
      });
    },
  },
  {
    id: "resumed-in-mid-body-watermark",
    what: "The same with 2, where the frames go on.",
    run: async (host) => {
      await host.ask({
        frames: three,
        gapMs: 80,
        script: `request_body#1: ${callTo("soon")}; return 2 | ${then("continue 0")} | request_body: get 0 0 9`,
      });
    },
  },
  {
    id: "empty-bodies",
    what: "A chunked body without a chunk is an empty last frame; a length of 0 ends the request at its headers.",
    shows: [46],
    run: async (host) => {
      await host.ask({ frames: [] });
      await host.ask({ method: "POST", contentLength: 0 });
      await host.ask({ frames: [], script: "request_body: set 0 0 0 made; return 0" });
    },
  },
];

const answers: readonly ProbeCase[] = [
  {
    id: "answer-buffer",
    what: "An answer buffered to its end and replaced.",
    shows: [9, 17],
    run: async (host) => {
      await host.ask({
        upstream: { frames: three },
        script:
          "response_headers: remove 2 content-length | response_body: get 1 0 9; return 1 | response_body#4: get 1 0 9; set 1 0 4294967295 new; set 1 1 0 bad; set 1 9 0 er; return 0",
      });
    },
  },
  {
    id: "answer-watermark-and-dropped",
    what: "An answer with 2 and with 3.",
    shows: [9],
    run: async (host) => {
      await host.ask({
        upstream: { frames: three },
        script:
          "response_body#1: return 2 | response_body#2: get 1 0 9; return 3 | response_body: get 1 0 9",
      });
    },
  },
  {
    id: "answer-headers-held",
    what: "An answer's headers held: the client gets nothing, the body comes in one callback.",
    shows: [7],
    run: async (host) => {
      const exchange = host.request({
        upstream: { frames: three },
        script: `response_headers: ${callTo("late")}; return 4 | ${then("value 2 :status; replace 2 :status 201; continue 1")} | response_body: get 1 0 9; value 2 :status`,
      });
      await exchange.stillWaits(60);
      await exchange.end();
    },
  },
  {
    id: "answer-resumed-in-mid-body",
    what: "An answer's frame, not the last, held with 1 and resumed; and what becomes of the rest.",
    run: async (host) => {
      await host.ask({
        upstream: { frames: three, gapMs: 80 },
        script: `response_body#1: ${callTo("soon")}; return 1 | ${then("continue 1")} | response_body: get 1 0 9`,
      });
    },
  },
];

export const suite: ProbeSuite = {
  name: "bodies",
  what: "Bodies in frames, and the answers of body callbacks.",
  plugins: [{ name: "A" }, { name: "S", allowOnHeadersStopIteration: true }],
  listeners: [
    { name: "main", plugins: ["A"] },
    { name: "single", plugins: ["S"] },
  ],
  clusters: waitingClusters,
  cases: [...requests, ...answers],
};
