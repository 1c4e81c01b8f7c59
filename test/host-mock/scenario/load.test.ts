import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect } from "vitest";
import { MockHostError } from "../../../host-mock/errors.ts";
import { loadScenario } from "../../../host-mock/scenario/load.ts";
import { load, refusal, test } from "./loading.ts";
import { scenarioText } from "./scenario-text.ts";

describe("a right scenario", () => {
  test("has the documented defaults", ({ folder }) => {
    const { frame } = load(folder, scenarioText({ concurrency: "", clusters: "" }));

    expect(frame).toMatchObject({
      name: "a run",
      concurrency: 1,
      duration: 30e9,
      profile: "envoy",
      seed: 1,
      start: "2026-01-01T00:00:00Z",
      log_level: "debug",
      tick_jitter: 0,
      call_cost: 0,
      drain: 600e9,
      stats_flush_interval: 5e9,
      undeclared_clusters: "fail",
      clusters: {},
      events: [],
      properties: [],
    });
    expect(frame.plugins[0]).toMatchObject({
      root_id: "",
      vm_id: "",
      kind: "http",
      witness: "log",
    });
  });

  test("takes every event and every check of the contract", ({ folder }) => {
    const events = `events:
  - {at: 10s, do: crash, thread: worker_0}
  - {at: 12s, do: pause, leader_of: reporter, for: 10s}
  - {at: 15s, do: restart, thread: main}
  - {at: 16s, do: trap, leader_of: reporter, callback: proxy_on_tick}
  - {at: 20s, do: wipe, vm_id: ""}
  - {at: 25s, do: wall_clock, by: +1h}
  - {at: 25s, do: wall_clock, by: -30s}
  - {at: 30s, do: set_shared_data, key: K, value: "not json", vm_id: "", cas: 0}
  - {at: 30s, do: set_shared_data, key: K, value: {base64: AAH/}}
  - {at: 30s, do: set_shared_data, key: K, value: {repeat: "xy", times: 3}}
  - {at: 1s, do: refuse, call: proxy_set_shared_data, status: InternalFailure, for: 5s, leader_of: reporter}
  - {at: 1s, do: refuse, call: proxy_set_shared_data, status: CasMismatch, count: 2, thread: main}
  - {at: 3s, do: delay_calls, cluster: collector, thread: worker_0, by: 8s, for: 1s}
  - {at: 3s, do: reconfigure, plugin: reporter, configuration: {}}
  - {at: 4s, every: 1s, until: 9s, do: request, thread: worker_0, method: GET, path: /, headers: [[a, b]], body: "", trailers: [], upstream: {status: 200, headers: [], body: "", delay: 0ms}, expect: {status: 200}}
  - {at: 4s, every: 1s, count: 3, do: request, upstream: {fail: reset}}
  - {at: 10s, do: chaos, until: 50m, crash_every: 30s, restart_after: 5s, threads: all}
  - {at: 10s, do: chaos, until: 50m, crash_every: 30s, restart_after: 5s, threads: [main, worker_1]}
  - {at: 10s, do: chaos, until: 50m, crash_every: 30s, restart_after: 5s, threads: {leader_of: reporter}}`;
    const properties = `properties:
  - {check: single_winner, plugin: reporter}
  - {check: terms_grow, plugin: reporter}
  - {check: leader_within, plugin: reporter, bound: 18s}
  - {check: somebody_led, plugin: reporter}
  - {check: no_stale_effect, cluster: collector, header: x-leader-term}
  - {check: calls, cluster: collector, at_least: 20, at_most: 40}
  - {check: traps, plugin: reporter, at_least: 1, at_most: 1}
  - {check: log, plugin: reporter, matches: "report(ed|ing)", at_least: 1}
  - {check: single_winner, plugin: reporter, expect: violated}
  - {check: no_trap, expect: violated}
  - {check: starts, plugin: reporter}
  - {check: events_applied, expect: violated}
  - {check: declared_clusters}`;

    const { frame } = load(folder, scenarioText({ events, properties }));

    expect(frame.events).toHaveLength(19);
    expect(frame.properties).toHaveLength(13);
    expect(frame.events[6]).toMatchObject({ by: -30e9 });
    expect(frame.events[8]).toMatchObject({ value: new Uint8Array([0, 1, 255]) });
    expect(frame.events[9]).toMatchObject({ value: new TextEncoder().encode("xyxyxy") });
    expect(frame.properties[7]).toMatchObject({ matches: /report(ed|ing)/, expect: "holds" });
  });

  test("may be JSON, with tabs too", ({ folder }) => {
    const value = { name: "j", duration: "1s", plugins: [{ name: "p", wasm: "plugin.wasm" }] };

    const { frame } = load(folder, JSON.stringify(value, null, "\t"), "s.json");

    expect(frame.name).toBe("j");
  });

  test("sends a configuration object as JSON text, integers digit for digit", ({ folder }) => {
    const plugins = `plugins:
  - name: reporter
    wasm: plugin.wasm
    configuration: {big: 9007199254740993, deep: [1.5, null, "ü", {a: true}]}
    vm_configuration: "plain"`;

    const { frame } = load(folder, scenarioText({ plugins }));

    const text = new TextDecoder().decode(frame.plugins[0]?.configuration);
    expect(text).toBe('{"big":9007199254740993,"deep":[1.5,null,"ü",{"a":true}]}');
    expect(frame.plugins[0]?.vm_configuration).toEqual(new TextEncoder().encode("plain"));
  });

  test("reads a module once for all plugins that name it", ({ folder }) => {
    const plugins = "plugins: [{name: a, wasm: plugin.wasm}, {name: b, wasm: ./plugin.wasm}]";

    const { modules } = load(folder, scenarioText({ plugins }));

    expect(modules[0]).toHaveLength(8);
    expect(modules[1]).toBe(modules[0]);
  });

  test("keeps the place of each of its parts", ({ folder }) => {
    const { source } = load(folder, scenarioText());

    expect(source.place(["plugins", 0, "wasm"])).toBe(`${join(folder, "s.yaml")}:5:28`);
    expect(source.place(["plugins", 0, "wasm"], "key")).toBe(`${join(folder, "s.yaml")}:5:22`);
  });
});

