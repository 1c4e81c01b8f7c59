import { beforeAll, describe, expect, test } from "vitest";
import type { ClusterOptions } from "../../../host-mock/http/cluster-options.ts";
import { envoyOf, hostEvents, linesOf, rawGuest, timeline, type Setup } from "./guests.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

function calling(up: ClusterOptions, words = "", setup: Setup = {}) {
  return envoyOf(life, {
    plugin: { kind: "singleton" },
    configuration: `tick=1000 call=up ${words}`,
    clusters: { up },
    ...setup,
  });
}

function answers(envoy: ReturnType<typeof envoyOf>): string[] {
  return timeline(envoy)
    .filter((line) => line.includes("on_http_call_response"))
    .map((line) => line.replace("main#1 on_http_call_response ", ""));
}

describe("outcomes", () => {
  test("an answer comes after its delay, with :status among the headers; tokens are 4, 8, 12", () => {
    const envoy = calling({ status: 201, headers: { x: "y" }, body: "hello", delay: "5ms" });

    envoy.advance("3500ms");

    expect(answers(envoy)).toEqual([
      "1005 id=1 token=4 headers=some size=5 trailers=0 status=201 body=hello code=0 message=",
      "2005 id=1 token=8 headers=some size=5 trailers=0 status=201 body=hello code=0 message=",
      "3005 id=1 token=12 headers=some size=5 trailers=0 status=201 body=hello code=0 message=",
    ]);
    expect(envoy.calls[0]).toMatchObject({
      atNs: 1e9,
      arrivedNs: 1e9,
      cluster: "up",
      method: "GET",
      path: "/tick",
      headers: [["x-term", "7"]],
      answered: 201,
      status: 201,
    });
  });

  test("slower than the timeout: Envoy's 504; what the receiver answered is in the trace all the same", () => {
    const envoy = calling({ delay: "5s" }, "timeout=2000 ticks=1");

    envoy.advance("10s");

    expect(answers(envoy)).toEqual([
      "3000 id=1 token=4 headers=some size=24 trailers=0 status=504 body=upstream request timeout code=0 message=",
    ]);
    expect(envoy.calls).toMatchObject([{ answered: 200, status: 504 }]);
  });

  test("a timeout of 2^31 ms or more is refused as BadArgument, and the trace says why", () => {
    const envoy = calling({}, "timeout=2147483648 ticks=1");

    envoy.advance("2s");

    expect(linesOf(envoy, "main#1").at(-1)).toBe("on_tick http_call=2 token=0");
    expect(hostEvents(envoy, "http_call_refused")).toMatchObject([
      { args: { cluster: "up", reason: "a timeout of 2^31 ms or more" }, status: "BadArgument" },
    ]);
  });

  test("never answered: received, and 504 at the timeout; with timeout 0 nothing ever comes", () => {
    const bounded = calling({ fail: "timeout" }, "ticks=1");
    const unbounded = calling({ fail: "timeout" }, "timeout=0 ticks=1");

    bounded.advance("10s");
    unbounded.advance("1h");

    expect(answers(bounded)).toHaveLength(1);
    expect(bounded.calls).toMatchObject([{ arrivedNs: 1e9, answered: null, status: 504 }]);
    expect(answers(unbounded)).toEqual([]);
    expect(unbounded.calls).toMatchObject([{ arrivedNs: 1e9, answered: null, status: null }]);
  });

  test("reset: no headers, status 11 and message reset; the code stays, the message does not", () => {
    let count = 0;
    const envoy = calling(() => (count++ === 0 ? { fail: "reset" } : { status: 200 }));

    envoy.advance("2s");

    expect(answers(envoy)).toEqual([
      "1000 id=1 token=4 headers=none size=0 trailers=0 status=!2 body=!1 code=11 message=reset",
      "2000 id=1 token=8 headers=some size=0 trailers=0 status=200 body= code=11 message=",
    ]);
    expect(envoy.calls[0]).toMatchObject({ answered: null, status: null });
  });

  test("refused connection: Envoy's 503 with text, and the receiver never saw the call", () => {
    const envoy = calling({ fail: "refuse_connection" }, "ticks=1");

    envoy.advance("1s");

    expect(answers(envoy)[0]).toContain("status=503 body=upstream connect error");
    expect(envoy.calls).toMatchObject([{ arrivedNs: null, answered: null, status: 503 }]);
  });

  test("closed without an answer: Envoy's 503 with another text; the receiver saw the call", () => {
    const envoy = calling({ fail: "disconnect" }, "ticks=1");

    envoy.advance("1s");

    expect(answers(envoy)[0]).toContain("reset reason: connection termination code=0");
    expect(envoy.calls).toMatchObject([{ arrivedNs: 1e9, answered: null, status: 503 }]);
  });

  test("without a host InternalFailure at once; a token is used up, and no callback comes", () => {
    const envoy = calling({ fail: "no_healthy_host" }, "ticks=1");

    envoy.advance("10s");

    expect(linesOf(envoy, "main#1").at(-1)).toBe("on_tick http_call=10 token=0");
    expect(envoy.calls).toEqual([]);
    expect(hostEvents(envoy, "http_call_refused")).toMatchObject([
      { args: { cluster: "up", reason: "no healthy host" }, status: "InternalFailure" },
    ]);
  });

  test("broken in the middle: no headers, though the receiver had answered", () => {
    const envoy = calling({ body: ["a", "b", "c"], frameGap: "10ms", breakAfter: 2 }, "ticks=1");

    envoy.advance("2s");

    expect(answers(envoy)).toEqual([
      "1010 id=1 token=4 headers=none size=0 trailers=0 status=!2 body=!1 code=11 message=reset",
    ]);
    expect(envoy.calls).toMatchObject([{ answered: 200, status: null }]);
  });

  test("a timeout between headers and end is a reset, at the timeout", () => {
    const envoy = calling({ body: ["a", "b"], frameGap: "1s" }, "timeout=500 ticks=1");

    envoy.advance("5s");

    expect(answers(envoy)).toEqual([
      "1500 id=1 token=4 headers=none size=0 trailers=0 status=!2 body=!1 code=11 message=reset",
    ]);
  });

  test("frames come as one body at their end, trailers are counted", () => {
    const envoy = calling(
      { body: ["a", "b"], frameGap: "10ms", trailers: { "x-t": "1", "x-u": "2" } },
      "ticks=1",
    );

    envoy.advance("2s");

    expect(answers(envoy)).toEqual([
      "1010 id=1 token=4 headers=some size=2 trailers=2 status=200 body=ab code=0 message=",
    ]);
  });

  test("a receiver of gRPC refuses HTTP", () => {
    const envoy = calling({ grpc: { messages: ["m"] } }, "ticks=1");

    envoy.advance("1s");

    expect(envoy.calls).toMatchObject([{ answered: 415, status: 415 }]);
  });

  test("an unknown cluster is BadArgument, uses up no token and is noted", () => {
    const envoy = envoyOf(life, {
      configuration: "tick=1000 call=nobody",
      plugin: { kind: "singleton" },
    });

    envoy.advance("1s");

    expect(linesOf(envoy, "main#1")).toContain("on_tick http_call=2 token=0");
    expect(hostEvents(envoy, "undeclared_cluster", "http_call_refused")).toMatchObject([
      { args: { cluster: "nobody" } },
      { status: "BadArgument", args: { reason: "no such cluster" } },
    ]);
  });

  test("undeclared clusters may be allowed: they answer 200, and nothing is noted", () => {
    const envoy = envoyOf(life, {
      configuration: "tick=1000 ticks=1 call=nobody",
      plugin: { kind: "singleton" },
      undeclaredClusters: "allow",
    });

    envoy.advance("1s");

    expect(envoy.calls).toMatchObject([{ cluster: "nobody", answered: 200, status: 200 }]);
    expect(hostEvents(envoy, "undeclared_cluster")).toEqual([]);
  });

  test("a timeout of 2^31 ms is BadArgument", () => {
    const envoy = calling({}, "timeout=2147483648");

    envoy.advance("1s");

    expect(linesOf(envoy, "main#1")).toContain("on_tick http_call=2 token=0");
  });

  test("a function sees method, path, headers and body at the instant of arrival", () => {
    const seen: unknown[] = [];
    const envoy = calling((request) => {
      seen.push([
        request.method,
        request.path,
        request.authority,
        request.header("X-Term"),
        request.text(),
      ]);
      return { status: 200 };
    });

    envoy.advance("1s");

    expect(seen).toEqual([["GET", "/tick", "up", "7", ""]]);
  });

  test("a function sees what Envoy adds; the run's calls show what the plugin gave", () => {
    const seen: unknown[] = [];
    const envoy = calling((request) => {
      seen.push(request.headers, request.rawHeaders);
      return {};
    });

    envoy.advance("1s");

    const received = [
      ["x-term", "7"],
      ["x-envoy-internal", "true"],
      ["x-envoy-expected-rq-timeout-ms", "1000"],
    ];
    expect(seen).toEqual([received, received]);
    expect(envoy.calls[0]!.headers).toEqual([["x-term", "7"]]);
  });
});

