import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import type { MockEnvoy } from "../../../host-mock/index.ts";
import type { GrpcClusterOptions, GrpcServerStream } from "../../../host-mock/http/grpc-options.ts";
import { lossyUtf8, utf8 } from "../../../host-mock/state/bytes.ts";
import { probeScript } from "../../conformance/probe-script.ts";
import { buildGuest } from "../../support/build-guest.ts";
import { envoyOf, hostEvents, timeline, type Setup } from "./guests.ts";

let scripted: Uint8Array;

beforeAll(async () => {
  scripted = (await buildGuest(probeScript)).bytes;
});

/** One VM on main, whose root does what the script says; `up` is its gRPC cluster. */
function running(script: string, grpc: GrpcClusterOptions["grpc"], setup: Setup = {}): MockEnvoy {
  return envoyOf(scripted, {
    plugin: { kind: "singleton" },
    configuration: script,
    clusters: { up: { grpc } },
    ...setup,
  });
}

/** What the VM logged after it was configured, with milliseconds. */
function told(envoy: MockEnvoy): string[] {
  const lines = timeline(envoy).filter((line) => line.includes("main#1"));
  const at = lines.findIndex((line) => line.includes("configure("));
  return lines.slice(at + 1).map((line) => line.replace("main#1 ", ""));
}

const call = (timeoutMs = 1000): string => `grpc_call up pkg.Svc Do x-a=1 ask ${timeoutMs}`;
const stream = "grpc_stream up pkg.Svc Watch -";

describe("a unary call", () => {
  test("is answered after its delay; the receiver has seen path, metadata and message", () => {
    const envoy = running(`configure: ${call()} | grpc_receive: get 5 0 9`, {
      messages: ["hello"],
      delay: "20ms",
    });

    envoy.advance("1s");

    expect(told(envoy)).toEqual([
      `0   ${call()} = 0 5`,
      "20 grpc_receive(ctx=1 token=5 size=5)",
      "20   get 5 0 9 = 0 hello",
    ]);
    expect(envoy.grpcCalls).toMatchObject([
      { vm: "main#canary", status: null, received: null },
      {
        vm: "main#1",
        kind: "call",
        cluster: "up",
        path: "/pkg.Svc/Do",
        status: 0,
        received: { service: "pkg.Svc", method: "Do", messages: [utf8("ask")], isEnded: true },
      },
    ]);
    expect(envoy.grpcCalls[1]!.received!.header("X-A")).toBe("1");
  });

  test("a function is asked at each arrival", () => {
    const seen: string[] = [];
    const envoy = running(`configure: ${call()} | grpc_close: getstatus`, (request) => {
      seen.push(`${request.path} ${request.messages.map(lossyUtf8).join()}`);
      return { status: 7, message: "not you" };
    });

    envoy.advance("1s");

    expect(seen).toEqual(["/pkg.Svc/Do ask"]);
    expect(told(envoy).at(-1)).toBe("0   getstatus = 0 code=7 not you{via_upstream}");
    expect(envoy.grpcCalls[1]).toMatchObject({ status: 7, message: "not you{via_upstream}" });
  });

  test("after its timeout the receiver is told that nobody waits", () => {
    let isCancelled = false;
    const script = { onCancel: () => void (isCancelled = true) };
    const envoy = running(`configure: ${call(50)} | grpc_close: getstatus`, { script });

    envoy.advance("1s");

    expect(told(envoy).slice(1)).toEqual([
      "50 grpc_close(ctx=1 token=5 status=14)",
      "50   getstatus = 0 code=14 upstream request timeout{response_timeout}",
    ]);
    expect(isCancelled).toBe(true);
    expect(envoy.grpcCalls[1]!.received!.isCancelled).toBe(true);
  });

  test("that is cancelled in the turn of its start never leaves", () => {
    const envoy = running(`configure: ${call()}; grpc_cancel 5`, { messages: ["m"] });

    envoy.advance("1s");

    expect(told(envoy)).toHaveLength(2);
    expect(envoy.grpcCalls[1]!.received).toBeNull();
    expect(hostEvents(envoy, "grpc_arrived")).toEqual([]);
    expect(hostEvents(envoy, "grpc_dropped")).toMatchObject([
      { vm: "main#canary", args: { reason: "cancelled" } },
      { vm: "main#1", args: { reason: "cancelled" } },
    ]);
  });

  test("of a thread that crashes reaches its receiver, and nobody is told", () => {
    const envoy = running(`configure: ${call()}`, { messages: ["m"], delay: "20ms" });
    envoy.advance("10ms");

    envoy.thread("main").crash();
    envoy.advance("1s");

    expect(told(envoy)).toHaveLength(1);
    expect(envoy.grpcCalls[1]).toMatchObject({ status: null, received: { isEnded: true } });
  });

  test("arrives as late as calls of its thread are held", () => {
    const arrived: number[] = [];
    const envoy = running(`tick: ${call()}; tick 0 | configure: tick 100`, () => {
      arrived.push(envoy.nowMs);
      return { messages: ["m"] };
    });
    envoy.start();

    envoy.thread("main").delayCalls({ cluster: "up", by: "300ms", for: "1s" });
    envoy.advance("1s");

    expect(arrived).toEqual([400]);
  });
});

