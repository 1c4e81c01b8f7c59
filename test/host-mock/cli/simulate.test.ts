import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { property, result, simulate, Workplace } from "./workplace.ts";

let place: Workplace;
let folder = "";
let scenario: Workplace["scenario"];

beforeAll(async () => {
  place = await Workplace.make();
  folder = place.folder;
  scenario = (name, parts) => place.scenario(name, parts);
});

afterAll(() => place.remove());

describe("a run as expected", () => {
  test("prints a timeline and verdicts, and exits with 0", async () => {
    const { code, out, err } = await simulate(scenario("fine.yaml"));

    expect(code).toBe(0);
    expect(err).toBe("");
    expect(out).toContain("a beacon");
    expect(out).toContain("worker_0");
    expect(out).toMatch(/calls\s+collector/);
    expect(out).not.toContain("\u001b");
  });

  test("prints nothing when quiet", async () => {
    expect(await simulate(scenario("fine.yaml"), "--quiet")).toEqual({ code: 0, out: "", err: "" });
  });

  test("prints one JSON document with --json, implied checks in it", async () => {
    const { code, out, result: found } = await result(scenario("fine.yaml"));

    expect(code).toBe(0);
    expect(out.endsWith("}\n")).toBe(true);
    expect(found).toMatchObject({
      scenario: "a beacon",
      ok: true,
      seed: 1,
      profile: "envoy",
      duration_ms: 10_000,
    });
    expect(found.calls.length).toBeGreaterThanOrEqual(10);
    expect(property(found, "calls")).toMatchObject({
      subject: "collector",
      ok: true,
      implied: false,
    });
    for (const implied of ["no_trap", "starts", "events_applied", "declared_clusters"]) {
      expect(property(found, implied)).toMatchObject({ holds: true, implied: true });
    }
    expect(property(found, "somebody_led")).toBeUndefined();
  });

  test("of several files is one document with --json, and a summary without", async () => {
    const files = [scenario("one.yaml"), scenario("two.yaml", { name: "name: two" })];

    const { out: text } = await simulate(...files);
    const { out, code } = await simulate(...files, "--json");

    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      scenarios: [{ scenario: "a beacon" }, { scenario: "two" }],
    });
    expect(text).toContain("2 scenarios: all as expected");
  });

  test("takes seed, profile and log level from the command line", async () => {
    const { result: found } = await result(
      scenario("fine.yaml"),
      ...["--seed", "7", "--profile", "higress", "--log-level", "error"],
    );

    expect(found).toMatchObject({ ok: true, seed: 7, profile: "higress" });
  });

  test("writes JUnit XML beside it", async () => {
    const junit = join(folder, "junit.xml");

    await simulate(scenario("one.yaml"), scenario("two.yaml"), "--junit", junit, "--quiet");

    const xml = readFileSync(junit, "utf8");
    expect(xml.match(/<testsuite /g)).toHaveLength(2);
    expect(xml).toContain('failures="0"');
  });
});

describe("a run that is not as expected", () => {
  const tooMany = { properties: "properties: [{check: calls, cluster: collector, at_most: 2}]" };

  test("exits with 1 and ends with property and instant, seed, and a line to paste", async () => {
    const file = scenario("too many.yaml", tooMany);

    const { code, out, err } = await simulate(file, "--seed", "3");

    expect(code).toBe(1);
    expect(err).toBe("");
    const [failure, seed, again] = out.trimEnd().split("\n").slice(-3);
    expect(failure).toMatch(
      /^a beacon: calls of collector is violated at [\d.]+m?s: .*at most 2 expected/,
    );
    expect(seed).toBe("seed: 3");
    expect(again).toBe(`again: npx proxy-wasm-as simulate '${file}' --seed 3`);
  });

  test("runs again, alike, by the line that was printed", async () => {
    const first = await simulate(scenario("again.yaml", tooMany), "--seed", "3");
    const line = /^again: npx proxy-wasm-as simulate (.*)$/m.exec(first.out)?.[1] ?? "";

    const second = await simulate(...line.split(" "));

    expect(second).toEqual(first);
  });

  test("shows only that when quiet", async () => {
    const { code, out } = await simulate(scenario("many.yaml", tooMany), "--quiet");

    expect(code).toBe(1);
    expect(out.split("\n").slice(0, -1)).toHaveLength(3);
  });

  test("holds where a violation was expected", async () => {
    const properties = "properties: [{check: calls, cluster: collector, expect: violated}]";

    const { code, result: found } = await result(scenario("violated.yaml", { properties }));

    expect(code).toBe(1);
    expect(property(found, "calls")).toMatchObject({
      holds: true,
      ok: false,
      expected: "violated",
    });
  });

  test("is a plugin that refuses its configuration, with its last log line", async () => {
    const plugins = "plugins: [{name: beacon, wasm: beacon.wasm, configuration: refuse}]";

    const { code, result: found } = await result(
      scenario("refuse.yaml", { plugins, properties: "" }),
    );

    expect(code).toBe(1);
    expect(property(found, "starts")).toMatchObject({ holds: false, implied: true });
    expect(property(found, "starts")?.detail).toContain("this configuration says refuse");
  });

  test("is a call to a cluster nobody declared", async () => {
    const parts = { clusters: "clusters: {other: {}}", properties: "" };

    const failing = await result(scenario("undeclared.yaml", parts));
    const properties = "properties: [{check: calls, cluster: collector, at_least: 10}]";
    const allowed = await result(
      scenario("allowed.yaml", { ...parts, properties, extra: "undeclared_clusters: allow" }),
    );

    expect(property(failing.result, "declared_clusters")).toMatchObject({
      holds: false,
      implied: true,
    });
    expect(failing.code).toBe(1);
    expect(allowed.code).toBe(0);
  });

  test("is an election check of a run in which nobody led", async () => {
    const properties = "properties: [{check: single_winner, plugin: beacon}]";

    const { code, result: found } = await result(scenario("nobody.yaml", { properties }));

    expect(code).toBe(1);
    expect(property(found, "single_winner")).toMatchObject({ ok: true });
    expect(property(found, "somebody_led")).toMatchObject({ ok: false, implied: true });
  });

  test("is an event that could not happen", async () => {
    const parts = { events: "events: [{at: 2s, do: crash, leader_of: beacon}]" };

    const { code, result: found } = await result(scenario("leaderless.yaml", parts));

    expect(code).toBe(1);
    expect(property(found, "events_applied")).toMatchObject({ holds: false, implied: true });
  });

  test("wins over a run as expected beside it", async () => {
    const { code } = await simulate(
      scenario("fine.yaml"),
      scenario("many.yaml", tooMany),
      "--quiet",
    );

    expect(code).toBe(1);
  });
});

