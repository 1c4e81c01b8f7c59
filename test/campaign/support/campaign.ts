/** Campaigns: one setting, many seeds, random faults for nine minutes of each, and a minute of calm. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import {
  drawPlan,
  factsOf,
  judge,
  MockEnvoy,
  pausePointsOf,
  planScenario,
  runPlan,
  shrinkPlan,
  type CheckSpec,
  type FaultPlan,
  type FaultRates,
  type MockEnvoyOptions,
  type PlanNames,
} from "../../../host-mock/index.ts";
import { root } from "../../support/build-guest.ts";

export const concurrency = 8;
export const duration = "10m";
export const calm = "1m";
const durationNs = 600e9;
export const calmFromNs = 540e9;
const threads = ["main", ...Array.from({ length: concurrency }, (_, at) => `worker_${at}`)];
/** Shrinking a failing plan is a help, and may take no longer than a campaign. */
const shrinkTriesMax = 200;

export interface Campaign {
  /** The name of its file. */
  readonly name: string;
  /** The module's file, which the scenario of a failing seed names. */
  readonly wasm: string;
  /** One plugin. */
  readonly options: Pick<MockEnvoyOptions, "plugins" | "clusters">;
  /** The same in the words of a scenario file. */
  readonly frame: Readonly<Record<string, unknown>>;
  readonly rates: FaultRates;
  readonly names: Omit<PlanNames, "threads">;
  readonly checks: readonly CheckSpec[];
  /** Traps are violations, but for those of the plan. */
  readonly plugin: string;
}

/** What came of one seed. */
export interface Outcome {
  readonly seed: number;
  /** A line for each check that does not hold. */
  readonly violations: readonly string[];
  readonly callCount: number;
  /** Calls that the receiver's fence refused. */
  readonly refusedCount: number;
  readonly leadershipCount: number;
  readonly faultCount: number;
}

export function planOf({ rates, names }: Campaign, seed: number): FaultPlan {
  return drawPlan({ seed, duration, calm, rates, threads, ...names });
}

export function runSeed(campaign: Campaign, plan: FaultPlan): Outcome {
  const envoy = new MockEnvoy({
    ...campaign.options,
    concurrency,
    seed: plan.seed,
    drain: "20s",
    pausePoints: pausePointsOf(plan.faults),
  });
  runPlan(envoy, plan);
  envoy.advance(duration).end();
  const facts = factsOf(envoy.trace, { durationNs, witnesses: envoy.witnesses });
  const violations = campaign.checks.flatMap((check) => {
    const { holds, detail } = judge(check, facts);
    return holds ? [] : [`${check.check}: ${detail}`];
  });
  const applied = facts.faults.filter(({ status }) => status === "applied");
  const plannedTraps = applied.filter(({ name }) => name === "trap").length;
  // A trap that a fault asks for has no frame of the guest's.
  const own = facts.traps.find(({ args }) => args["function_index"] !== null);
  if (own !== undefined || facts.traps.length > plannedTraps) {
    const where = JSON.stringify(own?.args["function"] ?? null);
    violations.push(`no_trap: ${facts.traps.length} traps, ${plannedTraps} planned, in ${where}`);
  }
  return {
    seed: plan.seed,
    violations,
    callCount: facts.calls.length,
    refusedCount: facts.calls.filter(({ isRefused }) => isRefused).length,
    leadershipCount: facts.leaderships.get(campaign.plugin)?.length ?? 0,
    faultCount: applied.length,
  };
}

/** Numbers of a campaign, over all of its seeds so far. */
export class Totals {
  readonly #name: string;
  readonly #startMs = performance.now();
  readonly violating: Outcome[] = [];
  seedCount = 0;
  refusedCount = 0;
  #callCount = 0;
  #leadershipCount = 0;
  #faultCount = 0;

  constructor(name: string) {
    this.#name = name;
  }

  add(outcome: Outcome): void {
    this.seedCount++;
    this.#callCount += outcome.callCount;
    this.refusedCount += outcome.refusedCount;
    this.#leadershipCount += outcome.leadershipCount;
    this.#faultCount += outcome.faultCount;
    if (outcome.violations.length > 0) this.violating.push(outcome);
  }

  get line(): string {
    const hours = ((this.seedCount * durationNs) / 3600e9).toFixed(1);
    const seconds = ((performance.now() - this.#startMs) / 1000).toFixed(0);
    return (
      `campaign ${this.#name}: ${this.seedCount} seeds of ${concurrency + 1} VMs, ${hours} simulated hours, ` +
      `${this.#faultCount} faults, ${this.#leadershipCount} leaderships, ${this.#callCount} calls ` +
      `(${this.refusedCount} refused by the fence); ` +
      `${this.violating.length} seeds violate; ${seconds} s`
    );
  }
}

/** Seeds of one block; of all blocks only the seed that the environment asks for, if it does. */
export function seedsOf(block: number, size: number): number[] {
  const wanted = process.env["CAMPAIGN_SEED"];
  const seeds = Array.from({ length: size }, (_, at) => block * size + at + 1);
  return wanted === undefined ? seeds : seeds.filter((seed) => seed === Number(wanted));
}

/** What is said of a seed that violates: what and when, the line that replays it, and its faults made few. */
export function failureText(campaign: Campaign, outcome: Outcome): string {
  const { seed, violations } = outcome;
  const shrunk = shrunkFile(campaign, seed);
  return [
    `seed ${seed} of the campaign ${campaign.name}:`,
    ...violations.map((violation) => `  ${violation}`),
    `replay: CAMPAIGN_SEED=${seed} npx vitest run --config test/campaign/vitest.config.ts ${campaign.name}`,
    `with ${shrunk.faultCount} faults: node dist/cli/main.js simulate ${relative(root, shrunk.path)}`,
  ].join("\n");
}

/** A scenario file with the fewest faults that still violate. */
export function shrunkFile(
  campaign: Campaign,
  seed: number,
): { readonly path: string; readonly faultCount: number } {
  const fails = (plan: FaultPlan): boolean => runSeed(campaign, plan).violations.length > 0;
  const { plan } = shrinkPlan(planOf(campaign, seed), fails, { triesMax: shrinkTriesMax });
  const folder = join(root, ".cache/campaign");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${campaign.name}-${seed}.yaml`);
  const name = `seed ${seed} of the campaign ${campaign.name}`;
  const rest = { name, seed, concurrency, drain: "20s" };
  writeFileSync(path, planScenario({ ...rest, ...campaign.frame }, plan));
  return { path, faultCount: plan.faults.length };
}
