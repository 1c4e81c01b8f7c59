import { describe, expect, test } from "vitest";
import { runCommand } from "../../../host-mock/cli/program.ts";
import { profileNames } from "../../../host-mock/profiles/index.ts";
import { collectors } from "./collecting-streams.ts";

async function run(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const streams = collectors();
  const code = await runCommand(argv, streams);
  return { code, out: streams.stdout.text, err: streams.stderr.text };
}

describe("help", () => {
  test("names the commands there are, on stdout, and exits with 0", async () => {
    const { code, out, err } = await run("--help");

    expect(code).toBe(0);
    expect(err).toBe("");
    expect(out).toContain("simulate");
    expect(out).toContain("inspect");
    expect(out).not.toMatch(/\bserve\b|\bpackage\b|\binit\b/);
  });

  test("of simulate names each of its options", async () => {
    const { code, out } = await run("simulate", "--help");

    expect(code).toBe(0);
    for (const option of [
      "json",
      "junit",
      "trace",
      "report",
      "seed",
      "profile",
      "log-level",
      "quiet",
      "no-color",
      "help",
    ]) {
      expect(out).toContain(`--${option}`);
    }
    expect(out.replace(/\s+/g, " ")).toContain(`profile: ${profileNames.join(", ")}`);
  });

  test("of inspect stands too", async () => {
    const { code, out } = await run("inspect", "--help");

    expect(code).toBe(0);
    expect(out).toContain("--json");
  });

  test("has the package's version beside it", async () => {
    const { code, out } = await run("--version");

    expect(code).toBe(0);
    expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

const wrongUses: readonly [behaviour: string, argv: readonly string[], line: RegExp][] = [
  ["no command", [], /^proxy-wasm-as: no command is given; there are simulate, inspect, .*model$/],
  [
    "an unknown command",
    ["simulat", "a.yaml"],
    /unknown command 'simulat' \(Did you mean simulate\?\); there are simulate, inspect, .*model$/,
  ],
  [
    "a command that is not offered yet",
    ["serve", "a.yaml"],
    /^proxy-wasm-as: unknown command 'serve'.*; there are simulate, inspect, .*model$/,
  ],
  [
    "an unknown option, with all there are",
    ["simulate", "a.yaml", "--sead", "1"],
    /unknown option '--sead' \(Did you mean --seed\?\); there are --json, --junit, .*--help$/,
  ],
  [
    "an option that is not offered yet",
    ["simulate", "a.yaml", "--html", "r.html"],
    /unknown option '--html'; there are --json/,
  ],
  [
    "an option without its value",
    ["simulate", "a.yaml", "--seed"],
    /option '--seed <number>' argument missing; see proxy-wasm-as simulate --help$/,
  ],
  [
    "simulate without a file",
    ["simulate"],
    /missing required argument 'file'; see proxy-wasm-as simulate --help$/,
  ],
  [
    "inspect without a module",
    ["inspect"],
    /missing required argument 'plugin.wasm'; see proxy-wasm-as inspect --help$/,
  ],
  ["inspect of two modules", ["inspect", "a.wasm", "b.wasm"], /too many arguments/],
  [
    "two files with one trace",
    ["simulate", "a.yaml", "b.yaml", "--trace", "t.jsonl"],
    /^proxy-wasm-as simulate: --trace goes with one scenario file, and 2 are given; run them one by one/,
  ],
  [
    "a seed that is no number",
    ["simulate", "a.yaml", "--seed", "x"],
    /--seed cannot be "x"; give a whole number/,
  ],
  [
    "a negative seed",
    ["simulate", "a.yaml", "--seed", "-1"],
    /--seed cannot be "-1"; give a whole number/,
  ],
  [
    "a seed too large to be exact",
    ["simulate", "a.yaml", "--seed", "9007199254740993"],
    /--seed cannot be/,
  ],
  [
    "an unknown profile",
    ["simulate", "a.yaml", "--profile", "istio"],
    /--profile cannot be "istio"; .*envoy.*higress.*strict/,
  ],
  [
    "an unknown log level",
    ["simulate", "a.yaml", "--log-level", "loud"],
    /--log-level cannot be "loud"; there are trace, debug/,
  ],
];

describe("wrong use is one line on stderr, nothing on stdout, exit code 2:", () => {
  for (const [behaviour, argv, line] of wrongUses) {
    test(behaviour, async () => {
      const { code, out, err } = await run(...argv);

      expect(code).toBe(2);
      expect(out).toBe("");
      expect(err).toMatch(/^[^\n]+\n$/);
      expect(err.trimEnd()).toMatch(line);
    });
  }
});

test("a fault of ours exits with 70, asks for a report and shows where it happened", async () => {
  const streams = collectors();
  streams.stdout.write = () => {
    throw new TypeError("a bug");
  };

  const code = await runCommand(["--help"], streams);

  expect(code).toBe(70);
  expect(streams.stderr.text).toMatch(/please report it[^]*TypeError: a bug\n +at /);
});