describe("events of a file", () => {
  test("change the run", async () => {
    const events =
      "events: [{at: 4500ms, do: crash, thread: main}, {at: 4500ms, do: crash, thread: worker_0}]";
    const properties = "properties: [{check: calls, cluster: collector, at_least: 8, at_most: 10}]";

    const { code, result: found } = await result(scenario("crash.yaml", { events, properties }));

    expect(found.calls.length).toBeLessThanOrEqual(10);
    expect(code).toBe(0);
  });

  test("include those due at the very end, and no repetition after it", async () => {
    const events = "events: [{at: 10s, every: 1ms, until: 11s, do: request}]";

    const { result: found } = await result(scenario("end.yaml", { events }));

    expect(found.requests.map(({ at_ms }) => at_ms)).toEqual([10_000]);
  });

  test("make requests, whose expectations become properties by their instant", async () => {
    const events = `events:
  - {at: 2s, every: 500ms, count: 3, do: request, path: /teapot, expect: {status: 418}}
  - {at: 4s, do: request, expect: {status: 204}}
  - {at: 5s, do: request, upstream: {status: 503, body: busy}, expect: {status: 503}}`;

    const { code, result: found } = await result(scenario("requests.yaml", { events }));

    const expected = found.properties.filter(({ property: name }) => name === "expect");
    expect(expected.map(({ subject, ok }) => [subject, ok])).toEqual([
      ["request at 2s", true],
      ["request at 2.5s", true],
      ["request at 3s", true],
      ["request at 4s", false],
      ["request at 5s", true],
    ]);
    expect(found.requests.map(({ status, body }) => [status, body]).at(-1)).toEqual([503, "busy"]);
    expect(code).toBe(1);
  });

  test("of one instant happen in file order, however they repeat", async () => {
    const events = `events:
  - {at: 3s, do: set_shared_data, key: k, value: first}
  - {at: 1s, every: 1s, count: 3, do: set_shared_data, key: k, value: second}
  - {at: 3s, do: set_shared_data, key: k, value: third}`;

    const { out } = await simulate(scenario("order.yaml", { events }), "--json");

    expect(JSON.parse(out)).toMatchObject({
      shared_data: { "": { k: { value: "third", cas: 5 } } },
    });
  });
});

describe("the trace", () => {
  test("has a line per event, calls and callbacks too, and is the same twice", async () => {
    const [one, two] = [join(folder, "1.jsonl"), join(folder, "2.jsonl")];

    await simulate(scenario("fine.yaml"), "--trace", one, "--quiet");
    await simulate(scenario("fine.yaml"), "--trace", two, "--quiet");

    const lines = readFileSync(one, "utf8").trimEnd().split("\n");
    const events = lines.map(
      (line) => JSON.parse(line) as { n: number; event: string; name: string },
    );
    expect(events.map(({ n }) => n)).toEqual(events.map((_, index) => index + 1));
    expect(new Set(events.map(({ event }) => event))).toEqual(
      new Set(["timer", "callback", "return", "call", "log"]),
    );
    expect(events.some(({ event, name }) => event === "call" && name === "proxy_http_call")).toBe(
      true,
    );
    expect(readFileSync(two)).toEqual(readFileSync(one));
  });

  test("is another one under another seed", async () => {
    const [one, two] = [join(folder, "3.jsonl"), join(folder, "4.jsonl")];

    await simulate(scenario("fine.yaml"), "--trace", one, "--quiet");
    await simulate(scenario("fine.yaml"), "--trace", two, "--quiet", "--seed", "2");

    expect(readFileSync(two, "utf8")).not.toBe(readFileSync(one, "utf8"));
  });

  test("changes nothing of the result", async () => {
    const plain = await simulate(scenario("fine.yaml"), "--json");
    const traced = await simulate(
      scenario("fine.yaml"),
      "--json",
      "--trace",
      join(folder, "5.jsonl"),
    );

    expect(traced).toEqual(plain);
  });
});
