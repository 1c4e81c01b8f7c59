import { describe, expect, test } from "vitest";
import { rawPlugin } from "../../support/raw-guest.ts";
import { envoyOf } from "./guests.ts";

const imports = `
  (import "env" "proxy_close_stream" (func $close (param i32) (result i32)))
  (import "env" "proxy_continue_stream" (func $continue (param i32) (result i32)))
  (import "env" "proxy_get_property"
    (func $property (param i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_send_local_response"
    (func $reply (param i32 i32 i32 i32 i32 i32 i32 i32) (result i32)))
  (import "env" "proxy_log" (func $log (param i32 i32 i32) (result i32)))`;

const onRequest = (body: string, answer = 1): string =>
  `(func (export "proxy_on_request_headers") (param i32 i32 i32) (result i32)
     ${body} (i32.const ${answer}))`;
const onLog = (body: string): string => `(func (export "proxy_on_log") (param i32) ${body})`;
const close = (type: number): string => `(drop (call $close (i32.const ${type})))`;
const continueAnswer = "(drop (call $continue (i32.const 1)))";

/** What became of one request to a plugin with these callbacks: its trap's message and the client's answer. */
function served(callbacks: string) {
  const envoy = envoyOf(rawPlugin(callbacks, { imports }), { trace: "full" });
  const answer = envoy.thread("worker_0").request();
  envoy.advance("1s");
  const traps = envoy.trace.filter(({ event }) => event === "trap");
  return { traps: traps.map(({ args }) => args["message"]), answer, envoy };
}

const crash = (what: string): string[] => [`Error: a real Envoy crashes here: ${what}`];

describe("where a real Envoy's process crashes, the VM fails and says so:", () => {
  test.each([
    ["by one type", close(0) + close(0)],
    ["by both types", close(0) + close(1)],
  ])("a stream that is closed twice in one callback, %s", (_, twice) => {
    const { traps, answer } = served(onRequest(twice));

    expect(traps).toEqual(crash("a stream is closed twice in one callback"));
    expect(answer).toMatchObject({ done: true, status: null });
  });

  test("a stream that is closed while it is being logged", () => {
    const { traps, answer } = served(onRequest("", 0) + onLog(close(0)));

    expect(traps).toEqual(crash("a stream is closed while it is being logged"));
    expect(answer.status).toBe(200);
  });

  test.each([
    ["of a request that is held", 1],
    ["of one that goes on", 0],
  ])("an answer that is continued before it has begun, %s", (_, action) => {
    const { traps, answer } = served(onRequest(continueAnswer, action));

    expect(traps).toEqual(crash("an answer is continued that has not begun"));
    expect(answer).toMatchObject({ done: true, status: 503 });
  });
});

test("a stream that is closed once, and one after another, ends without a word", () => {
  const { traps, answer, envoy } = served(onRequest(close(0)));
  const next = envoy.thread("worker_0").request();

  expect(traps).toEqual([]);
  expect([answer, next]).toMatchObject([
    { done: true, status: null, isReset: true },
    { done: true, status: null, isReset: true },
  ]);
});

test("a stream that is closed when it is over stays as it was", () => {
  const onDone = `(func (export "proxy_on_done") (param i32) (result i32) ${close(0)} (i32.const 1))`;
  const { traps, answer } = served(onDone);

  expect(traps).toEqual([]);
  expect(answer).toMatchObject({ status: 200, isReset: false });
});

test("a local reply beside a close is not made: no callback comes after on_delete", () => {
  const reply = `(drop (call $reply (i32.const 403) (i32.const 0) (i32.const 0) (i32.const 0)
    (i32.const 0) (i32.const 0) (i32.const 0) (i32.const -1)))`;
  const onAnswer = `(func (export "proxy_on_response_headers") (param i32 i32 i32) (result i32)
    (i32.const 0))`;
  const { envoy, answer } = served(onRequest(reply + close(0)) + onAnswer);

  const callbacks = envoy.trace.filter(({ event }) => event === "callback");
  expect(callbacks.map(({ name }) => name)).not.toContain("proxy_on_response_headers");
  expect(answer).toMatchObject({ done: true, status: null, isReset: true });
});

test("a stream that a plugin closed has Envoy's details when it is logged", () => {
  const path = "response\\00code_details";
  const { envoy } = served(
    `(data (i32.const 8) "${path}")
     ${onRequest(close(0))}
     ${onLog(`
       (drop (call $property (i32.const 8) (i32.const 21) (i32.const 64) (i32.const 68)))
       (drop (call $log (i32.const 2) (i32.load (i32.const 64)) (i32.load (i32.const 68))))`)}`,
  );

  const lines = envoy.trace.filter(({ event, thread }) => event === "log" && thread === "worker_0");
  expect(lines.map(({ args }) => args["message"])).toEqual([
    new TextEncoder().encode("wasm_close_stream"),
  ]);
});
