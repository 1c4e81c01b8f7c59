/**
 * Contexts by id: a hash table with linear probing. Ids are handed out by a counter, so the id's
 * low bits spread them evenly, and a lookup hits at the first place nearly always.
 *
 * Invariant: between an entry and the place its id hashes to there is no empty place. Removal
 * closes the gap by moving later entries back, so there are no tombstones to clean up.
 */
import { newZeroed } from "../memory/bytes";
import { BaseContext } from "./contexts";

type Places = StaticArray<BaseContext | null>;

const CAPACITY_MIN: i32 = 16;

let places: Places = emptyPlaces(CAPACITY_MIN);
let count: i32 = 0;

/** How many contexts are alive. */
export function contextCount(): i32 {
  return count;
}

export function findContext(id: u32): BaseContext | null {
  return unchecked(places[placeOf(id)]);
}

/** How many places there are; most are empty. */
export function placeCount(): i32 {
  return places.length;
}

/** The context at a place below `placeCount()`, or null. In no order. */
export function contextAt(place: i32): BaseContext | null {
  return unchecked(places[place]);
}

/** Puts a context in, in the place of one with the same id. */
export function putContext(context: BaseContext): void {
  // Three quarters full at most, so that a search always meets an empty place.
  if (count * 4 >= places.length * 3) grow();
  const at = placeOf(context.id);
  if (unchecked(places[at]) === null) count++;
  unchecked((places[at] = context));
}

export function removeContext(id: u32): void {
  const mask = places.length - 1;
  let gap = placeOf(id);
  if (unchecked(places[gap]) === null) return;
  count--;
  for (let at = (gap + 1) & mask; ; at = (at + 1) & mask) {
    const next = unchecked(places[at]);
    if (next === null) break;
    // The entry may fill the gap only when its own place is not behind the gap.
    const home = (<i32>next.id) & mask;
    if (((at - home) & mask) >= ((at - gap) & mask)) {
      unchecked((places[gap] = next));
      gap = at;
    }
  }
  unchecked((places[gap] = null));
}

/** Where the id is, or the empty place where it would go. */
function placeOf(id: u32): i32 {
  const mask = places.length - 1;
  let at = (<i32>id) & mask;
  let found = unchecked(places[at]);
  while (found !== null && found.id != id) {
    at = (at + 1) & mask;
    found = unchecked(places[at]);
  }
  return at;
}

function grow(): void {
  const old = places;
  places = emptyPlaces(old.length << 1);
  for (let i = 0; i < old.length; i++) {
    const context = unchecked(old[i]);
    if (context !== null) unchecked((places[placeOf(context.id)] = context));
  }
}

/** As the constructor does it, but for the message about a size that cannot occur. */
function emptyPlaces(capacity: i32): Places {
  return changetype<Places>(newZeroed((<usize>capacity) << alignof<usize>(), idof<Places>()));
}
