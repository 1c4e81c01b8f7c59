import { beforeAll, describe, expect, test } from "vitest";
import { envoyOf, hostEvents, linesOf, rawGuest } from "./guests.ts";

let life: Uint8Array;

beforeAll(async () => {
  life = await rawGuest("life");
});

/** The worker's lines about streams. */
function streamLines(envoy: ReturnType<typeof envoyOf>): string[] {
  return linesOf(envoy, "worker_0#1").filter((line) => / id=([2-9]|\d\d)/.test(line));
}

describe("a request", () => {
  test("GET: headers with end, then the answer's headers, data, an empty last frame; log, done, delete", () => {
    const envoy = envoyOf(life);

    const answer = envoy.thread("worker_0").request({ path: "/x", upstream: { body: "1234567" } });

    expect(streamLines(envoy)).toEqual([
      "on_context_create id=2 parent=1",
      "on_request_headers id=2 n=6 end=1 path=/x",
      "on_response_headers id=2 n=3 end=0",
      "on_response_body id=2 size=7 end=0",
      "on_response_body id=2 size=0 end=1",
      "on_log id=2 path=/x status=200",
      "on_done id=2",
      "on_delete id=2",
    ]);
    expect(answer).toMatchObject({ done: true, status: 200, local: false });
    expect(answer.text()).toBe("1234567");
    expect(answer.headers).toEqual([
      ["content-length", "7"],
      ["x-envoy-upstream-service-time", "0"],
      ["date", "Thu, 01 Jan 2026 00:00:00 GMT"],
      ["server", "envoy"],
    ]);
  });

  test("a body comes frame by frame, the end in an empty one; request headers are gone by then", () => {
    const envoy = envoyOf(life);

    const answer = envoy.thread("worker_0").request({ method: "POST", body: ["aaa", "bbbb"] });

    expect(streamLines(envoy).slice(1, 6)).toEqual([
      "on_request_headers id=2 n=7 end=0 path=/",
      "on_request_body id=2 size=3 end=0 path=!2",
      "on_request_body id=2 size=4 end=0 path=!2",
      "on_request_body id=2 size=0 end=1 path=!2",
      "on_response_headers id=2 n=3 end=1",
    ]);
    expect(new TextDecoder().decode(answer.upstream!.body)).toBe("aaabbbb");
  });

  test("trailers come after the body, both ways", () => {
    const envoy = envoyOf(life);

    const answer = envoy.thread("worker_0").request({
      body: "abc",
      trailers: [["x-sum", "1"]],
      upstream: { body: "de", trailers: { "x-end": "2" } },
    });

    expect(streamLines(envoy).slice(1, 7)).toEqual([
      "on_request_headers id=2 n=6 end=0 path=/",
      "on_request_body id=2 size=3 end=0 path=!2",
      "on_request_trailers id=2 n=1",
      "on_response_headers id=2 n=3 end=0",
      "on_response_body id=2 size=2 end=0",
      "on_response_trailers id=2 n=1",
    ]);
    expect(answer.upstream!.trailers).toEqual([["x-sum", "1"]]);
    expect(answer.trailers).toEqual([["x-end", "2"]]);
  });

  test("duplicate and empty headers survive, host means :authority, and the upstream sees pseudo headers", () => {
    const envoy = envoyOf(life);

    const answer = envoy.thread("worker_0").request({
      headers: [
        ["Host", "shop.example"],
        ["X-A", "1"],
        ["x-a", "2"],
        ["x-empty", ""],
      ],
      upstream: {
        headers: [
          ["set-cookie", "a"],
          ["set-cookie", "b"],
        ],
      },
    });

    const seen = answer.upstream!.headers.filter(([name]) => !name.startsWith("x-request-id"));
    expect(seen).toEqual([
      [":authority", "shop.example"],
      [":path", "/"],
      [":method", "GET"],
      [":scheme", "http"],
      ["x-a", "1"],
      ["x-a", "2"],
      ["x-empty", ""],
      ["x-forwarded-proto", "http"],
      ["x-envoy-expected-rq-timeout-ms", "15000"],
    ]);
    expect(answer.headers.slice(0, 2)).toEqual([
      ["set-cookie", "a"],
      ["set-cookie", "b"],
    ]);
  });

  test("two filters of one VM: request A, B; response B, A; both logs before the first done", () => {
    const envoy = envoyOf(life, {
      plugins: [
        { name: "a", wasm: life },
        { name: "b", wasm: life },
      ],
    });

    envoy.thread("worker_0").request();

    expect(linesOf(envoy, "worker_0#1").slice(7)).toEqual([
      "on_context_create id=3 parent=1",
      "on_request_headers id=3 n=6 end=1 path=/",
      "on_context_create id=4 parent=2",
      "on_request_headers id=4 n=6 end=1 path=/",
      "on_response_headers id=4 n=3 end=1",
      "on_response_headers id=3 n=3 end=1",
      "on_log id=3 path=/ status=200",
      "on_log id=4 path=/ status=200",
      "on_done id=3",
      "on_delete id=3",
      "on_done id=4",
      "on_delete id=4",
    ]);
  });

  test("the client leaves while the upstream works: log, done, delete, and no response callback", () => {
    const envoy = envoyOf(life);
    const answer = envoy.thread("worker_0").request({ upstream: { delay: "5s" } });
    envoy.advance("1s");

    answer.abandon();
    envoy.advance("10s");

    expect(streamLines(envoy).slice(2)).toEqual([
      "on_log id=2 path=/ status=!1",
      "on_done id=2",
      "on_delete id=2",
    ]);
    expect(answer).toMatchObject({ done: true, status: null });
  });

  test("an upstream that breaks before headers gives Envoy's own 503, through the response callbacks", () => {
    const envoy = envoyOf(life);

    const answer = envoy.thread("worker_0").request({ upstream: { fail: "reset" } });

    expect(answer).toMatchObject({ status: 503, local: true });
    expect(answer.text()).toContain("reset reason: connection termination");
    expect(streamLines(envoy)).toContain("on_response_headers id=2 n=3 end=0");
  });

  test("its events tell what was sent, what the upstream saw, and what the client got", () => {
    const envoy = envoyOf(life);

    envoy
      .thread("worker_0")
      .request({ path: "/p", body: "b", upstream: { status: 404 }, expect: { status: 200 } });

    const [started, upstream, ended] = hostEvents(
      envoy,
      "request_started",
      "request_upstream",
      "request_ended",
    );
    expect(started).toMatchObject({
      thread: "worker_0",
      args: { request: 1, method: "GET", path: "/p", headers: [] },
    });
    expect(upstream!.args["body"]).toEqual(new Uint8Array([0x62]));
    expect(ended).toMatchObject({ args: { request: 1, local: false, expect: 200 }, result: 404 });
  });

  test("the main thread serves none", () => {
    const envoy = envoyOf(life);

    expect(() => envoy.thread("main").request()).toThrow(
      expect.objectContaining({ code: "E_STATE" }),
    );
  });
});

