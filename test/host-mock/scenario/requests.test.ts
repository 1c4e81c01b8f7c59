import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { toResult, type Result } from "../../../host-mock/report/json.ts";
import { parseScenario } from "../../../host-mock/scenario/load.ts";
import { runScenario } from "../../../host-mock/scenario/run.ts";
import { probeScript } from "../../conformance/probe-script.ts";
import { buildGuest, root } from "../../support/build-guest.ts";

let wasm = "";

beforeAll(async () => {
  ({ path: wasm } = await buildGuest(probeScript));
});

function fileOf(event: object) {
  const events = [{ at: "10ms", do: "request", ...event }];
  const plugins = [{ name: "A", wasm }];
  const value = { name: "requests", duration: "20s", plugins, events };
  return parseScenario(join(root, "scenario.json"), JSON.stringify(value));
}

function run(event: object): Result {
  return toResult(runScenario(fileOf(event)));
}

const timesOf = ({ logs }: Result, text: string) =>
  logs
    .filter(({ message }) => typeof message === "string" && message.startsWith(text))
    .map(({ at_ms: atMs }) => atMs);

describe("a request event", () => {
  test("sends frames and trailers a gap apart, over HTTP/2 if it says so", () => {
    const result = run({
      frames: ["ab", { base64: "/w==" }],
      frame_gap: "5ms",
      trailers: { "x-t": "1" },
      protocol: "HTTP/2",
    });

    expect(timesOf(result, "request_body(")).toEqual([10, 15]);
    expect(timesOf(result, "request_trailers(")).toEqual([20]);
    expect(result.requests[0]).toMatchObject({
      status: 200,
      upstream: { body: { base64: "YWL/" } },
    });
  });

  test("has an upstream that answers in frames, before the request has ended", () => {
    const result = run({
      frames: ["a", "b"],
      frame_gap: "1s",
      upstream: {
        frames: ["c", "d"],
        frame_gap: "5ms",
        answers_after: "headers",
        trailers: { x: "1" },
      },
    });

    expect(timesOf(result, "response_body(")).toEqual([10, 15]);
    expect(result.requests[0]).toMatchObject({ status: 200, body: "cd", upstream: null });
  });

  test("has an upstream that breaks off, never answers, or is not there", () => {
    const breaks = run({ upstream: { frames: ["c", "d"], break_after: 1 } });
    const silent = run({ upstream: { fail: "timeout" } });
    const absent = run({ upstream: { fail: "refuse_connection" } });

    expect(breaks.requests[0]).toMatchObject({ status: null, body: "c" });
    expect(silent.requests[0]).toMatchObject({ status: 504, body: "upstream request timeout" });
    expect(absent.requests[0]).toMatchObject({ status: 503, upstream: null });
  });

  test.each([
    [{ body: "a", frames: ["b"] }, /frames cannot stand beside body, which is a request's/],
    [{ upstream: { body: "a", frames: ["b"] } }, /frames cannot stand beside body/],
    [{ upstream: { fail: "timeout", frames: ["b"] } }, /frames cannot stand beside fail/],
    [{ protocol: "HTTP/3" }, /protocol cannot be "HTTP\/3"/],
    [{ upstream: { answers_after: "never" } }, /request, headers/],
    [{ frames: "abc" }, /frames must be a list of texts or bytes/],
  ])("%j is refused", (event, why) => {
    expect(() => fileOf(event)).toThrow(why);
  });
});
