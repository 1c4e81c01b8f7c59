import type { RunFacts } from "../properties/facts.ts";
import type { HttpCall } from "../trace/http-calls.ts";
import type { Leadership } from "../trace/leadership.ts";
import type { Interval } from "../trace/life.ts";

/** What happened on one thread, seen from one plugin (or from all). */
export interface Lane {
  readonly thread: string;
  readonly alive: readonly Interval[];
  readonly pauses: readonly Interval[];
  readonly leaderships: readonly Leadership[];
  readonly calls: readonly HttpCall[];
  readonly crashesNs: readonly number[];
  readonly restartsNs: readonly number[];
  readonly trapsNs: readonly number[];
  readonly ledNs: number;
}

export interface Lanes {
  /** Those worth drawing, in the threads' order. */
  readonly shown: readonly Lane[];
  /** The others: nothing, or less, happened there. */
  readonly hidden: readonly Lane[];
}

type Growing = {
  thread: string;
  alive: Interval[];
  pauses: Interval[];
  leaderships: Leadership[];
  calls: HttpCall[];
  crashesNs: number[];
  restartsNs: number[];
  trapsNs: number[];
  ledNs: number;
};

/** The lanes of a run; `plugin` null takes all plugins together. */
export function lanesOf(facts: RunFacts, plugin: string | null): Lane[] {
  const lanes = new Map<string, Growing>();
  const lane = (thread: string): Growing => {
    let found = lanes.get(thread);
    if (found === undefined) {
      found = {
        thread,
        alive: [],
        pauses: [],
        leaderships: [],
        calls: [],
        crashesNs: [],
        restartsNs: [],
        trapsNs: [],
        ledNs: 0,
      };
      lanes.set(thread, found);
    }
    return found;
  };
  const isOurs = (of: { readonly plugin: string }): boolean =>
    plugin === null || of.plugin === plugin;

  for (const life of facts.life.contexts) if (isOurs(life)) lane(life.thread).alive.push(life);
  for (const pause of facts.life.pauses) lane(pause.thread).pauses.push(pause);
  for (const [name, all] of facts.leaderships) {
    if (plugin !== null && name !== plugin) continue;
    for (const leadership of all) {
      const on = lane(leadership.thread);
      on.leaderships.push(leadership);
      on.ledNs += leadership.untilNs - leadership.fromNs;
    }
  }
  for (const call of facts.calls) if (isOurs(call)) lane(call.thread).calls.push(call);
  for (const trap of facts.traps) if (isOurs(trap)) lane(trap.thread).trapsNs.push(trap.atNs);
  for (const fault of facts.faults) {
    if (fault.thread === "" || fault.status !== "applied") continue;
    if (fault.name === "crash") lane(fault.thread).crashesNs.push(fault.atNs);
    if (fault.name === "restart") lane(fault.thread).restartsNs.push(fault.atNs);
  }
  markReturns(lanes.values());
  return [...lanes.values()].sort((one, other) => threadOrder(one.thread, other.thread));
}

/** A VM that came back without a restart event (a failure policy, a late start) is marked where it comes back. */
function markReturns(lanes: Iterable<Growing>): void {
  for (const lane of lanes) {
    let deadSinceNs: number | null = null;
    for (const life of lane.alive) {
      if (
        deadSinceNs !== null &&
        life.fromNs >= deadSinceNs &&
        !lane.restartsNs.includes(life.fromNs)
      ) {
        lane.restartsNs.push(life.fromNs);
      }
      const isLost = "end" in life && (life.end === "crashed" || life.end === "trapped");
      deadSinceNs = isLost ? life.untilNs : null;
    }
  }
}

/** main first, then workers by number. */
export function threadOrder(one: string, other: string): number {
  return threadNumber(one) - threadNumber(other) || (one < other ? -1 : 1);
}

function threadNumber(thread: string): number {
  if (thread === "main") return -1;
  const digits = /(\d+)$/.exec(thread)?.[1];
  return digits === undefined ? Number.MAX_SAFE_INTEGER : Number(digits);
}

/** All lanes when they are few; else those on which most happened: leaders first, then effects, faults, pauses. */
export function choose(lanes: readonly Lane[], countMax: number): Lanes {
  if (lanes.length <= countMax) return { shown: lanes, hidden: [] };
  const eventful = lanes
    .filter((lane) => interest(lane) > 0)
    .sort((one, other) => interest(other) - interest(one));
  const chosen = new Set(eventful.slice(0, countMax));
  return {
    shown: lanes.filter((lane) => chosen.has(lane)),
    hidden: lanes.filter((lane) => !chosen.has(lane)),
  };
}

function interest(lane: Lane): number {
  const refusedCount = lane.calls.filter((call) => call.isRefused).length;
  const faultCount = lane.crashesNs.length + lane.restartsNs.length + lane.pauses.length;
  const led = lane.leaderships.length === 0 ? 0 : 1e9 + lane.ledNs / 1e6;
  return (
    led + 1e8 * lane.trapsNs.length + 1e7 * refusedCount + 1e4 * lane.calls.length + faultCount
  );
}
