/**
 * Whether bytes are one JSON text of RFC 8259: a single pass, without recursion and without an
 * allocation. Everything else in this room may rely on a text that has passed here.
 */
import { sequenceAt } from "../memory/utf8";

/** How many arrays and objects may be open at once. */
export const DEPTH_MAX: i32 = 256;

/** What is wrong with a text; `None` when nothing is. */
export enum JsonFault {
  None,
  End,
  Value,
  Key,
  Colon,
  Comma,
  Trailing,
  Depth,
  Number,
  ControlCharacter,
  Escape,
  Utf8,
}

// One bit for each open container, set for an object. Validation makes no calls out, so one is
// enough.
const nesting: usize = memory.data(32);
let at: usize = 0;
let end: usize = 0;
let fault: JsonFault = JsonFault.None;

/** Checks a text; `faultOffset` then says where the fault is. */
export function validate(start: usize, size: usize): JsonFault {
  at = start;
  end = start + size;
  fault = JsonFault.None;
  text();
  return fault;
}

/** The offset in bytes at which the last `validate` stopped, from the text's beginning. */
export function faultOffset(start: usize): i32 {
  return <i32>(at - start);
}

function text(): void {
  let depth = 0;
  while (value(depth)) {
    if (opened != 0) {
      setBit(depth++, opened == 0x7b);
      if (!first(opened)) {
        if (fault) return;
        depth--;
      } else continue;
    }
    // A value has ended: close what ends with it, up to the next comma.
    for (;;) {
      space();
      if (depth == 0) {
        if (at < end) fault = JsonFault.Trailing;
        return;
      }
      const isObject = bit(depth - 1);
      const next = peek();
      if (next == 0x2c) {
        at++;
        space();
        if (isObject && !key()) return;
        break;
      }
      if (next != (isObject ? 0x7d : 0x5d)) {
        fail(JsonFault.Comma);
        return;
      }
      at++;
      depth--;
    }
  }
}

// The bracket that `value` has just passed, 0 after a scalar.
let opened: u32 = 0;

/** A scalar, or the opening bracket of a container. */
function value(depth: i32): bool {
  opened = 0;
  space();
  const lead = peek();
  if (lead == 0x22) return quoted();
  if (lead == 0x7b || lead == 0x5b) {
    if (depth == DEPTH_MAX) return fail(JsonFault.Depth);
    opened = lead;
    at++;
    return true;
  }
  if (lead == 0x2d || digit(lead)) return number();
  // "true", "fals" and "null" as four little-endian bytes.
  if (at + 4 <= end) {
    const word = load<u32>(at);
    if (word == 0x65757274 || word == 0x6c6c756e) {
      at += 4;
      return true;
    }
    if (word == 0x736c6166 && at + 5 <= end && load<u8>(at, 4) == 0x65) {
      at += 5;
      return true;
    }
  }
  return fail(JsonFault.Value);
}

/** What follows an opening bracket; false when it is the closing one, or a fault. */
function first(bracket: u32): bool {
  space();
  // The closing brackets are two above the opening ones.
  if (peek() == bracket + 2) {
    at++;
    return false;
  }
  return bracket == 0x5b || key();
}

function key(): bool {
  if (peek() != 0x22) return fail(JsonFault.Key);
  if (!quoted()) return false;
  space();
  if (peek() != 0x3a) return fail(JsonFault.Colon);
  at++;
  return true;
}

function quoted(): bool {
  at++;
  while (at < end) {
    const byte: u32 = load<u8>(at);
    if (byte == 0x22) {
      at++;
      return true;
    }
    if (byte < 0x20) return fail(JsonFault.ControlCharacter);
    if (byte == 0x5c) {
      if (!escape()) return false;
    } else if (byte < 0x80) {
      at++;
    } else {
      const width = sequenceAt(at, end);
      if (width < 0) return fail(JsonFault.Utf8);
      at += width;
    }
  }
  return fail(JsonFault.End);
}

function escape(): bool {
  at++;
  const letter = peek();
  if (letter == 0x75) {
    for (let i = 0; i < 4; i++) {
      at++;
      if (hexValue(peek()) < 0) return fail(JsonFault.Escape);
    }
  } else if (unescaped(letter) == 0) return fail(JsonFault.Escape);
  at++;
  return true;
}

/** What a backslash and this letter stand for; 0 when they stand for nothing. */
export function unescaped(letter: u32): u32 {
  switch (letter) {
    case 0x22:
    case 0x2f:
    case 0x5c:
      return letter;
    case 0x62:
      return 8;
    case 0x66:
      return 12;
    case 0x6e:
      return 10;
    case 0x72:
      return 13;
    case 0x74:
      return 9;
    default:
      return 0;
  }
}

/** The value of a hexadecimal digit, −1 for anything else. */
export function hexValue(byte: u32): i32 {
  if (digit(byte)) return byte - 0x30;
  const letter = (byte | 0x20) - 0x61;
  return letter < 6 ? letter + 10 : -1;
}

function number(): bool {
  if (peek() == 0x2d) at++;
  if (peek() == 0x30) at++;
  else if (!digits()) return fail(JsonFault.Number);
  if (peek() == 0x2e) {
    at++;
    if (!digits()) return fail(JsonFault.Number);
  }
  if ((peek() | 0x20) == 0x65) {
    at++;
    const sign = peek();
    if (sign == 0x2b || sign == 0x2d) at++;
    if (!digits()) return fail(JsonFault.Number);
  }
  // "01": the digit after a leading zero is no comma, which is what the caller would say.
  return digit(peek()) ? fail(JsonFault.Number) : true;
}

function digits(): bool {
  const before = at;
  while (digit(peek())) at++;
  return at > before;
}

function space(): void {
  while (at < end && isSpace(load<u8>(at))) at++;
}

export function isSpace(byte: u32): bool {
  return byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09;
}

// @ts-ignore: decorator
@inline
export function digit(byte: u32): bool {
  return byte - 0x30 < 10;
}

/** The next byte, or 0 at the end, which begins nothing and ends nothing. */
function peek(): u32 {
  return at < end ? load<u8>(at) : 0;
}

function fail(reason: JsonFault): bool {
  fault = at < end || reason == JsonFault.Depth ? reason : JsonFault.End;
  return false;
}

function setBit(index: i32, on: bool): void {
  const place = nesting + (index >> 3);
  const mask = 1 << (index & 7);
  const byte: u32 = load<u8>(place);
  store<u8>(place, on ? byte | mask : byte & ~mask);
}

function bit(index: i32): bool {
  return ((load<u8>(nesting + (index >> 3)) >> (index & 7)) & 1) != 0;
}
