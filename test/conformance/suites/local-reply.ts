/** Local replies: in which phase, with what content, and what passes which callbacks. */
import type { ProbeCase, ProbeSuite } from "../probe.ts";
import { callTo, onAnswer as then, waitingClusters } from "../waiting-calls.ts";

const phases: readonly ProbeCase[] = [
  {
    id: "in-request-headers",
    what: "In on_request_headers: the return value is overridden, own response callbacks run, body ends it.",
    shows: [20],
    run: async (host) => {
      await host.ask({
        frames: ["never seen"],
        script:
          "request_headers: reply 403 no x-why=because,X-Two=2 -1 some%20details%09here; return 0 | response_headers: value 0 :path; pairs 2 | response_body: get 1 0 9 | log: prop response,code_details",
      });
    },
  },
  {
    id: "in-request-body",
    what: "In on_request_body of a frame that is not the last.",
    shows: [20],
    run: async (host) => {
      await host.ask({ frames: ["abc", "def"], script: "request_body#1: reply 400 bad; return 0" });
    },
  },
  {
    id: "in-request-trailers",
    what: "In on_request_trailers.",
    run: async (host) => {
      await host.ask({
        frames: ["abc"],
        trailers: [["x-t", "1"]],
        script: "request_trailers: reply 400 bad; return 0",
      });
    },
  },
  {
    id: "in-response-headers",
    what: "In on_response_headers: straight to the client, no further response callback of anybody.",
    shows: [20],
    run: async (host) => {
      await host.ask({
        script: "response_headers: reply 418 tea x-new=1; return 0 | log: pairs 2",
      });
    },
  },
  {
    id: "in-response-body",
    what: "In on_response_body: a reset when the headers have gone out, a reply when they are held.",
    shows: [20],
    run: async (host) => {
      await host.ask({ script: "response_body#1: reply 418 tea; return 0" });
      await host.ask({
        script: `response_headers: ${callTo("soon")}; return 4 | ${then("continue 1")} | response_body#1: reply 418 tea; return 0`,
      });
    },
  },
  {
    id: "in-response-trailers",
    what: "In on_response_trailers: a reset.",
    run: async (host) => {
      await host.ask({
        upstream: { frames: ["abc"], trailers: [["x-t", "1"]] },
        script: "response_trailers: reply 418 tea; return 0",
      });
    },
  },
  {
    id: "from-outside",
    what: "From the callback of a call's answer: of a paused request, and of a paused answer.",
    run: async (host) => {
      await host.ask({
        script: `request_headers: ${callTo("soon")}; return 1 | ${then("reply 401 denied")}`,
      });
      await host.ask({
        script: `response_headers: ${callTo("soon")}; return 1 | ${then("reply 401 denied")}`,
      });
    },
  },
  {
    id: "from-outside-not-paused",
    what: "From outside while a request is with its upstream, and with a body still to come.",
    run: async (host) => {
      await host.ask({
        upstream: { delayMs: 300 },
        script: `request_headers: ${callTo("soon")} | ${then("reply 401 denied")}`,
      });
      await host.ask({
        frames: ["abc", "def"],
        gapMs: 100,
        script: `request_headers: ${callTo("soon")} | ${then("reply 401 denied")}`,
      });
    },
  },
  {
    id: "without-a-stream",
    what: "On the root: Ok, and nothing happens.",
    run: async (host) => {
      await host.ask({
        upstream: { delayMs: 80 },
        script: `request_headers: ${callTo("soon")} | http_call_response: reply 500 x`,
      });
    },
  },
];

