/** Each check has a guest that keeps it, and one that violates it: test/guests/bad-leader. */
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { parseScenario } from "../../../host-mock/scenario/load.ts";
import { runScenario, type RunOptions, type ScenarioRun } from "../../../host-mock/scenario/run.ts";
import { checkNames } from "../../../host-mock/scenario/schema/checks.ts";
import { timeline, toJunit } from "../../../host-mock/report/index.ts";
import { buildGuest, root } from "../../support/build-guest.ts";

let wasm = "";

beforeAll(async () => {
  const args = ["-O", "--runtime", "stub", "--use", "abort=", "--exportStart", "_initialize"];
  const entry = "test/guests/bad-leader/plugin.guest.ts";
  wasm = (await buildGuest({ entry, config: false, args })).path;
});

interface Case {
  readonly mode: string;
  readonly check: Readonly<Record<string, unknown>> & { readonly check: string };
  /** What the violation says. */
  readonly says: RegExp;
  readonly events?: readonly unknown[];
  /** How an honest guest is asked for the same; else it is asked as the other. */
  readonly honestEvents?: readonly unknown[];
}

const plugin = "p";
const cluster = "collector";
const request = { at: "5s", do: "request", expect: { status: 200 } };

const cases: readonly Case[] = [
  {
    mode: "both-lead",
    check: { check: "single_winner", plugin },
    says: /^\S+#1 \(term \d+\) and \S+#1 \(term \d+\) both lead from 1 s to 12 s/,
  },
  {
    mode: "term-falls",
    check: { check: "terms_grow", plugin },
    says: /^(\S+) \(context 1, term 99\) leads at 5 s after \1 \(context 1, term 100\) at 1 s/,
  },
  {
    mode: "leads-late",
    check: { check: "leader_within", plugin, bound: "3s" },
    says: /^nobody leads from 0 s to 10 s: 10 s, longer than 3 s/,
  },
  {
    mode: "never-leads",
    check: { check: "somebody_led", plugin },
    says: /^nobody was ever elected$/,
  },
  {
    mode: "starts-twice",
    check: { check: "callbacks_paired", plugin },
    says: /^\S+#1 \(context 1\) claims term 101 at 5 s and has not stopped term 100, claimed at 1 s$/,
  },
  {
    mode: "stops-twice",
    check: { check: "callbacks_paired", plugin },
    says: /^\S+#1 \(context 1\) stops term 100 at 5 s and leads nothing$/,
  },
  {
    mode: "stops-other",
    check: { check: "callbacks_paired", plugin },
    says: /^\S+#1 \(context 1\) stops term 101 at 5 s and leads term 100$/,
  },
  {
    mode: "never-leads",
    check: { check: "callbacks_paired", plugin },
    says: /^nobody ever led$/,
  },
  {
    mode: "both-write",
    check: { check: "no_foreign_write", plugin },
    says: /^(\S+)#1 overwrites (?!\1)\S+#1's lease at 1 s: higress_wasm_vm_lease:p names [0-9a-f]+ and runs until 16 s/,
  },
  {
    mode: "never-leads",
    check: { check: "no_foreign_write", plugin },
    says: /^no set of shared data was recorded, so nothing was judged/,
  },
  {
    mode: "stale-call",
    check: { check: "no_stale_effect", cluster, header: "x-leader-term" },
    says: /^a call of \S+#1 with term 99 arrives after term 100 of \S+#1 at 5 s/,
  },
  {
    mode: "no-term",
    check: { check: "no_stale_effect", cluster, header: "x-leader-term" },
    says: /^a call of \S+#1 arrives without x-leader-term at 2 s/,
  },
  {
    mode: "silent",
    check: { check: "calls", cluster },
    says: /^0 calls, at least 1 expected$/,
  },
  {
    mode: "traps",
    check: { check: "traps", plugin, at_most: 0 },
    says: /^3 traps, at most 0 expected$/,
  },
  {
    mode: "traps",
    check: { check: "no_trap", plugin },
    says: /^\S+#1 trapped in proxy_on_tick at 3 s: RuntimeError: unreachable/,
  },
  {
    mode: "silent",
    check: { check: "log", plugin, matches: "tick" },
    says: /^0 matching lines, at least 1 expected$/,
  },
  {
    mode: "refuses",
    check: { check: "starts", plugin },
    says: /^main#canary refused its configuration at 0 s: this configuration says refuse/,
  },
  {
    mode: "calls-stranger",
    check: { check: "declared_clusters" },
    says: /^\S+#1 called cluster "stranger", which nobody declared, at 2 s/,
  },
  {
    mode: "honest",
    check: { check: "events_applied" },
    events: [
      { at: "2s", do: "crash", thread: "worker_0" },
      { at: "3s", do: "pause", thread: "worker_0", for: "1s" },
    ],
    honestEvents: [{ at: "3s", do: "pause", thread: "worker_0", for: "1s" }],
    says: /^pause at 3 s did not happen: /,
  },
  {
    mode: "teapot",
    check: { check: "expect" },
    events: [request],
    says: /^GET \/ on worker_0 got 418, 200 expected$/,
  },
];

