import { beforeAll, describe, expect, test } from "vitest";
import { rawPlugin } from "../../support/raw-guest.ts";
import { envoyOf, hostEvents, linesOf, rawGuest, type Setup } from "./guests.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

/** When each of the worker's body callbacks came, in milliseconds, and its size. */
function bodyTimes(envoy: ReturnType<typeof envoyOf>, callback: string): string[] {
  return envoy.recorder.events
    .filter(({ event }) => event === "log")
    .map(({ atNs, args }) => [atNs, new TextDecoder().decode(args["message"] as Uint8Array)])
    .filter(([, line]) => String(line).startsWith(callback))
    .map(
      ([atNs, line]) => `${String(Number(atNs) / 1e6)} ${/size=\d+ end=\d/.exec(String(line))![0]}`,
    );
}

const worker = (setup: Setup = {}) => {
  const envoy = envoyOf(life, setup);
  return { envoy, thread: envoy.thread("worker_0") };
};

describe("frames", () => {
  test("of a request come a gap apart, an answer's too", () => {
    const { envoy, thread } = worker();

    const answer = thread.request({
      body: ["abc", "de"],
      frameGap: "5ms",
      upstream: { body: ["f", "gh"], frameGap: "10ms", delay: "1ms" },
    });
    envoy.advance("1s");

    expect(bodyTimes(envoy, "on_request_body")).toEqual([
      ...["0 size=3 end=0", "5 size=2 end=0", "5 size=0 end=1"],
    ]);
    expect(bodyTimes(envoy, "on_response_body")).toEqual([
      ...["6 size=1 end=0", "16 size=2 end=0", "16 size=0 end=1"],
    ]);
    expect(answer.headers).toContainEqual(["x-envoy-upstream-service-time", "1"]);
    expect(answer.text()).toBe("fgh");
  });

  test("a frame longer than what Envoy reads at once comes in pieces", () => {
    const { envoy, thread } = worker({ listeners: { main: { bufferLimitBytes: 20_000 } } });

    thread.request({ body: new Uint8Array(70_000) });

    expect(bodyTimes(envoy, "on_request_body")).toEqual([
      ...["0 size=32768 end=0", "0 size=32768 end=0", "0 size=4464 end=0", "0 size=0 end=1"],
    ]);
  });

  test("an HTTP/2 body ends in its last frame, and has frames of 16 KiB at most", () => {
    const { envoy, thread } = worker();

    const answer = thread.request({ protocol: "HTTP/2", body: new Uint8Array(20_000) });

    expect(bodyTimes(envoy, "on_request_body")).toEqual([
      "0 size=16384 end=0",
      "0 size=3616 end=1",
    ]);
    expect(answer.headers.map(([name]) => name)).toEqual([
      ...["content-length", "x-envoy-upstream-service-time", "date", "server"],
    ]);
  });
});

describe("an upstream", () => {
  test("that never answers is a 504 when the route's 15 s are over", () => {
    const { envoy, thread } = worker();

    const answer = thread.request({ upstream: { fail: "timeout" } });
    envoy.advance("14999ms");
    const before = answer.done;
    envoy.advance("1ms");

    expect(before).toBe(false);
    expect(answer).toMatchObject({ status: 504, local: true });
    expect(answer.text()).toBe("upstream request timeout");
    expect(answer.upstream).toMatchObject({ isComplete: true });
  });

  test("that is slow beyond the route's timeout after it has begun is broken off", () => {
    const { envoy, thread } = worker({ listeners: { main: { routeTimeout: "20ms" } } });

    const answer = thread.request({ upstream: { body: ["a", "b", "c"], frameGap: "15ms" } });
    envoy.advance("1s");

    expect(answer).toMatchObject({ done: true, status: null, receivedStatus: 200, isReset: true });
    expect(answer.text()).toBe("ab");
  });

  test("that nobody listens for is a 503, and has seen nothing", () => {
    const { thread } = worker();

    const answer = thread.request({ upstream: { fail: "refuse_connection" } });

    expect(answer).toMatchObject({ status: 503, local: true, upstream: null });
    expect(answer.text()).toContain("reset reason: remote connection failure");
  });

  test("that breaks off after a frame resets the client's stream", () => {
    const { envoy, thread } = worker();

    const answer = thread.request({
      upstream: { body: ["a", "b"], frameGap: "10ms", breakAfter: 1 },
    });
    envoy.advance("1s");

    expect(answer).toMatchObject({ done: true, status: null, receivedStatus: 200, isReset: true });
    expect(answer.text()).toBe("a");
    expect(hostEvents(envoy, "request_ended")).toMatchObject([{ atNs: 10e6, result: null }]);
  });

  test("that answers before the request has ended closes the connection behind it", () => {
    const { envoy, thread } = worker();

    const answer = thread.request({
      body: ["a", "b"],
      frameGap: "1s",
      upstream: { answersAfter: "headers", body: "early" },
    });
    envoy.advance("5s");

    expect(answer).toMatchObject({ status: 200, isReset: false });
    expect(answer.headers.map(([name]) => name)).toEqual([
      ...["content-length", "date", "server", "connection"],
    ]);
    expect(answer.upstream).toMatchObject({ isComplete: false });
    expect(bodyTimes(envoy, "on_request_body")).toEqual(["0 size=1 end=0"]);
  });

  test("that is reset in the turn of the loop that brings a request has seen nothing", () => {
    const { envoy, thread } = worker();
    const answer = thread.request({ path: "/close" });

    expect(answer).toMatchObject({ status: null, isReset: true, upstream: null });
    expect(hostEvents(envoy, "request_upstream")).toEqual([]);
  });
});