describe("who is told", () => {
  test("an answer during a pause waits for its end, even past the timeout if it came before", () => {
    const envoy = calling({ delay: "100ms" }, "timeout=500 ticks=1");
    envoy.advance("1s");

    envoy.thread("main").pause("5s");
    envoy.advance("10s");

    expect(answers(envoy)).toEqual([
      "6000 id=1 token=4 headers=some size=0 trailers=0 status=200 body= code=0 message=",
    ]);
  });

  test("a crash drops the answer; the call has reached the receiver", () => {
    const envoy = calling({ delay: "100ms" }, "ticks=1");
    envoy.advance("1s");

    envoy.thread("main").crash();
    envoy.advance("10s");

    expect(answers(envoy)).toEqual([]);
    expect(envoy.calls).toMatchObject([{ arrivedNs: 1e9, answered: 200, status: null }]);
    expect(hostEvents(envoy, "http_call_dropped")).toMatchObject([
      { atNs: 1.1e9, args: { reason: "crashed" } },
    ]);
  });

  test("a trapped VM is not told", () => {
    const envoy = envoyOf(life, {
      configuration: "tick=1000 call=up ticks=1",
      clusters: { up: { delay: "100ms" } },
    });
    envoy.advance("1s");
    envoy.thread("worker_0").request({ path: "/trap" });

    envoy.advance("1s");

    expect(hostEvents(envoy, "http_call_dropped")).toMatchObject([
      { thread: "worker_0", args: { reason: "trapped" } },
    ]);
  });
});
