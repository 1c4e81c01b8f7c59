/** Reads what the VMs of `test/guests/race` tell of each slot, and counts winners. */
import type { LogLine } from "./witness-log.ts";

export interface RaceTally {
  /** Slots that somebody won. */
  readonly wonCount: number;
  /** Slots with more than one winner. */
  readonly doubleCount: number;
  /** Slots in which a VM found no leader and did not become one: two were at it at the same time. */
  readonly lostCount: number;
  /** The most winners a slot had. */
  readonly winnersMax: number;
}

type Outcome = "won" | "lost" | "late";
type Slot = Record<Outcome, number>;

/** Tells of each way to become leader, by its name; a line with the marker that does not parse is an error. */
export function raceTallies(log: readonly LogLine[]): Map<string, RaceTally> {
  const slots = new Map<string, Map<string, Slot>>();
  for (const { text } of log) {
    const at = text.indexOf("race slot=");
    if (at >= 0) countLine(slots, text.slice(at));
  }
  return new Map([...slots].map(([way, bySlot]) => [way, tally([...bySlot.values()])]));
}

function countLine(slots: Map<string, Map<string, Slot>>, line: string): void {
  const [, slot, outcomes] = /^race slot=(\d+)((?: [\w-]+=(?:won|lost|late))+)$/.exec(line) ?? [];
  if (slot === undefined || outcomes === undefined)
    throw new Error(`not a line of the race: ${JSON.stringify(line)}`);
  for (const word of outcomes.trim().split(" ")) {
    const [way = "", outcome] = word.split("=");
    const bySlot = slots.get(way) ?? new Map<string, Slot>();
    const counts = bySlot.get(slot) ?? { won: 0, lost: 0, late: 0 };
    counts[outcome as Outcome]++;
    slots.set(way, bySlot.set(slot, counts));
  }
}

function tally(slots: readonly Slot[]): RaceTally {
  return {
    wonCount: slots.filter(({ won }) => won > 0).length,
    doubleCount: slots.filter(({ won }) => won > 1).length,
    lostCount: slots.filter(({ lost }) => lost > 0).length,
    winnersMax: slots.reduce((most, { won }) => Math.max(most, won), 0),
  };
}