function run(
  mode: string,
  { check, events = [] }: Pick<Case, "check" | "events">,
  options: RunOptions = {},
): ScenarioRun {
  const value = {
    name: mode,
    concurrency: 2,
    duration: "12s",
    plugins: [{ name: plugin, wasm, configuration: mode }],
    clusters: { collector: { status: 204 } },
    events,
    properties: check.check === "expect" ? [] : [check],
  };
  return runScenario(parseScenario(join(root, "scenario.json"), JSON.stringify(value)), options);
}

const verdictOf = (found: ScenarioRun, { check }: Case) =>
  found.verdicts.find(({ property }) => property === check.check)!;

describe("a guest that violates", () => {
  test("is there for each check", () => {
    const covered = new Set(cases.map(({ check }) => check.check));

    expect([...covered].sort()).toEqual([...checkNames, "expect"].sort());
  });

  test.each(cases.map((one) => [one.check.check, one.mode, one] as const))(
    "%s: %s, and one that is honest keeps it",
    (_check, mode, one) => {
      const honest = verdictOf(
        run("honest", { ...one, events: one.honestEvents ?? one.events ?? [] }),
        one,
      );
      const bad = verdictOf(run(mode, one), one);

      expect(honest).toMatchObject({ holds: true, ok: true });
      expect([bad.holds, bad.ok]).toEqual([false, false]);
      expect(bad.detail).toMatch(one.says);
    },
  );
});

describe("the last host calls of a violation", () => {
  const foreign = cases.find(({ mode }) => mode === "both-write")!;
  const single = cases[0]!;
  const plain = { color: false, width: 120 };

  test("stand in the text of the run, with instants, arguments and answers", () => {
    const text = timeline(run("both-write", foreign), plain);

    expect(text).toMatch(/ {2}no_foreign_write\n {4}last host calls of \S+#1 up to 1 s:\n/);
    expect(text).toMatch(/1 s proxy_set_shared_data\(key="higress_wasm_vm_lease:p", value="\{/);
    expect(text).not.toContain("host calls were not kept");
  });

  test("are those that were asked for, and stand in JUnit's failure too", () => {
    const found = run("both-lead", single, { alsoCalls: ["proxy_get_shared_data"] });

    expect(timeline(found, plain)).toMatch(
      /last host calls of \S+ up to 1 s:\n +1 s proxy_get_shared_data\(key="[^"]+"\) /,
    );
    expect(toJunit([found])).toContain("proxy_get_shared_data(key=");
  });

  test("are not there where nobody kept them, and the text says how to have them", () => {
    const text = timeline(run("both-lead", single), plain);

    expect(text).toContain("host calls were not kept: --trace FILE writes each of them as a line");
  });

  test("are not spoken of where all is as expected, or no VM is named", () => {
    const kept = timeline(run("honest", single), plain);
    const unnamed = timeline(
      run(
        "silent",
        cases.find(({ mode }) => mode === "silent")!,
      ),
      plain,
    );

    expect(`${kept}${unnamed}`).not.toMatch(/last host calls|were not kept/);
  });
});
