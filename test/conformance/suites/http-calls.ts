/** HTTP calls of streams: what is refused, what is sent, what comes back, and how it fails. */
import type { ProbeAnswer, ProbeCase, ProbeCluster, ProbeHost, ProbeSuite } from "../probe.ts";

const mebibyte = "m".repeat(1024 * 1024);

function http(name: string, ...answers: readonly ProbeAnswer[]): ProbeCluster {
  return { name, protocol: "http", answers };
}

/** `call CLUSTER …` with the three headers that every call needs, and more. */
function call(
  cluster: string,
  options: { path?: string; more?: string; rest?: string } = {},
): string {
  const { path = "/", more = "", rest = "~ - 1000" } = options;
  const headers = `:method=GET,:path=${path},:authority=up.example${more}`;
  return `call ${cluster} ${headers} ${rest}`;
}

/** One request that waits for its call's answer; `read` is done in the answer's callback. */
async function waiting(host: ProbeHost, made: string, read = "getstatus"): Promise<void> {
  await host.ask({
    script: `request_headers: ${made}; return 1 | http_call_response: ${read}; effective $stream; continue 0`,
  });
}

const answers: readonly ProbeCase[] = [
  {
    id: "answer",
    what: "Status, headers and body of an answer; none of it can be changed.",
    shows: [5, 13, 23],
    run: (host) =>
      waiting(
        host,
        `getstatus; ${call("ok")}`,
        "value 6 :status; value 6 X-Up; value 6 nope; size 6; get 4 0 3; get 4 2 100; bufstatus 4; pairs 7; value 7 x; add 6 a b; remove 6 x-up; set 4 0 0 x; getstatus",
      ),
  },
  {
    id: "answer-outside",
    what: "Maps and buffer of an answer are there in its callback alone.",
    shows: [11, 13, 18],
    run: async (host) => {
      await host.ask({
        script: `request_headers: ${call("ok")}; value 6 :status; pairs 6; size 6; get 4 0 10; pairs 7; bufstatus 4; return 1 | http_call_response: effective $stream; value 6 :status; get 4 0 10; continue 0 | response_headers: value 6 :status; get 4 0 10`,
      });
    },
  },
  {
    id: "answer-trailers",
    what: "An answer in frames with trailers comes in one callback; n counts :status, trailers are counted apart.",
    shows: [23],
    run: (host) => waiting(host, call("trailers"), "pairs 7; value 7 X-T; size 7; get 4 0 100"),
  },
  {
    id: "answer-headers",
    what: "Repeated headers of an answer are entries of their own, but for the joined ones; a 204 has no body.",
    run: (host) => waiting(host, call("repeated"), "value 6 x-a; value 6 set-cookie; get 4 0 10"),
  },
  {
    id: "answer-error-status",
    what: "An answer of 503 by the receiver is an answer as any other.",
    run: (host) => waiting(host, call("unavailable"), "value 6 :status; get 4 0 100; getstatus"),
  },
  {
    id: "answer-to-head",
    what: "A HEAD call: the length is told, the body is empty.",
    run: (host) =>
      waiting(
        host,
        "call head :method=HEAD,:path=/,:authority=up.example ~ - 1000",
        "value 6 content-length; get 4 0 10; bufstatus 4",
      ),
  },
];

const refusals: readonly ProbeCase[] = [
  {
    id: "refused",
    what: "An unknown cluster, a missing header and a timeout of 2^31 ms are BadArgument and use up no token.",
    shows: [22, 26],
    run: (host) =>
      waiting(
        host,
        [
          call("nobody"),
          "call ok :method=GET,:authority=a ~ - 1000",
          "call ok :path=/,:authority=a ~ - 1000",
          "call ok :method=GET,:path=/ ~ - 1000",
          "call ok - ~ - 1000",
          call("ok", { rest: "~ - 2147483648" }),
          call("ok", { rest: "~ - 4294967295" }),
          call("ok", { rest: "~ - 2147483647" }),
        ].join("; "),
      ),
  },
  {
    id: "refused-memory",
    what: "A range outside of the memory is refused before the token is written.",
    run: async (host) => {
      await host.ask({
        script: `request_headers: call ^outside - ~ - 1000; call ok - ^outside - 1000; ${call("ok")}; return 1 | http_call_response: effective $stream; continue 0`,
      });
    },
  },
  {
    id: "no-host",
    what: "A cluster without hosts: InternalFailure at once, a token is used up, no callback comes.",
    shows: [22, 26],
    run: (host) => waiting(host, `${call("empty")}; getstatus; ${call("empty")}; ${call("ok")}`),
  },
];