describe("a local response", () => {
  test("in the request phase passes the plugin's own response callbacks, its body ending it", () => {
    const envoy = envoyOf(life);

    const answer = envoy.thread("worker_0").request({ path: "/local", body: "never seen" });

    expect(streamLines(envoy).slice(1)).toEqual([
      "on_request_headers id=2 n=7 end=0 path=/local",
      "on_response_headers id=2 n=3 end=0",
      "on_response_body id=2 size=5 end=1",
      "on_log id=2 path=/local status=418",
      "on_done id=2",
      "on_delete id=2",
    ]);
    expect(answer).toMatchObject({ status: 418, local: true, upstream: null });
    expect(answer.headers).toEqual([
      ["content-length", "5"],
      ["content-type", "text/plain"],
      ["date", "Thu, 01 Jan 2026 00:00:00 GMT"],
      ["server", "envoy"],
      ["connection", "close"],
    ]);
  });

  test("overrides a Continue, and the first of two wins", () => {
    const envoy = envoyOf(life);

    const empty = envoy.thread("worker_0").request({ path: "/empty" });
    const twice = envoy.thread("worker_0").request({ path: "/twice" });

    expect(empty).toMatchObject({ status: 204, upstream: null });
    expect(empty.headers.map(([name]) => name)).toEqual(["date", "server"]);
    expect(twice).toMatchObject({ status: 418, upstream: null });
    expect(twice.text()).toBe("one");
  });

  test("of an earlier filter: a later one that saw nothing gets its context for the log alone", () => {
    const envoy = envoyOf(life, {
      plugins: [
        { name: "a", wasm: life },
        { name: "b", wasm: life },
      ],
    });

    envoy.thread("worker_0").request({ path: "/local" });

    expect(linesOf(envoy, "worker_0#1").slice(11)).toEqual([
      "on_log id=3 path=/local status=418",
      "on_context_create id=4 parent=2",
      "on_log id=4 path=/local status=418",
      "on_done id=3",
      "on_delete id=3",
      "on_done id=4",
      "on_delete id=4",
    ]);
  });

  test("in the response phase goes straight to the client", () => {
    const envoy = envoyOf(life);

    const answer = envoy
      .thread("worker_0")
      .request({ upstream: { headers: { "x-todo": "local" }, body: "gone" } });

    expect(streamLines(envoy).slice(2)).toEqual([
      "on_response_headers id=2 n=4 end=0",
      "on_log id=2 path=/ status=419",
      "on_done id=2",
      "on_delete id=2",
    ]);
    expect(answer).toMatchObject({ status: 419, local: true });
    expect(answer.text()).toBe("late");
  });

  test("after the headers went to the client the stream is reset", () => {
    const envoy = envoyOf(life);

    const answer = envoy.thread("worker_0").request({ upstream: { body: "thirteen byte" } });

    expect(answer).toMatchObject({ done: true, status: null });
    expect(hostEvents(envoy, "request_ended")).toMatchObject([{ result: null }]);
  });

  test("a response whose :status was removed becomes a 502", () => {
    const envoy = envoyOf(life);

    const answer = envoy
      .thread("worker_0")
      .request({ upstream: { headers: { "x-todo": "nostatus" } } });

    expect(answer).toMatchObject({ status: 502, local: true });
  });
});

