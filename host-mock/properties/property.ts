import { MockHostError } from "../errors.ts";
import type { RunFacts } from "./facts.ts";

/** What a property says of one run. */
export interface Judgement {
  readonly holds: boolean;
  /** One sentence: what, when, which VMs; "" when there is nothing to say. */
  readonly detail: string;
  /** The instant of the violation since the start of the run; null when it holds or has no instant. */
  readonly atMs: number | null;
}

/** A judgement beside what was expected of it: one entry of the result's `properties`. */
export interface Verdict extends Judgement {
  /** The check's name: `single_winner`, `calls`, `expect`, … */
  readonly property: string;
  /** A plugin, a cluster, or `request at 40s`. */
  readonly subject: string;
  readonly expected: "holds" | "violated";
  readonly implied: boolean;
  /** holds === (expected === "holds") */
  readonly ok: boolean;
}

/** A rule of a user's own. */
export interface Property {
  /** As verdicts and failures call it. */
  readonly name: string;
  readonly judge: (run: RunFacts) => Judgement;
}

/**
 * Makes a rule that a matcher or a scenario's run judges: `expect(envoy).toHold(rule)`,
 * `runScenario(scenario, { properties: [rule] })`. E_OPTION for a rule without a name.
 *
 *     const quiet = property("quiet", (run) =>
 *       always(run.logs.filter(({ level }) => level === "error").map(({ atNs, vm }) => ({ atNs, detail: `${vm} complains` }))),
 *     );
 */
export function property(name: string, judge: (run: RunFacts) => Judgement): Property {
  const given: unknown = name;
  if (typeof given !== "string" || given === "") {
    throw new MockHostError("E_OPTION", `property: the name is ${JSON.stringify(given)}`, {
      remedy: "give it the name that a failure shall show",
    });
  }
  if (typeof (judge as unknown) !== "function") {
    throw new MockHostError("E_OPTION", `property ${name}: there is no function that judges`, {
      remedy: "write property(name, (run) => always(…))",
    });
  }
  return { name, judge };
}

/** What a user's rule says of a run. E_OPTION when that is no judgement: a promise, or nothing. */
export function judgeProperty(rule: Property, run: RunFacts): Judgement {
  const judgement: unknown = rule.judge(run);
  if (isJudgement(judgement)) return judgement;
  throw new MockHostError("E_OPTION", `property ${rule.name} gave no judgement`, {
    remedy: "return what always, sometimes or eventuallyWithin gives, or { holds, detail, atMs }",
  });
}

function isJudgement(value: unknown): value is Judgement {
  if (value === null || typeof value !== "object") return false;
  const { holds, detail, atMs } = value as Record<string, unknown>;
  const isInstant = atMs === null || typeof atMs === "number";
  return typeof holds === "boolean" && typeof detail === "string" && isInstant;
}
