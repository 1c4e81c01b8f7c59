import type { Leadership } from "../trace/leadership.ts";
import type { Interval } from "../trace/life.ts";
import { always, type Breach } from "./combinators.ts";
import type { Judgement } from "./property.ts";
import { time } from "./wording.ts";

/** A maximal stretch in which nobody leads. */
export interface Vacancy extends Interval {
  /** Its length without the time in which nobody was there who could claim. */
  readonly countedNs: number;
  /** It was still open when the run ended. */
  readonly isPending: boolean;
}

export interface LeaderWithinOptions {
  /** The longest stretch allowed; inclusive. */
  readonly boundNs: number;
  readonly endNs: number;
  /** Stretches count from here on; default 0. */
  readonly fromNs?: number;
  /** Stretches in which no context that may claim is alive and unpaused: they do not count. Ordered, disjoint. */
  readonly idle?: readonly Interval[];
}

/** The maximal stretches of [fromNs, endNs) in which nobody leads, in order. */
export function vacancies(
  leaderships: readonly Leadership[],
  options: Pick<LeaderWithinOptions, "endNs" | "fromNs" | "idle">,
): Vacancy[] {
  const { endNs, fromNs: startNs = 0, idle = [] } = options;
  const found: Vacancy[] = [];
  const add = (fromNs: number, untilNs: number): void => {
    if (untilNs <= fromNs) return;
    const countedNs = untilNs - fromNs - overlapNs(idle, fromNs, untilNs);
    found.push({ fromNs, untilNs, countedNs, isPending: untilNs === endNs });
  };
  let freeFromNs = startNs;
  for (const leadership of [...leaderships].sort((one, other) => one.fromNs - other.fromNs)) {
    // An empty leadership (claimed and lost in one instant) has no instant that could end a stretch.
    if (leadership.untilNs <= leadership.fromNs) continue;
    add(freeFromNs, Math.min(leadership.fromNs, endNs));
    freeFromNs = Math.max(freeFromNs, leadership.untilNs);
  }
  add(freeFromNs, endNs);
  return found;
}

/**
 * Every maximal stretch from the start of the run, or from `fromNs`, in which nobody leads is at most the bound long. A stretch still open at
 * the end is pending: it violates nothing, and is named.
 */
export function leaderWithin(
  leaderships: readonly Leadership[],
  options: LeaderWithinOptions,
): Judgement {
  const { boundNs, idle = [] } = options;
  const all = vacancies(leaderships, options);
  const breaches: Breach[] = [];
  let told: Vacancy | undefined;
  for (const vacancy of all) {
    if (vacancy.isPending || vacancy.countedNs <= boundNs) continue;
    const atNs = instantAfter(idle, vacancy.fromNs, boundNs);
    told ??= vacancy;
    const longer = `${time(vacancy.countedNs)}${without(vacancy)}, longer than ${time(boundNs)}`;
    breaches.push({
      atNs,
      detail: `nobody leads from ${time(vacancy.fromNs)} to ${time(vacancy.untilNs)}: ${longer}`,
    });
  }
  const pending = all.find((vacancy) => vacancy.isPending);
  const closed = all.filter((vacancy) => !vacancy.isPending);
  const longest = closed.reduce<Vacancy | null>(
    (best, next) => (best === null || next.countedNs > best.countedNs ? next : best),
    null,
  );
  const words = [
    longest === null
      ? ""
      : `at most ${time(longest.countedNs)} without a leader (from ${time(longest.fromNs)}${without(longest)})`,
    pendingText(pending, boundNs),
    elsewhere(closed.filter((vacancy) => vacancy !== longest)),
  ];
  const judged = always(breaches, words.filter((text) => text !== "").join("; "));
  if (judged.holds) return judged;
  const more = [
    pendingText(pending, boundNs),
    elsewhere(closed.filter((vacancy) => vacancy !== told)),
  ];
  return { ...judged, detail: [judged.detail, ...more].filter((text) => text !== "").join("; ") };
}

/** Time that does not count is named, in stretches that are not told of too. */
function elsewhere(others: readonly Vacancy[]): string {
  const shortened = others.filter((vacancy) => uncountedNs(vacancy) > 0);
  const [first] = shortened;
  if (first === undefined) return "";
  const sumNs = shortened.reduce((sum, vacancy) => sum + uncountedNs(vacancy), 0);
  const where =
    shortened.length === 1
      ? `between ${time(first.fromNs)} and ${time(first.untilNs)}`
      : `in ${shortened.length} other stretches, the first from ${time(first.fromNs)}`;
  return `not counting ${time(sumNs)} ${where} in which nobody was alive and unpaused to claim`;
}

function uncountedNs({ fromNs, untilNs, countedNs }: Vacancy): number {
  return untilNs - fromNs - countedNs;
}

function pendingText(pending: Vacancy | undefined, boundNs: number): string {
  if (pending === undefined) return "";
  const over = pending.countedNs > boundNs ? ", already longer than the bound" : "";
  return `pending: nobody leads from ${time(pending.fromNs)} to the end of the run${without(pending)}${over}`;
}

function without(vacancy: Vacancy): string {
  const restNs = uncountedNs(vacancy);
  return restNs === 0
    ? ""
    : `, not counting ${time(restNs)} in which nobody was alive and unpaused to claim`;
}

/** How much of [fromNs, untilNs) the stretches cover. */
function overlapNs(stretches: readonly Interval[], fromNs: number, untilNs: number): number {
  let sum = 0;
  for (let index = firstEndingAfter(stretches, fromNs); index < stretches.length; index++) {
    const stretch = stretches[index];
    if (stretch === undefined || stretch.fromNs >= untilNs) break;
    sum += Math.min(stretch.untilNs, untilNs) - Math.max(stretch.fromNs, fromNs);
  }
  return sum;
}

/** The instant at which `lengthNs` of counted time have passed since `fromNs`. */
function instantAfter(stretches: readonly Interval[], fromNs: number, lengthNs: number): number {
  let atNs = fromNs;
  let leftNs = lengthNs;
  for (let index = firstEndingAfter(stretches, fromNs); index < stretches.length; index++) {
    const stretch = stretches[index];
    if (stretch === undefined || stretch.fromNs - atNs > leftNs) break;
    leftNs -= Math.max(0, stretch.fromNs - atNs);
    atNs = stretch.untilNs;
  }
  return atNs + leftNs;
}

function firstEndingAfter(stretches: readonly Interval[], atNs: number): number {
  let low = 0;
  let high = stretches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const stretch = stretches[middle];
    if (stretch !== undefined && stretch.untilNs <= atNs) low = middle + 1;
    else high = middle;
  }
  return low;
}
