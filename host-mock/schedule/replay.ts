import { Findings } from "./findings.ts";
import type { SearchResult } from "./result.ts";
import { violationOf } from "./violation.ts";
import { Walk } from "./walk.ts";
import type { StepView, World } from "./world.ts";

/** What a schedule did, step by step. */
export interface Replay extends SearchResult {
  /** Every step of the schedule, also behind a violation. */
  readonly views: readonly StepView[];
  /** Nothing can happen after it. */
  readonly isEnded: boolean;
}

/**
 * Runs one schedule exactly, to its end; the first violation on the way is the result's. E_STATE for a choice that
 * cannot happen, with the number of the step and what could.
 */
export function replaySchedule(world: World, schedule: readonly number[]): Replay {
  const walk = new Walk(world);
  const findings = new Findings(world);
  const views: StepView[] = [];
  let found: { schedule: readonly number[]; violated: number } | null = null;
  const judge = (violated: number): void => {
    findings.count(violated);
    findings.reach(walk.goals);
    if (violated !== 0) found ??= { schedule: schedule.slice(0, walk.length), violated };
  };
  judge(0);
  for (const choice of schedule) {
    walk.require(choice);
    views.push(walk.view(choice));
    judge(walk.take(choice));
  }
  judge(walk.judgeEnd());
  return {
    strategy: "replay",
    seed: null,
    schedules: 1,
    states: null,
    steps: schedule.length,
    depth: schedule.length,
    complete: false,
    cutBy: "schedules",
    violations: findings.violations,
    missed: findings.missed,
    violation: firstOf(world, found),
    views,
    isEnded: walk.enabled === 0,
  };
}

function firstOf(
  world: World,
  found: { schedule: readonly number[]; violated: number } | null,
): SearchResult["violation"] {
  return found === null ? null : violationOf(world, found.schedule, found.violated);
}