describe("an upgrade", () => {
  const headers = { connection: "Upgrade", upgrade: "websocket" };

  test("is a 403 where the listener does not let it through, and no filter sees it", () => {
    const { envoy, thread } = worker();

    const answer = thread.request({ headers });

    expect(answer).toMatchObject({ status: 403, upstream: null });
    expect(linesOf(envoy, "worker_0#1").filter((line) => line.startsWith("on_request"))).toEqual(
      [],
    );
  });

  test("is 101 and then data in both directions", () => {
    const { envoy, thread } = worker({ listeners: { main: { allowUpgrade: true } } });

    const answer = thread.request({
      headers,
      body: ["ping", "pong"],
      frameGap: "10ms",
      upstream: { status: 101, delay: "5ms", body: ["hello", "bye"], frameGap: "20ms" },
    });
    envoy.advance("1s");

    expect(answer).toMatchObject({ done: true, status: 101, isReset: false });
    expect(answer.headers.map(([name]) => name)).toEqual([
      ...["upgrade", "connection", "date", "server"],
    ]);
    expect(answer.text()).toBe("hellobye");
    expect(new TextDecoder().decode(answer.upstream!.body)).toBe("pingpong");
    expect(bodyTimes(envoy, "on_request_body")).toEqual([
      ...["0 size=0 end=0", "5 size=4 end=0", "15 size=4 end=0"],
    ]);
    expect(bodyTimes(envoy, "on_response_body")).toEqual([
      ...["5 size=0 end=0", "5 size=5 end=0", "25 size=3 end=0", "45 size=0 end=0"],
    ]);
  });

  test("answered with another status has its headers alone, and the connection is closed", () => {
    const { envoy, thread } = worker({ listeners: { main: { allowUpgrade: true } } });

    const answer = thread.request({ headers, upstream: { body: "not here" } });

    expect(answer).toMatchObject({ status: 200 });
    expect(answer.headers.map(([name]) => name)).toEqual([
      ...["date", "server", "connection", "content-length"],
    ]);
    expect(linesOf(envoy, "worker_0#1")).toContain("on_response_headers id=2 n=1 end=1");
  });
});

describe("listeners", () => {
  test("a request goes to the first one, or to that of its name, through that one's plugins", () => {
    const { envoy, thread } = worker({
      plugins: [
        { name: "a", wasm: life, rootId: "a" },
        { name: "b", wasm: life, rootId: "b" },
      ],
      listeners: { both: {}, "b alone": { plugins: ["b"] }, none: { plugins: [] } },
    });
    const countOf = (listener?: string) => {
      const before = envoy.recorder.events.length;
      const answer = thread.request(listener === undefined ? {} : { listener });
      const seen = linesOf(envoy, "worker_0#1", before).filter((line) =>
        line.startsWith("on_request_headers"),
      );
      return [answer.listener, seen.length];
    };

    expect([countOf(), countOf("b alone"), countOf("none")]).toEqual([
      ["both", 2],
      ["b alone", 1],
      ["none", 0],
    ]);
    expect(() => thread.request({ listener: "other" })).toThrow(
      expect.objectContaining({ code: "E_UNKNOWN_NAME" }),
    );
  });

  test("a direct response answers at the headers", () => {
    const { thread } = worker({
      listeners: { main: { directResponse: { status: 203, body: "direct" } } },
    });

    const answer = thread.request({ body: "abc" });

    expect(answer).toMatchObject({ status: 203, local: true, upstream: null });
    expect(answer.text()).toBe("direct");
  });
});

