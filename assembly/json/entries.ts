/**
 * The members of an object and the elements of an array, one after the other. What a step found is
 * left in these words, so that a walk needs no object; the next step, of any walk, overwrites it.
 */
import { skipSpace, skipString, skipValue } from "./scan";

/** A member's name, without quotes and with its escapes as they stand. */
export let keyStart: usize = 0;
export let keyEnd: usize = 0;
export let valueStart: usize = 0;
export let valueEnd: usize = 0;

/**
 * Steps to the entry that begins at or after `at`, and answers the address to go on from; 0 when
 * there is none. A walk begins one byte after the opening bracket.
 */
export function nextEntry(at: usize, end: usize, isObject: bool): usize {
  at = skipSpace(at, end);
  if (at < end && load<u8>(at) == 0x2c) at = skipSpace(at + 1, end);
  // A closing bracket, of either kind.
  if (at >= end || (load<u8>(at) | 0x20) == 0x7d) return 0;
  if (isObject) {
    const after = skipString(at, end);
    keyStart = at + 1;
    // A text that was changed since may end inside the name.
    keyEnd = max(after - 1, keyStart);
    at = skipSpace(skipSpace(after, end) + 1, end);
  }
  valueStart = min(at, end);
  valueEnd = skipValue(valueStart, end);
  // No progress means a text that was changed since: it holds nothing more.
  return valueEnd > valueStart ? valueEnd : 0;
}
