import { MockHostError } from "../errors.ts";
import { requireKeys, requireWord } from "../did-you-mean.ts";
import { searchExhaustively } from "./exhaustive.ts";
import { FixedSchedule } from "./fixed.ts";
import { Pct, type PctOptions } from "./pct.ts";
import { RandomWalk } from "./random-walk.ts";
import type { SearchResult } from "./result.ts";
import { RoundRobin, type RoundRobinOptions } from "./round-robin.ts";
import { runSchedules, type RunOptions } from "./run-schedules.ts";
import { parseSchedule } from "./schedule-text.ts";
import type { SearchOptions } from "./search-options.ts";
import type { Strategy } from "./strategy.ts";
import type { World } from "./world.ts";

export const strategyNames = ["exhaustive", "random", "pct", "round-robin", "fixed"] as const;
export type StrategyName = (typeof strategyNames)[number];

/** Options of all strategies; each takes those its row in `strategies` names. */
export interface StrategyOptions extends SearchOptions, RunOptions, PctOptions, RoundRobinOptions {
  /** Of the chance that a strategy has; default 1. */
  readonly seed?: number;
  /** The schedule of `fixed`, as text. */
  readonly schedule?: string;
}

export interface StrategyRow {
  /** Whether it is to see everything, so that being cut off leaves the question open. */
  readonly isWhole: boolean;
  /** What it does, in one line. */
  readonly summary: string;
  readonly options: readonly (keyof StrategyOptions)[];
  readonly run: (world: World, options: StrategyOptions) => SearchResult;
}

const everywhere = ["maxSteps", "shouldStop", "onProgress"] as const;
const ofViolations = ["stopAtViolation", "beyondViolations"] as const;
const ofRuns = [...everywhere, ...ofViolations, "maxDepth", "shrink"] as const;
const ofSampling = [...ofRuns, "seed", "schedules"] as const;

const schedulesDefault = 1000;

/** The strategies by name, with what each can be told: help, parsing and running read the same table. */
export const strategies: Readonly<Record<StrategyName, StrategyRow>> = {
  exhaustive: {
    isWhole: true,
    summary: "everything that can happen, equal states once, shortest violation first",
    options: [
      ...everywhere,
      ...ofViolations,
      ...["merging", "symmetry", "sleepSets", "preemptions", "isMidway"],
      ...["maxStates", "maxBytes", "maxDepth"],
    ] as readonly (keyof StrategyOptions)[],
    run: searchExhaustively,
  },
  random: {
    isWhole: false,
    summary: "schedules drawn step by step, each possible choice as likely",
    options: ofSampling,
    run: (world, options) => sample(world, new RandomWalk(options.seed ?? 1), options),
  },
  pct: {
    isWhole: false,
    summary: "schedules by random priorities that change at a few random steps",
    options: [...ofSampling, "depth"],
    run: (world, options) => sample(world, new Pct(world, options.seed ?? 1, options), options),
  },
  "round-robin": {
    isWhole: false,
    summary: "one schedule, the agents in turn",
    options: [...ofRuns, "turn"],
    run: (world, options) => runSchedules(world, new RoundRobin(world, options), options),
  },
  fixed: {
    isWhole: false,
    summary: "one given schedule",
    options: [...ofRuns, "schedule"],
    run: (world, options) => {
      if (options.schedule === undefined) throw withoutSchedule();
      const schedule = parseSchedule(world, options.schedule);
      return runSchedules(world, new FixedSchedule(world, schedule), options);
    },
  },
};

/** Runs a strategy by its name. E_OPTION for a name or an option that is not in the table. */
export function runStrategy(
  world: World,
  name: StrategyName,
  options: StrategyOptions = {},
): SearchResult {
  const { run, options: known } = strategies[requireWord("strategy", name, strategyNames)];
  requireKeys(`strategy ${name}`, options, known);
  return run(world, options);
}

function sample(world: World, strategy: Strategy, options: StrategyOptions): SearchResult {
  return runSchedules(world, strategy, { schedules: schedulesDefault, ...options });
}

function withoutSchedule(): MockHostError {
  return new MockHostError("E_OPTION", "strategy fixed is given no schedule", {
    remedy: "name the choices: main*3 worker_0*2 time",
  });
}