describe("pausing", () => {
  test("answer 1: nothing goes on, body callbacks do not come", () => {
    const envoy = envoyOf(life);

    const answer = envoy.thread("worker_0").request({ path: "/pause", body: "abc" });
    envoy.advance("4m");

    expect(answer).toMatchObject({ done: false, upstream: null });
    expect(streamLines(envoy)).toHaveLength(2);
  });

  test("resumed in a tick: the body received meanwhile comes in one call with end=1", () => {
    const envoy = envoyOf(life, { configuration: "tick=1000" });

    const answer = envoy.thread("worker_0").request({ path: "/resume", body: ["abc", "de"] });
    envoy.advance("1s");

    expect(streamLines(envoy).slice(2, 4)).toEqual([
      "on_request_body id=2 size=5 end=1 path=!2",
      "on_response_headers id=2 n=3 end=1",
    ]);
    expect(linesOf(envoy, "worker_0#1")).toContain("on_tick effective=0 continue=0");
    expect(new TextDecoder().decode(answer.upstream!.body)).toBe("abcde");
    expect(answer.status).toBe(200);
  });

  test("resumed without the effective context: continue answers Ok and the request hangs", () => {
    const envoy = envoyOf(life, { configuration: "tick=1000" });

    const answer = envoy.thread("worker_0").request({ path: "/resumeroot" });
    envoy.advance("10s");

    expect(linesOf(envoy, "worker_0#1")).toContain("on_tick effective=-1 continue=0");
    expect(answer.done).toBe(false);
  });

  test("a response is paused and resumed the same way", () => {
    const envoy = envoyOf(life, { configuration: "tick=1000" });

    const answer = envoy
      .thread("worker_0")
      .request({ upstream: { headers: { "x-todo": "resume" }, body: "abc" } });
    const before = answer.status;
    envoy.advance("1s");

    expect(before).toBeNull();
    expect(streamLines(envoy).slice(2, 4)).toEqual([
      "on_response_headers id=2 n=4 end=0",
      "on_response_body id=2 size=3 end=1",
    ]);
    expect(answer.text()).toBe("abc");
  });

  test("continue and Continue in one callback: harmless; continue and 1: GET passes, POST hangs", () => {
    const envoy = envoyOf(life);

    const go = envoy.thread("worker_0").request({ path: "/contgo", body: "abc" });
    const get = envoy.thread("worker_0").request({ path: "/contpause" });
    const post = envoy.thread("worker_0").request({ path: "/contpause", body: "abc" });
    envoy.advance("4m");

    expect(go.status).toBe(200);
    expect(get.status).toBe(200);
    expect(post.done).toBe(false);
    expect(linesOf(envoy, "worker_0#1")).toContain("on_request_headers continue=0 path=!2");
  });

  test("headers answer 2 is Continue, 9 a pause; a closed stream is reset", () => {
    const envoy = envoyOf(life);

    const two = envoy.thread("worker_0").request({ path: "/ret2", body: "abc" });
    const nine = envoy.thread("worker_0").request({ path: "/ret9" });
    const closed = envoy.thread("worker_0").request({ path: "/close" });

    expect(two.status).toBe(200);
    expect(nine.done).toBe(false);
    expect(closed).toMatchObject({ done: true, status: null });
  });
});