describe("a stream with a script", () => {
  test("answers message by message, and keeps its order", () => {
    const script = {
      onStart: (side: GrpcServerStream) => side.sendMetadata({ x: "1" }),
      onMessage: (message: Uint8Array, side: GrpcServerStream) =>
        side.send(`re ${lossyUtf8(message)}`, "10ms"),
      onEnd: (side: GrpcServerStream) => side.close({ trailers: { t: "2" } }),
    };
    const lines = "grpc_initial: value 4 x | grpc_receive: get 5 0 99 | grpc_trailing: value 5 t";
    const envoy = running(
      `configure: ${stream}; grpc_send $last a 0; grpc_send $last b 1 | ${lines}`,
      { script },
    );

    envoy.advance("1s");

    expect(told(envoy).filter((line) => !line.includes("grpc_send"))).toEqual([
      `0   ${stream} = 0 6`,
      "0 grpc_initial(ctx=1 token=6 n=4)",
      "0   value 4 x = 0 1",
      "10 grpc_receive(ctx=1 token=6 size=4)",
      "10   get 5 0 99 = 0 re a",
      "10 grpc_receive(ctx=1 token=6 size=4)",
      "10   get 5 0 99 = 0 re b",
      "10 grpc_trailing(ctx=1 token=6 n=2)",
      "10   value 5 t = 0 2",
      "10 grpc_close(ctx=1 token=6 status=0)",
    ]);
  });

  test("breaks where it says", () => {
    const script = {
      onStart: (side: GrpcServerStream) => {
        side.send("one");
        side.reset("5ms");
      },
    };
    const envoy = running(`configure: ${stream} | grpc_close: getstatus`, { script });

    envoy.advance("1s");

    expect(told(envoy).slice(-2)).toEqual([
      "5 grpc_close(ctx=1 token=6 status=13)",
      "5   getstatus = 0 code=13 upstream_reset_after_response_started{connection_termination}",
    ]);
  });

  test("is told when the plugin's context goes", () => {
    const cancelled: number[] = [];
    const script = { onCancel: () => void cancelled.push(envoy.nowMs) };
    const envoy = running(`configure: ${stream}`, { script }, { drain: "1s" });
    envoy.advance("100ms");

    envoy.reconfigure("life", "configure: return 1");
    envoy.advance("2s");

    expect(cancelled).toEqual([1100]);
  });
});

describe("where a real Envoy's process crashes, the VM fails and says so", () => {
  test.each([
    ["a cluster without hosts", call(), "to the cluster up, which has no healthy host"],
    ["a message without a target", "grpc_stream ~ a b -", "a GrpcService message without a target"],
  ])("%s", (_, made, words) => {
    const envoy = running(`tick: ${made} | configure: tick 10`, { fail: "no_healthy_host" });

    envoy.advance("50ms");

    const traps = envoy.trace.filter(({ event }) => event === "trap");
    expect(traps.map(({ args }) => args["message"])).toEqual([
      expect.stringMatching(`a real Envoy crashes here: .*${words}`) as string,
    ]);
  });

  test("a target of Google's library is no such thing: the test is told", () => {
    const envoy = running("tick: grpc_call %12%03%0A%01x a b - m 10 | configure: tick 10", {});

    expect(() => envoy.advance("50ms")).toThrow(/google_grpc target/);
  });
});

test("a cluster that nobody declared is noted; made up, it answers an empty message", () => {
  const made = "grpc_call nobody pkg.Svc Do - ask 1000";
  const strict = running(`configure: ${made}`, {});
  const loose = running(`configure: ${made}`, {}, { undeclaredClusters: "allow" });

  strict.advance("1s");
  loose.advance("1s");

  expect(told(strict)).toEqual([`0   ${made} = 4 untouched`]);
  expect(hostEvents(strict, "undeclared_cluster")).toMatchObject([
    { vm: "main#canary", args: { cluster: "nobody" } },
    { vm: "main#1", args: { cluster: "nobody" } },
  ]);
  expect(told(loose).at(-1)).toBe("0 grpc_receive(ctx=1 token=5 size=0)");
});

test("a VM that is gone is not kept by calls that are over, however long their timeouts", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const envoy = running(`configure: ${call(4_000_000)}`, { messages: ["m"] });
  envoy.advance("1s");
  const gone = new WeakRef([...envoy.thread("main").vms.values()][0]!);

  envoy.thread("main").restart();
  envoy.advance("1s");
  await new Promise((resolve) => setImmediate(resolve));
  collect();

  expect(gone.deref()).toBeUndefined();
  expect(envoy.grpcCalls).toHaveLength(3);
});