describe("a file", () => {
  test("that does not exist is E_FILE", ({ folder }) => {
    expect(() => loadScenario(join(folder, "none.yaml"))).toThrow(
      /none\.yaml:1:1: the scenario cannot be read \(no such file\); name an existing scenario file$/,
    );
  });

  test("that is a directory is E_FILE", ({ folder }) => {
    mkdirSync(join(folder, "d.yaml"));

    expect(() => loadScenario(join(folder, "d.yaml"))).toThrow(/\(it is a directory\)/);
  });

  test("that is no UTF-8 is refused", ({ folder }) => {
    writeFileSync(join(folder, "b.yaml"), new Uint8Array([0xff, 0xfe, 0]));

    expect(() => loadScenario(join(folder, "b.yaml"))).toThrow(
      /b\.yaml:1:1: the file is not UTF-8 text; /,
    );
  });

  test("that is empty is refused", ({ folder }) => {
    expect(refusal(folder, "")).toContain(
      "s.yaml:1:1: the scenario must be an object with keys, not nothing",
    );
  });

  test("whose value contains itself is refused", ({ folder }) => {
    const plugins = "plugins:\n  - {name: a, wasm: plugin.wasm, configuration: &c {self: *c}}";

    expect(refusal(folder, scenarioText({ plugins }))).toContain(
      "s.yaml:5:59: the aliases cannot be followed (a value contains itself); write the values out",
    );
  });

  test("may name one value a thousand times, but not make a bomb of it", ({ folder }) => {
    const key = (value: string, index: number) =>
      `  - {at: 1s, do: set_shared_data, key: k${index}, value: ${value}}`;
    const many = [key("&g garbage", 0), ...Array.from({ length: 1000 }, (_, i) => key("*g", i))];
    const bomb = Array.from({ length: 9 }, (_, i) => {
      const inside = i === 0 ? "x" : `*l${i - 1}`;
      return `      l${i}: &l${i} [${Array(10).fill(inside).join(", ")}]`;
    });
    const plugins = `plugins:\n  - name: a\n    wasm: plugin.wasm\n    configuration:\n${bomb.join("\n")}`;

    const { frame } = load(folder, scenarioText({ events: `events:\n${many.join("\n")}` }));

    expect(frame.events).toHaveLength(1001);
    expect(refusal(folder, scenarioText({ plugins }))).toMatch(
      /^s\.yaml:\d{2}:\d+: the aliases cannot be followed \(they stand for more than 2000000 values\); /,
    );
  });

  test("of a hundred thousand brackets is refused", ({ folder }) => {
    expect(refusal(folder, "[".repeat(100_000))).toMatch(/^s\.yaml:1:\d+: /);
  });

  test("of any content is taken or refused in one line, and nothing else", ({ folder }) => {
    const right = scenarioText({ events: "events: [{at: 1s, do: crash, thread: main}]" });
    const mutation = fc.record({
      at: fc.nat(right.length),
      drop: fc.nat(8),
      insert: fc.string({ maxLength: 6, unit: fc.constantFrom(..."[]{}:,-*&!|>\"'#% \t\nab0") }),
    });

    fc.assert(
      fc.property(mutation, ({ at, drop, insert }) => {
        const text = right.slice(0, at) + insert + right.slice(at + drop);
        try {
          load(folder, text);
        } catch (error) {
          expect(error).toBeInstanceOf(MockHostError);
          expect((error as MockHostError).message).toMatch(/^\S+:\d+:\d+: [^\n]+; [^\n]+$/);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
