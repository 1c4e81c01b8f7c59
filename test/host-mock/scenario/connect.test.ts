import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { toResult, type Result } from "../../../host-mock/report/json.ts";
import { timeline } from "../../../host-mock/report/text.ts";
import { parseScenario } from "../../../host-mock/scenario/load.ts";
import { runScenario } from "../../../host-mock/scenario/run.ts";
import { buildGuest, root } from "../../support/build-guest.ts";
import { probeScript } from "../../conformance/probe-script.ts";

let wasm = "";

beforeAll(async () => {
  ({ path: wasm } = await buildGuest(probeScript));
});

function fileOf(events: readonly unknown[], script = "", kind = "network") {
  const value = {
    name: "connections",
    duration: "1s",
    plugins: [{ name: "A", wasm, kind, configuration: script }],
    events,
  };
  return parseScenario(join(root, "scenario.json"), JSON.stringify(value));
}

function run(events: readonly unknown[], script = ""): Result {
  return toResult(runScenario(fileOf(events, script)));
}

const echo = { at: "10ms", do: "connect", upstream: "echo" };

describe("a connect event", () => {
  test("sends its parts a gap apart, ends, and shows in the result what both sides got", () => {
    const event = { ...echo, send: ["one", "two"], gap: "20ms", finish: true };

    const { connections, logs } = run([event]);

    expect(connections).toEqual([
      {
        at_ms: 10,
        ended_ms: 50,
        thread: "worker_0",
        listener: "default",
        received: "onetwo",
        upstream: "onetwo",
        closed_by: "local",
      },
    ]);
    const data = logs.filter(
      ({ message }) => typeof message === "string" && message.startsWith("downstream_data"),
    );
    expect(data.map(({ at_ms: atMs }) => atMs)).toEqual([10, 30, 50]);
  });

  test("expects bytes and an end", () => {
    const right = { ...echo, send: ["a"], expect: { received: "a", closed: false } };
    const wrong = { ...echo, at: "20ms", send: ["a"], finish: true, expect: { received: "b" } };
    const open = { ...echo, at: "30ms", abandon: true, expect: { closed: false } };

    const { ok, properties } = run([right, wrong, open]);

    expect(ok).toBe(false);
    const expected = properties.filter(({ property }) => property === "expect");
    expect(expected.map(({ subject, holds, detail }) => [subject, holds, detail])).toEqual([
      ["connection at 10ms", true, ""],
      ["connection at 20ms", false, 'the connection of 0.02 s on worker_0 got "a", "b" expected'],
      ["connection at 30ms", false, "the connection of 0.03 s on worker_0 was closed"],
    ]);
  });

  test("sends nothing more on a connection that a plugin has closed", () => {
    const event = { ...echo, send: ["a", "b"], gap: "5ms", expect: { closed: true } };

    const { ok, connections } = run([event], "downstream_data: close 2");

    expect(ok).toBe(true);
    expect(connections[0]).toMatchObject({ ended_ms: 10, received: "", upstream: "" });
  });

  test("is counted in the text of the run", () => {
    const text = timeline(runScenario(fileOf([echo, echo])), { color: false, width: 100 });

    expect(text).toContain("0 calls sent · 2 connections · ");
  });

  test("has a server that speaks by itself", () => {
    const upstream = { sends: ["a", { base64: "/w==" }], gap: "2ms", closes: true, delay: "1ms" };

    const { connections } = run([{ at: "10ms", do: "connect", upstream }]);

    expect(connections[0]).toMatchObject({ received: { base64: "Yf8=" }, closed_by: null });
  });

  test.each([
    [{ ...echo, thread: "main" }, /main takes no connections/],
    [{ ...echo, finish: true, abandon: true }, /finish and abandon both/],
    [{ ...echo, upstream: "loud" }, /:1:\d+: upstream cannot be "loud"; there are echo, silent/],
    [{ ...echo, upstream: "eco" }, /did you mean echo/],
    [{ ...echo, upstream: 5 }, /upstream must be a server, not 5; write echo, silent/],
    [{ ...echo, upstream: { sendz: ["x"] } }, /unknown key "sendz" in an upstream; did you mean/],
    [{ ...echo, upstream: { gap: 5 } }, /a duration needs a unit, and 5 has none; write 5ms/],
    [{ ...echo, upstream: { closes: "yes" } }, /closes must be true or false/],
    [{ ...echo, send: "text" }, /send must be a list/],
  ] as const)("is refused when it makes no sense: %j", (event, message) => {
    expect(() => fileOf([event])).toThrow(message);
  });

  test("comes to an Envoy that refused to start: the connection is closed, the run judged", () => {
    const event = { ...echo, send: ["a"], finish: true };

    const { ok, connections, properties } = run([event], "configure: return 0");

    expect(ok).toBe(false);
    expect(properties.filter(({ holds }) => !holds).map(({ property }) => property)).toEqual([
      "starts",
    ]);
    expect(connections).toMatchObject([{ ended_ms: 10, received: "", closed_by: "local" }]);
  });

  test("is refused in a file without a network plugin", () => {
    expect(() => fileOf([echo], "", "http")).toThrow(/no plugin of the file is for connections/);
  });
});
