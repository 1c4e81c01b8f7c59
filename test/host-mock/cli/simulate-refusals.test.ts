import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { simulate, Workplace } from "./workplace.ts";

let place: Workplace;
let folder = "";
let scenario: Workplace["scenario"];

beforeAll(async () => {
  place = await Workplace.make();
  folder = place.folder;
  scenario = (name, parts) => place.scenario(name, parts);
});

afterAll(() => place.remove());

describe("bad input is one line with place and remedy, nothing on stdout, exit code 2:", () => {
  const plugin = (wasm: string): Record<string, string> => ({
    plugins: `plugins:\n  - {name: beacon, wasm: ${wasm}}`,
  });
  const rows: readonly [behaviour: string, parts: Record<string, string>, line: string][] = [
    [
      "a missing module",
      plugin("none.wasm"),
      "bad.yaml:4:26: the module none.wasm cannot be read (no such file); build it first, or correct the path, which starts at the scenario file",
    ],
    ["a file that is not wasm", plugin("text.wasm"), "bad.yaml:4:26: "],
    [
      "a module that is no plugin",
      plugin("plain.wasm"),
      "bad.yaml:4:26: Wasm VM failed Missing or unknown Proxy-Wasm ABI version",
    ],
    [
      "a module of another profile, with the one that takes it",
      plugin("higress.wasm"),
      "use the profile higress",
    ],
    [
      "a module whose calls another profile has",
      plugin("redis.wasm"),
      "bad.yaml:4:26: Failed to load Wasm module due to a missing import: env.proxy_redis_init; the profile higress has all of them",
    ],
    ["a YAML error", { name: "name: [" }, "bad.yaml:2:1: the YAML is malformed"],
    [
      "an unknown key",
      { extra: "colour: red" },
      'bad.yaml:9:1: unknown key "colour" in a scenario; its keys are name,',
    ],
    [
      "a wrong tag",
      { events: "events: [{at: 1s, do: explode}]" },
      "bad.yaml:9:23: there is no do: explode; do: is one of crash",
    ],
    [
      "a bad unit",
      { duration: "duration: 3 minutes" },
      'bad.yaml:2:11: "3 minutes" is no duration; write',
    ],
    [
      "an unknown plugin in a check",
      { properties: "properties: [{check: starts, plugin: x}]" },
      'bad.yaml:7:38: there is no plugin "x"; there is beacon',
    ],
    [
      "duplicate names",
      { plugins: "plugins: [{name: a, wasm: beacon.wasm}, {name: a, wasm: beacon.wasm}]" },
      'bad.yaml:3:48: plugin 2 has the name "a" of plugin 1; give each',
    ],
    [
      "an election check nobody could judge",
      {
        extra: "log_level: info",
        properties: "properties: [{check: single_winner, plugin: beacon}]",
      },
      "bad.yaml:7:22: single_winner reads debug lines, and log_level info keeps them back; set log_level: debug",
    ],
  ];

  for (const [behaviour, parts, line] of rows) {
    test(behaviour, async () => {
      const { code, out, err } = await simulate(scenario("bad.yaml", parts));

      expect(code).toBe(2);
      expect(out).toBe("");
      expect(err).toMatch(/^[^\n]+:\d+:\d+: [^\n]+; [^\n]+\n$/);
      expect(err).toContain(line);
    });
  }

  test("a missing scenario", async () => {
    const { code, out, err } = await simulate(join(folder, "none.yaml"));

    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(
      /none\.yaml:1:1: the scenario cannot be read \(no such file\); name an existing scenario file\n$/,
    );
  });

  test("a log level on the command line under which nobody could judge", async () => {
    const properties = "properties: [{check: single_winner, plugin: beacon}]";

    const { code, err } = await simulate(
      scenario("bad.yaml", { properties }),
      "--log-level",
      "warn",
    );

    expect(code).toBe(2);
    expect(err).toContain(
      "bad.yaml:7:22: single_winner reads debug lines, and log_level warn keeps them back",
    );
  });

  test("one bad file among good ones, before any of them runs", async () => {
    const trace = join(folder, "junit-of-nothing.xml");

    const { code, out, err } = await simulate(
      scenario("fine.yaml"),
      scenario("bad.yaml", { extra: "x: 1" }),
      scenario("worse.yaml", { extra: "y: 1" }),
      ...["--junit", trace],
    );

    expect([code, out]).toEqual([2, ""]);
    expect(err.trimEnd().split("\n")).toHaveLength(2);
    expect(existsSync(trace)).toBe(false);
  });

  test("a trace file that cannot be written", async () => {
    const { code, out, err } = await simulate(
      scenario("fine.yaml"),
      "--trace",
      join(folder, "no/such/t.jsonl"),
    );

    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(
      /t\.jsonl:1:1: the file cannot be written \(ENOENT\); name a file in a folder that exists/,
    );
  });

  test("an output that is one of the inputs, however it is spelt: the input stays as it is", async () => {
    const file = scenario("fine.yaml");
    const module = join(folder, "beacon.wasm");
    symlinkSync(file, join(folder, "other-name.yaml"));
    linkSync(module, join(folder, "hard.wasm"));
    const before = [readFileSync(file), readFileSync(module)];
    const outputs = [
      file,
      join(folder, "x/../fine.yaml"),
      join(folder, "other-name.yaml"),
      module,
      join(folder, "hard.wasm"),
    ];
    mkdirSync(join(folder, "x"));

    for (const output of outputs) {
      for (const option of ["--trace", "--junit"]) {
        const { code, out, err } = await simulate(file, option, output);

        expect([code, out]).toEqual([2, ""]);
        expect(err).toMatch(
          /^proxy-wasm-as simulate: [^\n]+ is read by the run, and cannot be written by it; name another file[^\n]*\n$/,
        );
      }
    }
    expect([readFileSync(file), readFileSync(module)]).toEqual(before);
  });

  test("one file for two outputs", async () => {
    const file = scenario("fine.yaml");

    const { code, out, err } = await simulate(
      file,
      ...["--trace", join(folder, "same.out"), "--junit", join(folder, "./same.out")],
    );

    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("--trace and --junit name one file; name two");
    expect(existsSync(join(folder, "same.out"))).toBe(false);
  });

  test("a profile on the command line that refuses the module", async () => {
    const file = scenario("higress.yaml", {
      ...plugin("higress.wasm"),
      properties: "",
      extra: "profile: higress",
    });

    const refused = await simulate(file, "--profile", "envoy");
    const taken = await simulate(file, "--quiet");

    expect(refused.code).toBe(2);
    expect(refused.err).toContain("higress.yaml:4:26: ");
    expect(taken.code).toBe(0);
  });
});
