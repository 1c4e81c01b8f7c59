import { Registration } from "../abi/contexts";
import { FeaturedElector } from "../election/feature";
import { LeaderElectionTiming } from "../election/timing";
import { TickingRoot } from "./ticks";

/** The kinds of options; of one kind the later one wins. */
export enum FeatureKind {
  Handover,
  Preference,
  Spread,
  Metrics,
  Probation,
}

/** An elector whose features are being added. */
export class Fitting {
  /** The `Handover`: a class that is named brings its overriding methods along. */
  handover: Object | null = null;

  constructor(
    public readonly root: TickingRoot,
    public readonly elector: FeaturedElector,
    /** The plugin's name. */
    public readonly name: string,
    /** What `SetLeaderRank` said, and one more; 0: nothing. */
    public readonly rank: i32,
  ) {}
}

/** What an option of `SetCtx` says about the elections of one plugin. */
export abstract class FeatureOption {
  next: FeatureOption | null = null;
  /** Null: all plugins of the module. */
  registration: Registration | null = null;

  constructor(public readonly kind: FeatureKind) {}

  /** Adds to an elector what the option is about. */
  abstract fit(fitting: Fitting): void;

  /** The rule that the option breaks, in words, or null. */
  brokenRule(timing: LeaderElectionTiming): string | null {
    return null;
  }
}

let first: FeatureOption | null = null;

/** Takes an option up, in the place of an earlier one of its kind. */
export function takeUp(option: FeatureOption, registration: Registration): void {
  option.registration = registration;
  option.next = first;
  first = option;
}

/** As `takeUp`, for plugins that have no option of this kind. */
export function takeUpForAll(option: FeatureOption): void {
  const before = first;
  if (before === null) {
    first = option;
    return;
  }
  let last: FeatureOption = before;
  while (true) {
    const next = last.next;
    if (next === null) break;
    last = next;
  }
  last.next = option;
}

/** The first option that holds for that plugin, or null; continued by `nextOption`. */
export function firstOption(registration: Registration): FeatureOption | null {
  return holding(first, registration);
}

export function nextOption(after: FeatureOption, registration: Registration): FeatureOption | null {
  return holding(after.next, registration);
}

/** Goes on to an option of that plugin that no later one of its kind replaces. */
function holding(from: FeatureOption | null, registration: Registration): FeatureOption | null {
  let option = from;
  while (option !== null) {
    if (isOf(option, registration) && !isReplaced(option, registration)) return option;
    option = option.next;
  }
  return null;
}

function isOf(option: FeatureOption, registration: Registration): bool {
  return option.registration === null || option.registration === registration;
}

/** The list begins with the latest. */
function isReplaced(option: FeatureOption, registration: Registration): bool {
  let later = first;
  while (later !== null && later !== option) {
    if (later.kind == option.kind && isOf(later, registration)) return true;
    later = later.next;
  }
  return false;
}