const repeated: readonly ProbeCase[] = [
  {
    id: "twice-in-one-callback",
    what: "Of two in one callback the first wins.",
    shows: [20],
    run: async (host) => {
      await host.ask({ script: "request_headers: reply 401 one; reply 402 two; return 0" });
    },
  },
  {
    id: "again-in-its-own-response",
    what: "A second one in the own response callbacks of the first.",
    run: async (host) => {
      await host.ask({
        script: "request_headers: reply 401 one | response_headers: reply 402 two; return 0",
      });
      await host.ask({
        script: "request_headers: reply 401 one | response_body: reply 402 two; return 0",
      });
    },
  },
  {
    id: "again-from-outside",
    what: "A second one while the first is held in on_response_headers.",
    run: async (host) => {
      const exchange = host.request({
        script: `request_headers: reply 401 one | response_headers: ${callTo("soon")}; return 1 | ${then(`reply 402 two; ${callTo("soon")}`)} | http_call_response#2: effective $ctx; continue 1`,
      });
      await host.untilLogged("http_call_response(", 1);
      await exchange.end();
    },
  },
  {
    id: "held-and-resumed",
    what: "An own reply is paused in on_response_headers, edited, and resumed.",
    run: async (host) => {
      await host.ask({
        script: `request_headers: reply 401 one | response_headers: ${callTo("soon")}; return 1 | ${then("replace 2 :status 402; continue 1")}`,
      });
    },
  },
  {
    id: "with-continue",
    what: "A reply and a continue after it in one callback.",
    run: async (host) => {
      await host.ask({ script: "request_headers: reply 401 one; continue 0; return 0" });
    },
  },
  {
    id: "from-a-later-filter",
    what: "The second filter replies: the first one's response callbacks run too.",
    run: async (host) => {
      await host.ask({
        listener: "two",
        script: { B: "request_headers: reply 401 b", A: "request_headers: return 0" },
      });
      await host.ask({ listener: "two", script: { A: "request_headers: reply 401 a" } });
    },
  },
];

const contents: readonly ProbeCase[] = [
  {
    id: "empty-body",
    what: "An empty body takes content-length and content-type away, given or not.",
    shows: [21],
    run: async (host) => {
      await host.ask({
        script:
          "request_headers: reply 204 ~ content-length=5,content-type=text/html,x-kept=1 | response_headers: pairs 2",
      });
      await host.ask({ script: "request_headers: reply 200 ~ - | response_headers: pairs 2" });
    },
  },
  {
    id: "given-headers",
    what: "Headers given with a body: the type stays, the length is set, names repeat, a :status is joined.",
    run: async (host) => {
      await host.ask({
        script:
          "request_headers: reply 200 body content-type=text/html,content-length=99,x-a=1,x-a=2,set-cookie=a,set-cookie=b | response_headers: pairs 2",
      });
    },
  },
  {
    id: "odd-statuses",
    what: "Statuses are not checked.",
    run: async (host) => {
      await host.ask({ script: "request_headers: reply 999 odd" });
      await host.ask({ script: "request_headers: reply 599 odd" });
    },
  },
  {
    id: "grpc",
    what: "A gRPC client gets a 200 with grpc-status and grpc-message.",
    shows: [21],
    run: async (host) => {
      const headers = [["content-type", "application/grpc"]] as const;
      await host.ask({
        headers,
        script: "request_headers: reply 403 50%25%20no x-a=1 | response_headers: pairs 2",
      });
      await host.ask({ headers, script: "request_headers: reply 500 no - 8" });
      await host.ask({ headers, script: "request_headers: reply 200 ~ - 99" });
    },
  },
  {
    id: "head",
    what: "A HEAD request gets the headers alone.",
    run: async (host) => {
      await host.ask({ method: "HEAD", script: "request_headers: reply 403 no" });
    },
  },
];

export const suite: ProbeSuite = {
  name: "local-reply",
  what: "Local replies in each phase, repeated, and their content.",
  plugins: [{ name: "A" }, { name: "B" }],
  listeners: [
    { name: "main", plugins: ["A"] },
    { name: "two", plugins: ["A", "B"] },
  ],
  clusters: waitingClusters,
  cases: [...phases, ...repeated, ...contents],
};
