import { parseDuration } from "../time/duration.ts";
import { always, both, sometimes, type Breach } from "./combinators.ts";
import type { Judgement } from "./property.ts";
import { count, time } from "./wording.ts";

/** Something that happened, in words with its VM: `main#1 crashed`. */
export interface Moment {
  readonly atNs: number;
  readonly what: string;
  /** Causes are answered by effects of the same thing alone: a VM, a request's number. */
  readonly of?: string | number;
}

export interface EventuallyOptions {
  /** What must be followed by an effect. */
  readonly causes: readonly Moment[];
  readonly effects: readonly Moment[];
  /** The end of the run: a cause whose time is not over then is pending. */
  readonly endNs: number;
  /** Whether a run without any cause holds; else it proves nothing, and fails. */
  readonly orNone?: boolean;
}

/**
 * After each cause comes an effect, at its very instant or within the bound, inclusive; one effect may answer several
 * causes. A cause whose bound reaches over the end of the run is pending: no violation, and named. E_DURATION for a bound
 * without a unit.
 *
 *     eventuallyWithin("18s", { causes: crashes, effects: claims, endNs: run.durationNs });
 */
export function eventuallyWithin(bound: string, options: EventuallyOptions): Judgement {
  const { causes, effects, endNs, orNone = false } = options;
  const boundNs = parseDuration(bound);
  const answers = new Map<Moment["of"], Answers>();
  for (const { atNs, of } of inOrder(effects)) {
    const known = answers.get(of);
    if (known === undefined) answers.set(of, { instants: [atNs], next: 0 });
    else known.instants.push(atNs);
  }
  const breaches: Breach[] = [];
  const pending: Moment[] = [];
  for (const cause of inOrder(causes)) {
    const next = firstFrom(answers.get(cause.of), cause.atNs);
    if (next !== undefined && next - cause.atNs <= boundNs) continue;
    if (cause.atNs + boundNs > endNs) pending.push(cause);
    else breaches.push({ atNs: cause.atNs + boundNs, detail: missed(cause, next, bound) });
  }
  const open = pending[0] === undefined ? "" : pendingText(pending[0], pending.length - 1);
  const never = sometimes(
    orNone || causes.length > 0,
    "nothing happened that an effect had to follow",
  );
  return both(always(breaches, open), never);
}

/** The effects of one thing; those before `next` are earlier than every cause that is still to come. */
interface Answers {
  readonly instants: number[];
  next: number;
}

function firstFrom(answers: Answers | undefined, atNs: number): number | undefined {
  if (answers === undefined) return undefined;
  const { instants } = answers;
  while (answers.next < instants.length && instants[answers.next]! < atNs) answers.next++;
  return instants[answers.next];
}

function inOrder(moments: readonly Moment[]): Moment[] {
  return [...moments].sort((one, other) => one.atNs - other.atNs);
}

function missed({ atNs, what }: Moment, next: number | undefined, bound: string): string {
  const then =
    next === undefined ? "and nothing followed" : `and what follows came at ${time(next)}`;
  return `${what} at ${time(atNs)}, ${then}, not within ${bound}`;
}

function pendingText({ atNs, what }: Moment, others: number): string {
  const more = others === 0 ? "" : ` (and ${count(others, "other")})`;
  return `pending: ${what} at ${time(atNs)}${more}`;
}