const sent: readonly ProbeCase[] = [
  {
    id: "sent-get",
    what: "What the receiver of a GET sees: the plugin's headers, and what Envoy adds.",
    run: async (host) => {
      await waiting(host, call("seen", { path: "/a?b=c", more: ",x-a=1" }));
      await host.called("seen");
    },
  },
  {
    id: "sent-names",
    what: "Names are sent in lower case, repeated ones as they are or joined; `host` is the authority.",
    run: async (host) => {
      await waiting(
        host,
        "call seen :method=GET,:path=/,Host=up.example,X-One=1,x-one=2,Accept=a,accept=b,x-empty=,x-bytes=%80%ff ~ - 1000",
      );
      await host.called("seen");
    },
  },
  {
    id: "sent-authority-twice",
    what: "An authority given twice is joined.",
    run: async (host) => {
      await waiting(
        host,
        "call seen :method=GET,:path=/,:authority=a,host=b,:scheme=https ~ - 1000",
      );
      await host.called("seen");
    },
  },
  {
    id: "sent-body",
    what: "A body gets its length, whatever the plugin said, where the plugin said it; request trailers are not sent.",
    run: async (host) => {
      await waiting(
        host,
        "call seen :method=POST,:path=/,:authority=up.example,content-length=99,x-a=1 hello x-t=1 1000",
      );
      await host.called("seen");
      await waiting(host, "call seen :method=POST,:path=/,:authority=up.example,x-a=1 hello - 0");
      await host.called("seen");
    },
  },
  {
    id: "sent-empty-post",
    what: "A POST or PUT without a body says so; a DELETE or HEAD does not.",
    run: async (host) => {
      for (const method of ["POST", "PUT", "DELETE", "HEAD"]) {
        await waiting(host, `call seen :method=${method},:path=/,:authority=up.example ~ - 1000`);
        await host.called("seen");
      }
    },
  },
  {
    id: "sent-length-alone",
    what: "A length without a body: the receiver waits for the body.",
    run: (host) =>
      waiting(
        host,
        "call ok :method=GET,:path=/,:authority=up.example,content-length=5 ~ - 60",
        "value 6 :status",
      ),
  },
  {
    id: "sent-large-body",
    what: "A body of a million bytes arrives.",
    run: async (host) => {
      await waiting(
        host,
        "call seen :method=PUT,:path=/,:authority=up.example b*1000000 - 2000",
        "value 6 :status",
      );
      await host.called("seen");
    },
  },
];

const failures: readonly ProbeCase[] = [
  {
    id: "timeout",
    what: "Slower than its timeout: Envoy's 504 with a text.",
    shows: [22],
    run: (host) =>
      waiting(host, call("never", { rest: "~ - 50" }), "pairs 6; get 4 0 100; getstatus"),
  },
  {
    id: "timeout-in-the-body",
    what: "A timeout between the headers and the end of an answer is a reset: no headers, code 11.",
    shows: [22, 24],
    run: (host) =>
      waiting(
        host,
        call("drip", { rest: "~ - 100" }),
        "value 6 :status; pairs 6; get 4 0 10; getstatus",
      ),
  },
  {
    id: "status-stays",
    what: "The code of a failure stays after a success, its message does not.",
    shows: [24],
    run: (host) => waiting(host, `getstatus; ${call("ok")}`),
  },
  {
    id: "late-answer",
    what: "An answer after the timeout is dropped.",
    run: async (host) => {
      await waiting(host, call("slow", { rest: "~ - 50" }), "value 6 :status");
      await host.wait(200);
    },
  },
  {
    id: "no-timeout",
    what: "A timeout of 0 is none.",
    run: (host) => waiting(host, call("slow", { rest: "~ - 0" }), "value 6 :status"),
  },
  {
    id: "refused-connection",
    what: "Nobody listens: Envoy's 503 with a text.",
    shows: [22],
    run: (host) => waiting(host, call("dead"), "pairs 6; get 4 0 1000; getstatus"),
  },
  {
    id: "closed-connection",
    what: "The receiver closes the connection before it answers: Envoy's 503 with another text.",
    shows: [22],
    run: (host) => waiting(host, call("gone"), "pairs 6; get 4 0 100"),
  },
  {
    id: "broken-after-headers",
    what: "The connection breaks after the headers, or after a part of the body: no headers, code 11.",
    shows: [22, 24],
    run: async (host) => {
      await waiting(host, call("cut"), "value 6 :status; get 4 0 10; getstatus");
      await waiting(host, call("cut"), "value 6 :status; get 4 0 10; getstatus");
    },
  },
  {
    id: "largest-answer",
    what: "An answer of 32 MiB comes whole; one byte more is a reset.",
    run: async (host) => {
      await waiting(host, call("large", { rest: "~ - 9000" }), "bufstatus 4; get 4 0 3; getstatus");
      await waiting(host, call("large", { rest: "~ - 9000" }), "bufstatus 4; getstatus");
    },
  },
];

export const suite: ProbeSuite = {
  name: "http-calls",
  what: "HTTP calls of streams: refusals, what is sent, answers and failures.",
  plugins: [{ name: "A" }],
  clusters: [
    http("ok", { headers: [["x-up", "1"]], frames: ["hello"] }),
    http("seen", { headers: [["content-length", "0"]] }),
    http("trailers", {
      frames: ["aa", "bb"],
      gapMs: 10,
      trailers: [
        ["X-T", "1"],
        ["x-t", "2"],
      ],
    }),
    http("repeated", {
      status: 204,
      headers: [
        ["X-A", "1"],
        ["x-a", "2"],
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
        ["etag", "a"],
        ["etag", "b"],
      ],
    }),
    http("unavailable", { status: 503, frames: ["not now"] }),
    http("head", { headers: [["content-length", "7"]] }),
    http("never", { never: true }),
    http("slow", { frames: ["late"], delayMs: 120 }),
    http("drip", { frames: ["a", "b"], gapMs: 300 }),
    http("gone", { resetAtOnce: true }),
    http("cut", { frames: ["aa", "bb"], breakAfter: 0 }, { frames: ["aa", "bb"], breakAfter: 1 }),
    http(
      "large",
      { frames: Array<string>(32).fill(mebibyte), gapMs: 1 },
      { frames: [...Array<string>(32).fill(mebibyte), "x"], gapMs: 1 },
    ),
    { name: "dead", protocol: "dead" },
    { name: "empty", protocol: "empty" },
  ],
  cases: [...answers, ...refusals, ...sent, ...failures],
};
