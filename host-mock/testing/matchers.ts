import {
  callbacksPaired,
  callCount,
  factsOfEnvoy,
  hasLastCalls,
  judgeProperty,
  lastCalls,
  leaderWithin,
  logCount,
  MockEnvoy,
  judge,
  noForeignWrite,
  noStaleEffect,
  parseDuration,
  singleWinner,
  somebodyLed,
  starts,
  termsGrow,
  trapCount,
  trapLines,
  trapText,
  type Judgement,
  type Leadership,
  type Property,
  type RunFacts,
  type ScenarioRun,
} from "../index.ts";

/** A run, or the history of one of its elections: `envoy.election(name).history`. */
export type Elections = MockEnvoy | readonly Leadership[];

export interface CountRange {
  readonly atLeast?: number;
  readonly atMost?: number;
}

interface Context {
  readonly isNot: boolean;
}

interface Outcome {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The matchers as `expect.extend` takes them; `matcher-types.ts` documents each. */
export const matchers = {
  toHaveSingleWinner(this: Context, received: Elections, plugin?: string): Outcome {
    return ofElection(this, received, plugin, "a single winner", singleWinner);
  },
  toHaveGrowingTerms(this: Context, received: Elections, plugin?: string): Outcome {
    return ofElection(this, received, plugin, "growing terms", termsGrow);
  },
  toHaveLeaderWithin(this: Context, received: Elections, bound: string, plugin?: string): Outcome {
    const boundNs = parseDuration(bound);
    const what = `a leader within ${bound}`;
    if (!(received instanceof MockEnvoy)) {
      return ofElection(this, received, plugin, what, (history) =>
        leaderWithin(history, {
          boundNs,
          endNs: Math.max(0, ...history.map((one) => one.untilNs)),
        }),
      );
    }
    const named = pluginOf(received, plugin);
    return ofElection(this, received, named, what, () =>
      judge({ check: "leader_within", plugin: named, boundNs }, factsOfEnvoy(received)),
    );
  },
  toHaveSomebodyLed(this: Context, received: Elections, plugin?: string): Outcome {
    return outcome(this, "somebody who led", somebodyLed(historyOf(received, plugin)));
  },
  toHavePairedCallbacks(this: Context, received: MockEnvoy, plugin?: string): Outcome {
    const named = pluginOf(received, plugin);
    return ofElection(this, received, named, "paired callbacks", () =>
      callbacksPaired(factsOfEnvoy(received).turns.get(named) ?? []),
    );
  },
  toHaveNoForeignWrite(this: Context, received: MockEnvoy, plugin?: string): Outcome {
    const named = pluginOf(received, plugin);
    const facts = factsOfEnvoy(received);
    return outcome(this, "no foreign write", noForeignWrite(facts, named), () => facts);
  },
  toHaveNoStaleEffect(
    this: Context,
    received: MockEnvoy,
    options: { readonly cluster: string; readonly header: string },
  ): Outcome {
    const facts = factsOfEnvoy(received);
    return outcome(this, "no stale effect", noStaleEffect(facts.calls, options), () => facts);
  },
  toHold(this: Context, received: MockEnvoy | ScenarioRun, rule: Property): Outcome {
    const facts = received instanceof MockEnvoy ? factsOfEnvoy(received) : received.facts;
    return outcome(this, rule.name, judgeProperty(rule, facts), () => facts);
  },
  toHaveCalled(
    this: Context,
    received: MockEnvoy,
    cluster: string,
    range: CountRange = {},
  ): Outcome {
    return outcome(
      this,
      `calls to ${cluster}`,
      callCount(factsOfEnvoy(received).calls, cluster, range),
    );
  },
  toHaveLogged(
    this: Context,
    received: MockEnvoy,
    matches: RegExp | string,
    options: CountRange & { readonly plugin?: string } = {},
  ): Outcome {
    const plugin = pluginOf(received, options.plugin);
    const judgement = logCount(factsOfEnvoy(received).logs, { ...options, plugin, matches });
    return outcome(this, `log lines that match ${String(matches)}`, judgement);
  },
  toHaveTrapped(
    this: Context,
    received: MockEnvoy,
    options: CountRange & { readonly plugin?: string } = {},
  ): Outcome {
    const plugin = pluginOf(received, options.plugin);
    const { traps } = factsOfEnvoy(received);
    const { pass, message } = outcome(this, "traps", trapCount(traps, plugin, options));
    const first = traps.find((trap) => trap.plugin === plugin);
    const told = first === undefined ? [] : [trapText(first), ...trapLines(first)];
    return { pass, message: () => [message(), ...told].join("\n") };
  },
  toHaveStarted(this: Context, received: MockEnvoy, plugin?: string): Outcome {
    return outcome(this, "started", starts(factsOfEnvoy(received), pluginOf(received, plugin)));
  },
};

/**
 * An election in which nobody led proves nothing: it fails with and without `.not`.
 */
function ofElection(
  context: Context,
  received: Elections,
  plugin: string | undefined,
  what: string,
  property: (history: readonly Leadership[]) => Judgement,
): Outcome {
  const history = historyOf(received, plugin);
  if (history.length === 0) {
    return { pass: context.isNot, message: () => `expected ${what}, but nobody was ever elected` };
  }
  const isHistory = !(received instanceof MockEnvoy);
  const facts = isHistory ? undefined : () => factsOfEnvoy(received);
  return outcome(context, what, property(history), facts);
}

function outcome(
  context: Context,
  what: string,
  judgement: Judgement,
  facts?: () => RunFacts,
): Outcome {
  const { holds, detail } = judgement;
  const expected = context.isNot ? `did not expect ${what}` : `expected ${what}`;
  const told = detail === "" ? expected : `${expected}: ${detail}`;
  return { pass: holds, message: () => [told, ...callLines(judgement, facts)].join("\n") };
}

/** The last host calls of the VMs that a violation names, or how to have them. */
function callLines(judgement: Judgement, facts: (() => RunFacts) | undefined): string[] {
  if (facts === undefined || !hasLastCalls(judgement)) return [];
  const lines = lastCalls(facts(), judgement);
  return lines.length > 0
    ? lines
    : ['  for the last host calls: alsoCalls: ["proxy_get_shared_data", "proxy_set_shared_data"]'];
}

function historyOf(received: Elections, plugin: string | undefined): readonly Leadership[] {
  if (!(received instanceof MockEnvoy)) return received;
  return received.election(pluginOf(received, plugin)).history;
}

/** A run of one plugin needs no name. */
function pluginOf(envoy: MockEnvoy, plugin: string | undefined): string {
  if (plugin !== undefined) return plugin;
  const names = Object.keys(envoy.witnesses);
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  throw new Error(`which plugin? name one of ${names.join(", ")}`);
}
