import type { Op } from "./op.ts";
import type { SteppedWorld } from "./stepped-world.ts";

/**
 * The choices that commute with one in a state. Two guests' calls do when they touch different things or both only
 * read; time, faults and the begin of a tick commute with nothing, except a crash with the calls of other guests.
 */
export function independentOf(
  world: SteppedWorld,
  state: Int32Array,
  at: number,
  choice: number,
): number {
  const { kind, guest } = world.choiceList[choice]!;
  if (kind !== "guest") return 0;
  const op = world.localAt(state, at, guest)?.op;
  if (op === null || op === undefined) return 0;
  let mask = 0;
  for (let other = 0; other < world.layout.guestCount; other++) {
    if (other === guest) continue;
    const theirs = world.localAt(state, at, other)?.op;
    if (theirs !== null && theirs !== undefined && commute(op, theirs)) mask |= 1 << other;
  }
  return mask;
}

function commute(one: Op, other: Op): boolean {
  if (one.kind === "clock" || other.kind === "clock") return true;
  if (one.kind === "get" && other.kind === "get") return true;
  if (one.kind === "call" && other.kind === "call") return one.receiver !== other.receiver;
  if (one.kind === "call" || other.kind === "call") return true;
  return one.key !== other.key;
}
