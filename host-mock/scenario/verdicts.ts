import {
  judge,
  judgeProperty,
  type CheckSpec,
  type Judgement,
  type Property,
  type RunFacts,
  type Verdict,
} from "../properties/index.ts";
import { isElectionCheck } from "./check-rules.ts";
import type { Check } from "./schema/checks.ts";
import type { ScenarioEvent } from "./schema/events.ts";
import type { Frame } from "./schema/frame.ts";

/** What a request or connection of the file expected. */
export interface Expectation {
  /** `request at 40s`: when the client made it, or would have, in the words of the file. */
  readonly subject: string;
  readonly spec: CheckSpec;
}

/** What an event of the file expects of what it made; `id` is 0 when nothing was made. */
export function expectationOf(
  event: ScenarioEvent,
  id: number,
  at: string,
): Expectation | undefined {
  if (event.do === "request" && event.expect !== undefined) {
    const { status } = event.expect;
    return { subject: `request at ${at}`, spec: { check: "expect", request: id, status } };
  }
  if (event.do === "connect" && event.expect !== undefined) {
    const spec: CheckSpec = { check: "expect", connection: id, ...event.expect };
    return { subject: `connection at ${at}`, spec };
  }
  return undefined;
}

/**
 * A verdict for each check of the file, then for each expectation and each rule of the caller's, then for each implied
 * check: what every run must keep unless the file itself says something of it.
 */
export function verdictsOf(
  frame: Frame,
  expectations: readonly Expectation[],
  facts: RunFacts,
  properties: readonly Property[] = [],
): Verdict[] {
  return [
    ...frame.properties.map((check) => verdict(specOf(check), check.expect, false, facts)),
    ...expectations.map((expectation) => expectVerdict(expectation, facts)),
    ...properties.map((rule) =>
      verdictOf(judgeProperty(rule, facts), { property: rule.name, subject: "" }, "holds", false),
    ),
    ...impliedChecks(frame).map((spec) => verdict(spec, "holds", true, facts)),
  ];
}

/** The implied checks that the file does not name itself. */
export function impliedChecks({ plugins, properties, undeclared_clusters }: Frame): CheckSpec[] {
  const implied: CheckSpec[] = [];
  const names = plugins.map(({ name }) => name);
  const isNamed = (plugin: string, ...checks: readonly Check["check"][]): boolean =>
    properties.some(
      (check) => checks.includes(check.check) && (pluginOf(check) ?? plugin) === plugin,
    );
  const elections = new Set(properties.filter(isElectionCheck).map(({ plugin }) => plugin));
  for (const plugin of names) {
    if (!isNamed(plugin, "no_trap", "traps")) implied.push({ check: "no_trap", plugin });
  }
  for (const plugin of names)
    if (!isNamed(plugin, "starts")) implied.push({ check: "starts", plugin });
  for (const check of ["events_applied", "declared_clusters"] as const) {
    if (check === "declared_clusters" && undeclared_clusters === "allow") continue;
    if (!properties.some((named) => named.check === check)) implied.push({ check });
  }
  for (const plugin of names) {
    if (elections.has(plugin) && !isNamed(plugin, "somebody_led")) {
      implied.push({ check: "somebody_led", plugin });
    }
  }
  return implied;
}

function pluginOf(check: Check): string | undefined {
  return "plugin" in check ? check.plugin : undefined;
}

function specOf(check: Check): CheckSpec {
  if (check.check !== "leader_within") return check;
  const { plugin, bound: boundNs, from: fromNs = 0 } = check;
  return { check: "leader_within", plugin, boundNs, fromNs };
}

function verdict(
  spec: CheckSpec,
  expected: Verdict["expected"],
  isImplied: boolean,
  facts: RunFacts,
): Verdict {
  const named = { property: spec.check, subject: subjectOf(spec) };
  return verdictOf(judge(spec, facts), named, expected, isImplied);
}

function verdictOf(
  { holds, detail, atMs }: Judgement,
  named: Pick<Verdict, "property" | "subject">,
  expected: Verdict["expected"],
  isImplied: boolean,
): Verdict {
  return {
    ...named,
    expected,
    implied: isImplied,
    ok: holds === (expected === "holds"),
    holds,
    detail,
    atMs,
  };
}

function subjectOf(spec: CheckSpec): string {
  if ("plugin" in spec) return spec.plugin ?? "";
  return "cluster" in spec ? spec.cluster : "";
}

function expectVerdict({ subject, spec }: Expectation, facts: RunFacts): Verdict {
  return { ...verdict(spec, "holds", false, facts), subject };
}
