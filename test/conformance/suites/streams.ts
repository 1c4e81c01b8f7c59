/** What becomes of a stream: who ends it, and what each side saw of it. */
import type { ProbeCase, ProbeExchange, ProbeSuite } from "../probe.ts";
import { callTo, onAnswer as then, waitingClusters } from "../waiting-calls.ts";

const headersOfEnvoy: readonly ProbeCase[] = [
  {
    id: "headers-in-the-log-phase",
    what: "What the router and the connection manager add is in the maps of the log phase.",
    run: async (host) => {
      await host.ask({
        script:
          "request_headers: pairs 0 | response_headers: pairs 2 | log: pairs 0; pairs 2; pairs 3",
      });
    },
  },
  {
    id: "headers-of-the-connection",
    what: "Headers of the client's connection, and Envoy's own names from outside, do not reach the filters.",
    run: async (host) => {
      await host.ask({
        headers: [
          ["connection", "keep-alive, x-hop"],
          ["x-hop", "1"],
          ["keep-alive", "timeout=5"],
          ["proxy-connection", "x"],
          ["te", "gzip"],
          ["upgrade", "h2c"],
          ["x-envoy-retry-on", "5xx"],
          ["x-envoy-internal", "true"],
          ["x-envoy-expected-rq-timeout-ms", "7"],
          ["x-envoy-upstream-rq-timeout-ms", "5"],
          ["x-envoy-original-path", "/old"],
          ["x-forwarded-for", "10.0.0.1"],
          ["x-forwarded-proto", "https"],
        ],
        script: "request_headers: pairs 0",
      });
    },
  },
  {
    id: "answer-with-envoys-names",
    what: "An upstream's own date stays, its server and service time are replaced where they stand.",
    run: async (host) => {
      await host.ask({
        upstream: {
          headers: [
            ["server", "mine"],
            ["x-envoy-upstream-service-time", "7"],
            ["date", "never"],
            ["connection", "keep-alive, x-hop"],
            ["keep-alive", "timeout=5"],
            ["proxy-connection", "x"],
            ["x-hop", "1"],
            ["upgrade", "h2c"],
            ["te", "gzip"],
            ["set-cookie", "a"],
            ["set-cookie", "b"],
          ],
          frames: ["x"],
        },
        script: "response_headers: pairs 2 | log: pairs 2",
      });
    },
  },
  {
    id: "no-body-by-method",
    what: "A POST without a body goes upstream with a length of 0, a GET without one.",
    run: async (host) => {
      await host.ask({ method: "POST" });
      for (const method of ["DELETE", "PATCH", "OPTIONS", "PUT"]) await host.ask({ method });
      await host.ask({ method: "PATCH", contentLength: 0 });
    },
  },
];

const answers: readonly ProbeCase[] = [
  {
    id: "answers-without-body",
    what: "HEAD, 204, 304 and a length of 0 end an answer at its headers.",
    run: async (host) => {
      await host.ask({ method: "HEAD", upstream: { headers: [["content-length", "5"]] } });
      await host.ask({ upstream: { status: 204 } });
      await host.ask({ upstream: { status: 304, headers: [["etag", "x"]] } });
      await host.ask({ upstream: {} });
    },
  },
  {
    id: "answer-in-frames",
    what: "An answer's frames come one by one and end in an empty one.",
    shows: [46],
    run: async (host) => {
      await host.ask({ upstream: { frames: ["a", "bb", "ccc"] } });
      await host.ask({ upstream: { headers: [["content-length", "6"]], frames: ["abc", "def"] } });
    },
  },
  {
    id: "direct-response",
    what: "A direct response of the route passes the response callbacks, and no upstream is asked.",
    run: async (host) => {
      await host.ask({ listener: "direct", script: "response_headers: pairs 2 | log: pairs 0" });
      await host.ask({ listener: "direct", frames: ["a", "b"] });
    },
  },
  {
    id: "unknown-method",
    what: "A method that nobody knows is a 400 of which plugins see the log alone.",
    run: async (host) => {
      await host.ask({ method: "OTHER" });
    },
  },
  {
    id: "upgrade-refused",
    what: "An upgrade that the listener does not know is a 403 that no filter saw coming.",
    run: async (host) => {
      await host.ask({
        headers: [
          ["connection", "Upgrade"],
          ["upgrade", "websocket"],
        ],
      });
    },
  },
];

