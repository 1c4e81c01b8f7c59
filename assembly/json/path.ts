import { encodeBuffer } from "../memory/utf8";
import { contentEnd, contentStart, resolve } from "./content";
import { keyEnd, keyStart, nextEntry, valueEnd, valueStart } from "./entries";
import { digit } from "./validate";

/**
 * Where `follow` was led: to the value between two addresses, or to a count that is not negative.
 */
export let foundStart: usize = 0;
export let foundEnd: usize = 0;
export let foundCount: i32 = -1;

// Where the part that `nextPart` found begins and ends, and where the next one begins.
let partStart: usize = 0;
let partEnd: usize = 0;
let rest: usize = 0;

/**
 * Follows a path from the value between two addresses; false when it leads nowhere. See `Json.Get`.
 */
export function follow(start: usize, end: usize, path: string): bool {
  // The parts are resolved in this copy, in place; it stays alive as long as the addresses are
  // used.
  const steps = encodeBuffer(path);
  rest = changetype<usize>(steps);
  foundStart = start;
  foundEnd = end;
  foundCount = -1;
  return followSteps(rest + steps.byteLength);
}

function followSteps(end: usize): bool {
  do {
    nextPart(end);
    if (foundStart >= foundEnd || foundCount >= 0 || !stepInto()) return false;
  } while (rest <= end);
  return true;
}

/** Resolves the escapes of the next part in place: a part never grows. */
function nextPart(end: usize): void {
  let at = rest;
  let to = at;
  partStart = at;
  // Behind the end: nothing follows. A path that ends with a dot has an empty part after it.
  rest = end + 1;
  while (at < end) {
    let byte = load<u8>(at++);
    if (byte == 0x2e) {
      rest = at;
      break;
    }
    if (byte == 0x5c && at < end) byte = load<u8>(at++);
    store<u8>(to++, byte);
  }
  partEnd = to;
}

function stepInto(): bool {
  const lead = load<u8>(foundStart);
  const isObject = lead == 0x7b;
  if (!isObject && lead != 0x5b) return false;
  const isCount = !isObject && partEnd - partStart == 1 && load<u8>(partStart) == 0x23;
  const index = isObject || isCount ? -1 : indexOfPart();
  if (index < 0 && !isObject && !isCount) return false;
  let count = 0;
  const end = foundEnd;
  let at = nextEntry(foundStart + 1, end, isObject);
  while (at != 0) {
    if (isObject ? isNamed() : count == index) {
      foundStart = valueStart;
      foundEnd = valueEnd;
      return true;
    }
    count++;
    at = nextEntry(at, end, isObject);
  }
  foundCount = isCount ? count : -1;
  return isCount;
}

/** Whether the entry's name is the part. */
function isNamed(): bool {
  resolve(keyStart, keyEnd);
  const size = partEnd - partStart;
  if (contentEnd - contentStart != size) return false;
  // `memory.compare` is made for long ranges, and weighs as much.
  for (let i: usize = 0; i < size; i++) {
    if (load<u8>(contentStart + i) != load<u8>(partStart + i)) return false;
  }
  return true;
}

/** The part as an index, −1 when it is none. No text has 10⁹ elements. */
function indexOfPart(): i32 {
  const size = partEnd - partStart;
  if (size == 0 || size > 9) return -1;
  let index = 0;
  for (let at = partStart; at < partEnd; at++) {
    const byte: u32 = load<u8>(at);
    if (!digit(byte)) return -1;
    index = index * 10 + (byte - 0x30);
  }
  return index;
}
