/** gRPC streams: what comes in which callback, sends and closes, and failures. */
import type { ProbeAnswer, ProbeCluster, ProbeHost, ProbeSuite } from "../probe.ts";

function grpc(name: string, ...answers: readonly ProbeAnswer[]): ProbeCluster {
  return { name, protocol: "grpc", answers };
}

/** A message as it is sent. */
const framed = (message: string, flag = 0): string =>
  `${String.fromCharCode(flag)}\0\0\0${String.fromCharCode(message.length)}${message}`;

const open = (service: string, metadata = "-"): string =>
  `grpc_stream ${service} pkg.Svc Watch ${metadata}`;

/** A request that waits for the close of its stream; `more` are lines of the stream's callbacks. */
async function waiting(host: ProbeHost, made: string, more = ""): Promise<void> {
  const closing = "grpc_close: getstatus; effective $stream; continue 0";
  const lines = [
    `request_headers: ${made}; return 1`,
    more,
    more.includes("grpc_close:") ? "" : closing,
  ];
  await host.ask({ script: lines.filter((line) => line !== "").join(" | ") });
}

export const suite: ProbeSuite = {
  name: "grpc-streams",
  what: "gRPC streams: metadata, messages, closes and failures.",
  plugins: [
    {
      name: "A",
      configuration: "grpc_initial: pairs 4 | grpc_trailing: pairs 5 | grpc_close: getstatus",
    },
  ],
  clusters: [
    grpc("three", {
      headers: [["x-up", "1"]],
      frames: ["one", "", "three"],
      gapMs: 20,
      trailers: [["x-t", "1"]],
    }),
    grpc("denied", { grpcStatus: 7, grpcMessage: "not you" }),
    grpc("slow", { frames: ["late"], delayMs: 80 }),
    grpc("never", { never: true }),
    grpc("gone", { resetAtOnce: true }),
    grpc("cut", { frames: ["a", "b"], breakAfter: 0 }, { frames: ["a", "b"], breakAfter: 1 }),
    { name: "dead", protocol: "dead" },
    {
      name: "plain",
      protocol: "http",
      answers: [{ status: 503, headers: [["x-up", "1"]], frames: ["no"] }, { frames: ["hello"] }],
    },
    {
      name: "odd",
      protocol: "http",
      answers: [
        { headers: [["grpc-status", "99"]] },
        { headers: [["grpc-status", "many"]] },
        { frames: [`${framed("a")}${framed("b", 1)}${framed("c")}`] },
        { frames: [`${framed("a")}\x07`] },
        { frames: [framed("a"), framed("b").slice(0, 3), framed("b").slice(3)] },
      ],
    },
  ],
  cases: [
    {
      id: "whole",
      what: "Initial metadata, messages, trailing metadata, close: each readable in its callback alone.",
      shows: [25, 26],
      run: (host) =>
        waiting(
          host,
          open("three"),
          "grpc_initial: pairs 4; value 4 x-up; size 4; pairs 5 | grpc_receive: get 5 0 100; pairs 4 | grpc_trailing: pairs 5; value 5 X-T; pairs 4; get 5 0 10; getstatus | grpc_close: pairs 4; pairs 5; getstatus; effective $stream; continue 0",
        ),
    },
    {
      id: "status",
      what: "A status other than Ok: trailing metadata and close, with the message.",
      shows: [24],
      run: (host) => waiting(host, open("denied"), "grpc_trailing: pairs 5"),
    },
    {
      id: "sent",
      what: "Messages are sent in order, the last one closes the plugin's side.",
      run: async (host) => {
        await waiting(
          host,
          `${open("slow", "X-A=1")}; grpc_send $last one 0; grpc_send $last ~ 0; grpc_send $last three 1; grpc_send $last four 0`,
        );
        await host.called("slow");
      },
    },
    {
      id: "sent-later",
      what: "Messages sent from later callbacks, and a close of the plugin's side.",
      run: async (host) => {
        await waiting(
          host,
          open("three"),
          "grpc_initial: grpc_send $last one 0 | grpc_receive#1: grpc_send $last two 0 | grpc_receive#3: grpc_close $last; grpc_send $last late 0",
        );
        await host.called("three");
      },
    },
    {
      id: "closed-first",
      what: "The plugin closes its side before the receiver does; the token is gone after both.",
      run: async (host) => {
        await waiting(
          host,
          `${open("slow")}; grpc_close $last; grpc_close $last`,
          "grpc_close: grpc_close $last; getstatus; effective $stream; continue 0 | response_headers: grpc_close $last; grpc_send $last m 0; grpc_cancel $last",
        );
      },
    },
    {
      id: "closed-last",
      what: "The receiver closes first: the token lives until the plugin has closed, too.",
      run: async (host) => {
        await waiting(host, open("denied"), "response_headers: grpc_close $last; grpc_close $last");
      },
    },
    {
      id: "sent-after-the-end",
      what: "What is sent to a receiver that has closed is lost; the token lives until it is cancelled.",
      run: async (host) => {
        await waiting(
          host,
          open("denied"),
          "grpc_close: grpc_send $last late 0; effective $stream; continue 0 | response_headers: grpc_send $last late 1; grpc_cancel $last; grpc_cancel $last",
        );
      },
    },
    {
      id: "cancel",
      what: "After a cancel no callback comes, and the token is gone.",
      run: async (host) => {
        await host.ask({
          script: `request_headers: ${open("slow")}; grpc_send $last one 0; grpc_cancel $last; grpc_send $last two 0; grpc_cancel $last; grpc_close $last`,
        });
        await host.wait(120);
      },
    },
    {
      id: "cancel-inside",
      what: "A cancel from the callback of a message.",
      run: async (host) => {
        await waiting(
          host,
          open("three"),
          "grpc_receive#1: grpc_cancel $last; effective $stream; continue 0",
        );
        await host.wait(60);
      },
    },
    {
      id: "two-at-once",
      what: "Two streams and a call at once: tokens of each kind count on their own.",
      shows: [26],
      run: async (host) => {
        await host.ask({
          script: `request_headers: ${open("slow")}; grpc_call denied pkg.Svc Do - ask 1000; ${open("never")}; return 1 | grpc_close: getstatus | grpc_close#2: getstatus; effective $stream; continue 0`,
        });
      },
    },
    {
      id: "refused",
      what: "An unknown service: ParseFailure; no token is used up.",
      run: async (host) => {
        await host.ask({
          script: `request_headers: ${open("nobody")}; ${open("^outside")}; ${open("never")}; grpc_cancel $last`,
        });
      },
    },
    {
      id: "service-message-of-unknown-cluster",
      what: "A message that names an unknown cluster: what the root is told while the call is made, and after it.",
      shows: [26],
      run: async (host) => {
        await host.ask({
          script: `request_headers: ${open("%0A%08%0A%06nobody")}; getstatus; ${open("slow")}`,
        });
        await host.untilLogged("status=0");
      },
    },
    {
      id: "refused-connection",
      what: "Nobody listens.",
      run: (host) => waiting(host, open("dead"), "grpc_initial: pairs 4 | grpc_trailing: pairs 5"),
    },
    {
      id: "closed-connection",
      what: "The receiver closes the connection before it answers.",
      run: (host) => waiting(host, open("gone"), "grpc_initial: pairs 4 | grpc_trailing: pairs 5"),
    },
    {
      id: "broken-after-headers",
      what: "The connection breaks after the headers, and after a message.",
      run: async (host) => {
        await waiting(host, open("cut"), "grpc_trailing: pairs 5");
        await waiting(host, open("cut"), "grpc_receive: get 5 0 10 | grpc_trailing: pairs 5");
      },
    },
    {
      id: "http-receiver",
      what: "A receiver that speaks no gRPC.",
      run: async (host) => {
        const lines = "grpc_initial: value 4 :status; value 4 x-up | grpc_trailing: pairs 5";
        await waiting(host, `${open("plain")}; grpc_send $last m 1`, lines);
        await waiting(host, `${open("plain")}; grpc_close $last`, lines);
      },
    },
    {
      id: "request-is-gone",
      what: "The request has ended before the stream: the root is told.",
      run: async (host) => {
        await host.ask({ script: `request_headers: ${open("slow")}` });
        await host.untilLogged("grpc_close(");
      },
    },
    {
      id: "odd-status",
      what: "A status that gRPC does not have, and one that is no number.",
      run: async (host) => {
        await waiting(host, `${open("odd")}; grpc_close $last`);
        await waiting(host, `${open("odd")}; grpc_close $last`);
      },
    },
    {
      id: "odd-messages",
      what: "A compressed message, one that begins as none does, and one that comes in pieces.",
      run: async (host) => {
        const lines = "grpc_receive: get 5 0 10 | grpc_trailing: pairs 5";
        await waiting(host, `${open("odd")}; grpc_close $last`, lines);
        await waiting(host, `${open("odd")}; grpc_close $last`, lines);
        await waiting(host, `${open("odd")}; grpc_close $last`, lines);
      },
    },
  ],
};
