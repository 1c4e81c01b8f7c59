import { describe, expect, test } from "vitest";
import { factsOf } from "../../../host-mock/properties/index.ts";
import { check, type Check } from "../../../host-mock/scenario/schema/checks.ts";
import type { Frame } from "../../../host-mock/scenario/schema/frame.ts";
import {
  impliedChecks,
  verdictsOf,
  type Expectation,
} from "../../../host-mock/scenario/verdicts.ts";

function frameOf(plugins: readonly string[], checks: readonly Record<string, unknown>[]): Frame {
  const properties: Check[] = checks.map((each) => check.parse(each));
  return { plugins: plugins.map((name) => ({ name })), properties } as unknown as Frame;
}

function implied(plugins: readonly string[], ...checks: Record<string, unknown>[]): string[] {
  return impliedChecks(frameOf(plugins, checks)).map((spec) =>
    "plugin" in spec ? `${spec.check} ${spec.plugin}` : spec.check,
  );
}

/** What a request of the file expected that was never sent. */
function unsent(at: string): Expectation {
  return { subject: `request at ${at}`, spec: { check: "expect", request: 0, status: 200 } };
}

const always = ["events_applied", "declared_clusters"];

describe("implied checks", () => {
  test("stand beside a file without checks", () => {
    expect(implied(["a", "b"])).toEqual([
      "no_trap a",
      "no_trap b",
      "starts a",
      "starts b",
      ...always,
    ]);
  });

  test.each(["single_winner", "terms_grow", "leader_within"])(
    "include somebody_led beside %s",
    (name) => {
      const election = {
        check: name,
        plugin: "a",
        ...(name === "leader_within" ? { bound: "1s" } : {}),
      };

      expect(implied(["a", "b"], election)).toContain("somebody_led a");
      expect(implied(["a", "b"], election)).not.toContain("somebody_led b");
    },
  );

  test("leave somebody_led out where the file has it, or asks for no election", () => {
    const election = { check: "single_winner", plugin: "a" };

    expect(implied(["a"], election, { check: "somebody_led", plugin: "a" })).not.toContain(
      "somebody_led a",
    );
    expect(implied(["a"], { check: "calls", cluster: "c" })).toEqual([
      "no_trap a",
      "starts a",
      ...always,
    ]);
  });

  test("ask for no trap where the file counts them, of that plugin alone", () => {
    expect(implied(["a", "b"], { check: "traps", plugin: "a" })).toEqual([
      "no_trap b",
      "starts a",
      "starts b",
      ...always,
    ]);
  });

  test("give way to the same check of the file, of one plugin or of all", () => {
    expect(implied(["a", "b"], { check: "no_trap", plugin: "b" }, { check: "starts" })).toEqual([
      "no_trap a",
      ...always,
    ]);
    expect(implied(["a"], { check: "events_applied", expect: "violated" })).toEqual([
      "no_trap a",
      "starts a",
      "declared_clusters",
    ]);
  });
});

test("declared clusters are not implied where any cluster may be called", () => {
  const frame = { ...frameOf(["a"], []), undeclared_clusters: "allow" } as Frame;

  expect(impliedChecks(frame).map((spec) => spec.check)).not.toContain("declared_clusters");
});

describe("verdicts", () => {
  const facts = factsOf([], { durationNs: 30e9, witnesses: { a: "log" } });

  test("stand in the order of the file, then of its requests, then the implied ones", () => {
    const frame = frameOf(
      ["a"],
      [
        { check: "single_winner", plugin: "a" },
        { check: "calls", cluster: "c", expect: "violated" },
      ],
    );

    const verdicts = verdictsOf(frame, [unsent("40s")], facts);

    expect(
      verdicts.map(({ property, subject, implied: isImplied }) => [property, subject, isImplied]),
    ).toEqual([
      ["single_winner", "a", false],
      ["calls", "c", false],
      ["expect", "request at 40s", false],
      ["no_trap", "a", true],
      ["starts", "a", true],
      ["events_applied", "", true],
      ["declared_clusters", "", true],
      ["somebody_led", "a", true],
    ]);
  });

  test("are ok when they are as expected, a violation too", () => {
    const frame = frameOf(
      ["a"],
      [
        { check: "single_winner", plugin: "a", expect: "violated" },
        { check: "calls", cluster: "c", expect: "violated" },
      ],
    );

    const [winner, calls] = verdictsOf(frame, [], facts);

    expect(winner).toMatchObject({ holds: true, expected: "violated", ok: false });
    expect(calls).toMatchObject({ holds: false, expected: "violated", ok: true });
  });

  test("of a run in which nobody was elected fail", () => {
    const frame = frameOf(["a"], [{ check: "single_winner", plugin: "a" }]);

    const led = verdictsOf(frame, [], facts).find(({ property }) => property === "somebody_led");

    expect(led).toMatchObject({ holds: false, ok: false, implied: true });
  });

  test("of a request that was never sent fail", () => {
    const verdicts = verdictsOf(frameOf(["a"], []), [unsent("1s")], facts);

    expect(verdicts[0]).toMatchObject({ property: "expect", ok: false });
  });
});
