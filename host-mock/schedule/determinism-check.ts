import { choicesIn } from "./choice-mask.ts";
import { requireCount } from "./options.ts";
import { RandomWalk } from "./random-walk.ts";
import { scheduleText } from "./schedule-text.ts";
import { Walk } from "./walk.ts";
import type { StepValue, StepView, World } from "./world.ts";

/** What to run: given schedules, or so many drawn from a seed. */
export type CheckedSchedules =
  | { readonly schedules: readonly (readonly number[])[] }
  | { readonly seed: number; readonly count: number; readonly maxDepth?: number };

export interface DeterminismCheck {
  readonly schedules: number;
  readonly steps: number;
  /** The first difference; null when there is none. */
  readonly difference: Difference | null;
}

export interface Difference {
  /** The schedule up to and with the step that differs. */
  readonly schedule: readonly number[];
  readonly text: string;
  /** Its number, from 1; 0: the beginning. */
  readonly step: number;
  /** The world that was run first, once more; or the other one. */
  readonly run: "again" | "other world";
  /** What differs, in words: `the step`, `number 3 of the state`. */
  readonly what: string;
  readonly first: StepValue;
  readonly second: StepValue;
}

const depthMaxDefault = 10_000;

/** All that a world said of one moment of a schedule. */
interface Moment {
  readonly choices: readonly string[];
  readonly state: readonly number[];
  readonly goals: number;
  readonly atEnd: number;
  /** Of the step that led here; null at the beginning. */
  readonly view: StepView | null;
  readonly violated: number;
}

/**
 * Runs each schedule in two worlds that were made alike, and then once more in the first: everything they say must be
 * equal. A world that keeps a clock, draws by itself or remembers too little is found so; one that is wrong in the same
 * way each time is not.
 */
export function checkDeterminism(
  makeWorld: () => World,
  checked: CheckedSchedules,
): DeterminismCheck {
  const world = makeWorld();
  const other = makeWorld();
  const count = "schedules" in checked ? checked.schedules.length : checked.count;
  if (!("schedules" in checked)) {
    requireCount("count", checked.count, 1);
    requireCount("maxDepth", checked.maxDepth, 1);
  }
  let steps = 0;
  for (let i = 0; i < count; i++) {
    const schedule = "schedules" in checked ? checked.schedules[i]! : drawn(world, checked, i);
    const moments = momentsOf(world, schedule);
    steps += moments.length - 1;
    const difference =
      compare(world, schedule, moments, momentsOf(other, schedule), "other world") ??
      compare(world, schedule, moments, momentsOf(world, schedule), "again");
    if (difference !== null) return { schedules: i + 1, steps, difference };
  }
  return { schedules: count, steps, difference: null };
}

function drawn(
  world: World,
  { seed, maxDepth = depthMaxDefault }: { seed: number; maxDepth?: number },
  number: number,
): number[] {
  const strategy = new RandomWalk(seed);
  const walk = new Walk(world);
  const schedule: number[] = [];
  strategy.begin(number);
  while (walk.length < maxDepth) {
    const { enabled, state, length } = walk;
    if (enabled === 0) break;
    const choice = strategy.next({ enabled, state, length, previous: schedule.at(-1) ?? -1 });
    schedule.push(choice);
    walk.take(choice);
  }
  return schedule;
}

/** Ends early where a choice cannot happen: the moments before differ then in what could. */
function momentsOf(world: World, schedule: readonly number[]): Moment[] {
  const walk = new Walk(world);
  const moments: Moment[] = [momentOf(world, walk, null, 0)];
  for (const choice of schedule) {
    if ((walk.enabled & (1 << choice)) === 0) break;
    const view = walk.view(choice);
    moments.push(momentOf(world, walk, view, walk.take(choice)));
  }
  return moments;
}

function momentOf(world: World, walk: Walk, view: StepView | null, violated: number): Moment {
  return {
    choices: choicesIn(walk.enabled).map((choice) => world.wordOf(choice)),
    state: [...walk.state],
    goals: walk.goals,
    atEnd: walk.judgeEnd(),
    view,
    violated,
  };
}

function compare(
  world: World,
  schedule: readonly number[],
  first: readonly Moment[],
  second: readonly Moment[],
  run: Difference["run"],
): Difference | null {
  for (let step = 0; step < first.length; step++) {
    const found = firstDifference(world, first[step]!, second[step]!);
    if (found === null) continue;
    const upTo = schedule.slice(0, step);
    return { schedule: upTo, text: scheduleText(world, upTo), step, run, ...found };
  }
  return null;
}

function firstDifference(
  world: World,
  one: Moment,
  other: Moment,
): Pick<Difference, "what" | "first" | "second"> | null {
  const named = (names: readonly string[], mask: number): StepValue =>
    choicesIn(mask).map((bit) => names[bit] ?? bit);
  const number = one.state.findIndex((value, at) => value !== other.state[at]);
  const parts: readonly (readonly [what: string, first: StepValue, second: StepValue])[] = [
    ["the step", viewValue(one.view), viewValue(other.view)],
    [
      "what it violates",
      named(world.properties, one.violated),
      named(world.properties, other.violated),
    ],
    [`number ${number} of the state`, one.state[number] ?? 0, other.state[number] ?? 0],
    ["what can happen then", one.choices, other.choices],
    ["the goals reached", named(world.goals, one.goals), named(world.goals, other.goals)],
    [
      "what the end violates",
      named(world.properties, one.atEnd),
      named(world.properties, other.atEnd),
    ],
  ];
  const differing = parts.find(([, a, b]) => JSON.stringify(a) !== JSON.stringify(b));
  if (differing === undefined) return null;
  const [what, first, second] = differing;
  return { what, first, second };
}

function viewValue(view: StepView | null): StepValue {
  if (view === null) return null;
  const { vm, call, args, status, result, leaders } = view;
  return { vm, call, args, status, result, leaders };
}