describe("a stream in which nothing moves", () => {
  test("is a 504 after 5 minutes when the request is whole, else a 408", () => {
    const { envoy, thread } = worker();
    const whole = thread.request({ path: "/pause" });
    const partial = thread.request({ path: "/pause", body: ["a", "b"], frameGap: "10m" });

    envoy.advance("5m");

    expect([whole.status, partial.status]).toEqual([504, 408]);
    expect(whole.text()).toBe("stream timeout");
  });

  test("what moves begins the time anew, and no time at all may be set", () => {
    const { envoy, thread } = worker({
      listeners: {
        main: { idleTimeout: "20ms", routeTimeout: "0ms" },
        ever: { idleTimeout: "0ms" },
      },
    });
    const moving = thread.request({ body: ["a", "b", "c", "d"], frameGap: "15ms" });
    const waiting = thread.request({ listener: "ever", path: "/pause" });

    envoy.advance("1h");

    expect(moving.status).toBe(200);
    expect(waiting.done).toBe(false);
  });
});

test("back pressure: a stopped filter holds little, the client sends on, and gets its answer", () => {
  const { envoy, thread } = worker({
    configuration: "tick=1000",
    listeners: { main: { bufferLimitBytes: 1000 } },
  });
  const frame = "x".repeat(400);

  const answer = thread.request({
    path: "/resume",
    body: [frame, frame, frame, frame, frame],
    frameGap: "10ms",
  });
  envoy.advance("2s");

  expect(answer.status).toBe(200);
  expect(answer.upstream!.body).toHaveLength(2000);
  expect(bodyTimes(envoy, "on_request_body")).toEqual([
    ...["1000 size=1200 end=0", "1000 size=800 end=0", "1000 size=0 end=1"],
  ]);
});

test.each([
  ["request", 413, "Payload Too Large"],
  ["response", 500, "Internal Server Error"],
])("a %s held at its headers, with more body than may be, is a %i", (direction, status, text) => {
  const holding = rawPlugin(
    `(func (export "proxy_on_${direction}_headers") (param i32 i32 i32) (result i32) (i32.const 3))`,
  );
  const envoy = envoyOf(holding, { listeners: { main: { bufferLimitBytes: 10 } } });

  const answer = envoy
    .thread("worker_0")
    .request({ body: ["12345678", "901"], upstream: { body: ["12345678", "901"] } });

  expect(answer).toMatchObject({ status, local: true });
  expect(answer.text()).toBe(text);
});

describe("header limits", () => {
  const headers = Array.from({ length: 120 }, (_, index) => [`x-${String(index)}`, "v"] as const);

  test("HTTP/1.1: a 431 that plugins see in their log alone", () => {
    const { envoy, thread } = worker();

    const answer = thread.request({ headers });

    expect(answer).toMatchObject({ status: 431, upstream: null });
    expect(
      linesOf(envoy, "worker_0#1")
        .slice(-4)
        .map((line) => line.split(" ")[0]),
    ).toEqual([...["on_context_create", "on_log", "on_done", "on_delete"]]);
  });

  test("HTTP/2: a reset of which no plugin hears", () => {
    const { envoy, thread } = worker();
    envoy.start();
    const before = envoy.recorder.events.length;

    const answer = thread.request({ headers, protocol: "HTTP/2" });

    expect(answer).toMatchObject({ done: true, status: null, isReset: true });
    expect(linesOf(envoy, "worker_0#1", before)).toEqual([]);
  });

  test("raised, they let ten thousand pass", () => {
    const many = Array.from({ length: 10_000 }, (_, index) => [`x-${String(index)}`, "v"] as const);
    const { thread } = worker({
      listeners: { main: { maxRequestHeaderCount: 20_000, maxRequestHeadersKb: 8192 } },
    });

    const answer = thread.request({ headers: many });

    expect(answer.status).toBe(200);
    expect(answer.upstream!.headers).toHaveLength(10_000 + 4 + 3);
  });
});