const failures: readonly ProbeCase[] = [
  {
    id: "upstream-resets-before-headers",
    what: "An upstream that breaks off before its headers is Envoy's 503, through the response callbacks.",
    run: async (host) => {
      await host.ask({
        upstream: { resetAtOnce: true },
        script: "response_headers: pairs 2 | response_body: get 1 0 200 | log: pairs 2",
      });
    },
  },
  {
    id: "upstream-breaks-after-headers",
    what: "An upstream that breaks off behind its headers resets the client's stream; no callback says so.",
    run: async (host) => {
      await host.ask({ upstream: { frames: ["abc", "d"], breakAfter: 0 } });
      await host.ask({ upstream: { frames: ["abc", "d"], breakAfter: 1 }, script: "log: pairs 2" });
    },
  },
  {
    id: "client-leaves",
    what: "A client that leaves while the upstream works: log, done, delete.",
    run: async (host) => {
      const exchange = host.request({ upstream: { delayMs: 2000 }, script: "log: pairs 2" });
      await host.wait(60);
      await exchange.abandon();
    },
  },
  {
    id: "client-leaves-in-mid-body",
    what: "A client that leaves in the middle of its body, and of the answer's.",
    run: async (host) => {
      const sending = host.request({ frames: ["abc", "def"], gapMs: 1000 });
      await host.wait(60);
      await sending.abandon();
      const reading = host.request({ upstream: { frames: ["abc", "def"], gapMs: 1000 } });
      await host.wait(60);
      await reading.abandon();
    },
  },
  {
    id: "client-leaves-a-paused-stream",
    what: "A client that leaves a paused request; the answer to its call finds no stream.",
    shows: [6],
    run: async (host) => {
      const exchange = host.request({
        script: `request_headers: ${callTo("late")}; return 4`,
      });
      await host.wait(50);
      await exchange.abandon();
      await host.untilLogged("http_call_response(");
    },
  },
];

const closing: readonly ProbeCase[] = [
  {
    id: "close-in-request-headers",
    what: "close_stream in on_request_headers: the client sees no status, whatever the callback answers.",
    run: async (host) => {
      await host.ask({ script: "request_headers: close 0; return 1" });
      await host.ask({ script: "request_headers: close 0; return 0" });
      await host.ask({ frames: ["abc", "de"], script: "request_body#2: close 0; return 1" });
    },
  },
  {
    id: "close-in-response",
    what: "close_stream in response callbacks, before and after the headers went to the client.",
    run: async (host) => {
      await host.ask({ script: "response_headers: close 1; return 4" });
      await host.ask({ script: "response_body: close 1; return 1" });
      await host.ask({ script: "response_headers: close 1; return 0" });
    },
  },
  {
    id: "close-details",
    what: "Why a stream ended that a plugin closed: its own word, unless the answer has one already.",
    run: async (host) => {
      const logged = "log: prop response,code_details; prop response,flags";
      for (const type of [0, 1])
        await host.ask({ script: `request_headers: close ${String(type)}; return 1 | ${logged}` });
      await host.ask({ script: `response_headers: close 1; return 4 | ${logged}` });
    },
  },
  {
    id: "close-from-outside",
    what: "Closing by the type of the other direction, and from an answer's callback.",
    run: async (host) => {
      await host.ask({ script: "request_headers: close 1; return 4" });
      await host.ask({
        script: `request_headers: ${callTo("soon")}; return 4 | ${then("close 0; continue 0")}`,
      });
    },
  },
  {
    id: "many-at-once",
    what: "Streams of one VM side by side keep their contexts apart.",
    run: async (host) => {
      const paused: ProbeExchange[] = [];
      for (const index of [1, 2, 3]) {
        const script = `request_headers: ${callTo("late")}; return 4 | ${then("value 0 :path; continue 0")}`;
        paused.push(host.request({ path: `/${String(index)}`, script }));
        await host.wait(20);
      }
      await host.ask({ path: "/4" });
      for (const one of paused) await one.end();
    },
  },
];

export const suite: ProbeSuite = {
  name: "streams",
  what: "Whole streams: headers of Envoy's own, answers, failures of either side, closing.",
  plugins: [{ name: "A" }],
  listeners: [
    { name: "main", plugins: ["A"] },
    { name: "direct", plugins: ["A"], directResponse: { status: 203, body: "direct body" } },
  ],
  clusters: waitingClusters,
  cases: [...headersOfEnvoy, ...answers, ...failures, ...closing],
};
