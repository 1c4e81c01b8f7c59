import { expect, test } from "vitest";
import { rawPlugin } from "../../support/raw-guest.ts";
import { envoyOf, hostEvents } from "./guests.ts";

/** Holds nothing up, and continues the last request in every tick all the same, in the direction `type`. */
function restless(type: 0 | 1): Uint8Array {
  return rawPlugin(
    `(global $last (mut i32) (i32.const 0))
     (func (export "proxy_on_configure") (param i32 i32) (result i32)
       (drop (call $tick (i32.const 1000)))
       (i32.const 1))
     (func (export "proxy_on_request_headers") (param i32 i32 i32) (result i32)
       (global.set $last (local.get 0))
       (i32.const 0))
     (func (export "proxy_on_request_trailers") (param i32 i32) (result i32) (i32.const 0))
     (func (export "proxy_on_tick") (param i32)
       (drop (call $act (global.get $last)))
       (drop (call $continue (i32.const ${type}))))`,
    {
      imports: `
        (import "env" "proxy_set_tick_period_milliseconds" (func $tick (param i32) (result i32)))
        (import "env" "proxy_set_effective_context" (func $act (param i32) (result i32)))
        (import "env" "proxy_continue_stream" (func $continue (param i32) (result i32)))`,
    },
  );
}

test("a continue while the upstream answers sends nothing again, and the trace says so", () => {
  const envoy = envoyOf(restless(0));
  const answer = envoy.thread("worker_0").request({
    body: "abc",
    trailers: { "x-sum": "1" },
    upstream: { delay: "2500ms", body: "fine" },
  });

  envoy.advance("5s");

  expect([answer.status, answer.text()]).toEqual([200, "fine"]);
  expect(new TextDecoder().decode(answer.upstream!.body)).toBe("abc");
  expect(hostEvents(envoy, "request_upstream")).toHaveLength(1);
  expect(hostEvents(envoy, "request_ended")).toHaveLength(1);
  expect(hostEvents(envoy, "continue_ignored").map(({ atNs, args }) => [atNs, args])).toEqual([
    [1e9, { request: 1, direction: "request" }],
    [2e9, { request: 1, direction: "request" }],
  ]);
});

test("a continue of an answer that is under way changes nothing", () => {
  const envoy = envoyOf(restless(1));
  const answer = envoy.thread("worker_0").request({
    upstream: { body: ["fi", "ne"], frameGap: "1500ms" },
  });

  envoy.advance("5s");

  expect([answer.status, answer.text()]).toEqual([200, "fine"]);
  expect(hostEvents(envoy, "continue_ignored")).toMatchObject([
    { atNs: 1e9, args: { direction: "response" } },
  ]);
});
