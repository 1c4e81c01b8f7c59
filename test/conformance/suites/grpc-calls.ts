/** Unary gRPC calls: which service is meant, what is sent, what comes back, and how it fails. */
import type { ProbeAnswer, ProbeCase, ProbeCluster, ProbeHost, ProbeSuite } from "../probe.ts";

function grpc(name: string, ...answers: readonly ProbeAnswer[]): ProbeCluster {
  return { name, protocol: "grpc", answers };
}

/** `grpc_call CLUSTER …` of /pkg.Svc/Do. */
function call(
  service: string,
  more: { metadata?: string; message?: string; timeout?: number } = {},
): string {
  const { metadata = "-", message = "ask", timeout = 1000 } = more;
  return `grpc_call ${service} pkg.Svc Do ${metadata} ${message} ${String(timeout)}`;
}

/** Bytes as a script writes them. */
const escaped = (bytes: string): string =>
  [...bytes].map((char) => `%${char.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
/** A length-delimited field. */
const field = (number: number, content: string): string =>
  String.fromCharCode(number * 8 + 2, content.length) + content;
/** A message GrpcService with a target of Envoy's own client. */
const envoyGrpc = (cluster: string, authority?: string): string =>
  field(1, field(1, cluster) + (authority === undefined ? "" : field(2, authority)));

/** A request that waits for whatever its call comes to. */
async function waiting(host: ProbeHost, made: string, read = "getstatus"): Promise<void> {
  await host.ask({
    script: `request_headers: ${made}; return 1 | grpc_receive: ${read}; effective $stream; continue 0 | grpc_close: ${read}; effective $stream; continue 0`,
  });
}

const answers: readonly ProbeCase[] = [
  {
    id: "answer",
    what: "A success is on_grpc_receive alone: no metadata, no close.",
    shows: [25, 26],
    run: (host) =>
      waiting(
        host,
        call("ok"),
        "get 5 0 100; get 5 2 3; bufstatus 5; pairs 4; pairs 5; value 4 :status; getstatus",
      ),
  },
  {
    id: "message-outside",
    what: "The message is there in its callback alone; elsewhere its buffer is empty and cannot be changed.",
    shows: [18],
    run: async (host) => {
      await host.ask({
        script: `request_headers: get 5 0 10; set 5 0 0 x; ${call("ok")}; return 1 | grpc_receive: set 5 0 0 x; get 5 0 100; effective $stream; get 5 0 10; continue 0 | response_headers: get 5 0 10; bufstatus 5`,
      });
    },
  },
  {
    id: "two-messages",
    what: "Of several messages of a unary call the last one counts.",
    run: (host) => waiting(host, call("two"), "get 5 0 100"),
  },
  {
    id: "no-message",
    what: "A success without a message is a failure: Internal.",
    run: (host) => waiting(host, call("none")),
  },
  {
    id: "empty-message",
    what: "An empty message is a message.",
    run: (host) =>
      waiting(host, call("empty-message", { message: "~" }), "get 5 0 10; bufstatus 5"),
  },
  {
    id: "status",
    what: "A status other than Ok is on_grpc_close alone, with the message; the code stays.",
    shows: [24, 25],
    run: async (host) => {
      await waiting(host, call("missing"), "getstatus; pairs 5; get 5 0 10");
      await waiting(host, `getstatus; ${call("ok")}`);
    },
  },
  {
    id: "status-message",
    what: "The status message is percent-decoded.",
    run: (host) => waiting(host, call("worded")),
  },
  {
    id: "large-message",
    what: "A message of a million bytes goes and comes.",
    run: async (host) => {
      await waiting(
        host,
        call("large", { message: "q*1000000", timeout: 5000 }),
        "bufstatus 5; get 5 0 3",
      );
    },
  },
];

const sent: readonly ProbeCase[] = [
  {
    id: "sent",
    what: "What the receiver sees: path, timeout, and what Envoy adds.",
    run: async (host) => {
      await waiting(host, call("seen", { metadata: "X-A=1,x-a=2,x-bin-bin=AAE=" }));
      await host.called("seen");
    },
  },
  {
    id: "sent-own-names",
    what: "Metadata that Envoy sets itself.",
    run: async (host) => {
      await waiting(
        host,
        call("seen", {
          metadata:
            "user-agent=mine,grpc-timeout=5S,x-envoy-internal=false,content-type=application/other,:path=/other",
        }),
      );
      await host.called("seen");
    },
  },
  {
    id: "sent-timeouts",
    what: "A timeout of 0 and a long one.",
    run: async (host) => {
      await waiting(host, call("seen", { timeout: 0 }));
      await host.called("seen");
      await waiting(host, call("seen", { timeout: 200_000_000 }));
      await host.called("seen");
    },
  },
];

const services: readonly ProbeCase[] = [
  {
    id: "service-message",
    what: "A serialized GrpcService names the cluster, the authority and more metadata.",
    run: async (host) => {
      await waiting(host, call(escaped(envoyGrpc("seen"))));
      await host.called("seen");
      const service =
        envoyGrpc("seen", "auth.example") + field(5, field(1, "x-from") + field(2, "service"));
      await waiting(host, call(escaped(service), { metadata: "x-a=1" }));
      await host.called("seen");
    },
  },
  {
    id: "service-unknown",
    what: "Neither a message nor a cluster: ParseFailure, and no token is used up.",
    run: (host) =>
      waiting(
        host,
        [call("nobody"), call("good"), call("%0A"), call("%0A%02ab"), call("%0D"), call("ok")].join(
          "; ",
        ),
      ),
  },
  {
    id: "service-message-of-unknown-cluster",
    what: "A message that names an unknown cluster: InternalFailure, a token is used up, and the root is told of the failure all the same.",
    shows: [26],
    run: async (host) => {
      await host.ask({
        script: `request_headers: ${call(escaped(envoyGrpc("nobody")))}; getstatus; ${call("slow")}`,
      });
      await host.untilLogged("grpc_receive(");
    },
  },
  {
    id: "service-memory",
    what: "A range outside of the memory.",
    run: (host) =>
      waiting(
        host,
        `grpc_call ^outside pkg.Svc Do - ask 10; grpc_call ok ^outside Do - ask 10; grpc_call ok pkg.Svc Do - ^outside 10; ${call("ok")}`,
      ),
  },
];

const failures: readonly ProbeCase[] = [
  {
    id: "timeout",
    what: "Slower than its timeout.",
    run: (host) => waiting(host, call("never", { timeout: 50 })),
  },
  {
    id: "timeout-after-headers",
    what: "A timeout between two messages.",
    run: (host) => waiting(host, call("drip", { timeout: 100 })),
  },
  {
    id: "refused-connection",
    what: "Nobody listens.",
    run: (host) => waiting(host, call("dead")),
  },
  {
    id: "closed-connection",
    what: "The receiver closes the connection before it answers.",
    run: (host) => waiting(host, call("gone")),
  },
  {
    id: "broken-after-headers",
    what: "The connection breaks after the headers, and after a message.",
    run: async (host) => {
      await waiting(host, call("cut"));
      await waiting(host, call("cut"));
    },
  },
  {
    id: "http-receiver",
    what: "A receiver that speaks no gRPC: its status becomes one of gRPC, its body is a broken message.",
    run: async (host) => {
      await waiting(host, call("plain"));
      await waiting(host, call("plain"));
      await waiting(host, call("plain"));
    },
  },
];

const ends: readonly ProbeCase[] = [
  {
    id: "cancel",
    what: "After a cancel no callback comes, and the token is gone.",
    run: async (host) => {
      await host.ask({
        script: `request_headers: ${call("slow")}; grpc_cancel $last; grpc_cancel $last; ${call("slow")}; grpc_close $last; grpc_close $last`,
      });
      await host.wait(150);
    },
  },
  {
    id: "tokens",
    what: "Tokens of other kinds and unknown ones.",
    shows: [26],
    run: async (host) => {
      await host.ask({
        script:
          "request_headers: grpc_cancel 4; grpc_close 4; grpc_send 4 m 0; grpc_cancel 5005; grpc_close 5005; grpc_send 5005 m 0; grpc_cancel 5006; grpc_close 5006; grpc_send 5006 m 0; grpc_cancel 7; grpc_close 7; grpc_send 7 m 0; grpc_send 5006 ^outside 0",
      });
    },
  },
  {
    id: "token-after-answer",
    what: "The token of a call that was answered: known inside the callback, unknown after it.",
    run: async (host) => {
      await host.ask({
        script: `request_headers: ${call("ok")}; return 1 | grpc_receive: grpc_close $last; effective $stream; continue 0 | response_headers: grpc_cancel $last`,
      });
    },
  },
  {
    id: "stream-is-gone",
    what: "The request has ended before the answer comes: the root is told.",
    run: async (host) => {
      await host.ask({ script: `request_headers: ${call("slow")}` });
      await host.untilLogged("grpc_receive(");
    },
  },
];

export const suite: ProbeSuite = {
  name: "grpc-calls",
  what: "Unary gRPC calls: services, what is sent, answers and failures.",
  plugins: [{ name: "A", configuration: "grpc_close: getstatus" }],
  clusters: [
    grpc("ok", { frames: ["hello"] }),
    grpc("seen", { frames: ["seen"] }),
    grpc("two", { frames: ["one", "another"], gapMs: 10 }),
    grpc("none", {}),
    grpc("empty-message", { frames: [""] }),
    grpc("missing", { grpcStatus: 5, grpcMessage: "not there", trailers: [["x-t", "1"]] }),
    grpc("worded", { grpcStatus: 3, grpcMessage: "100%25 %C3%A4 %zz" }),
    grpc("large", { frames: ["l".repeat(1_000_000)] }),
    grpc("never", { never: true }),
    grpc("slow", { frames: ["late"], delayMs: 80 }),
    grpc("drip", { frames: ["a", "b"], gapMs: 300 }),
    grpc("gone", { resetAtOnce: true }),
    grpc("cut", { frames: ["a", "b"], breakAfter: 0 }, { frames: ["a", "b"], breakAfter: 1 }),
    { name: "dead", protocol: "dead" },
    {
      name: "plain",
      protocol: "http",
      answers: [{ frames: ["hello"] }, { status: 404, frames: ["no"] }, { status: 200 }],
    },
  ],
  cases: [...answers, ...sent, ...services, ...failures, ...ends],
};
