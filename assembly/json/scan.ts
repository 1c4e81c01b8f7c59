/**
 * Steps over a text that `validate` has passed. Every step stops at `end` all the same: the bytes
 * belong to the plugin, which may have changed them since.
 */
import { storePoint } from "../memory/utf8";
import { hexValue, isSpace, unescaped } from "./validate";

/** The first address that holds no white space. */
export function skipSpace(at: usize, end: usize): usize {
  while (at < end && isSpace(load<u8>(at))) at++;
  return at;
}

/** The address after a string whose opening quote is at `at`. */
export function skipString(at: usize, end: usize): usize {
  for (at++; at < end; at++) {
    const byte = load<u8>(at);
    if (byte == 0x22) return at + 1;
    if (byte == 0x5c) at++;
  }
  return end;
}

/** The address after the value at `at`. Brackets are counted, so depth costs nothing. */
export function skipValue(at: usize, end: usize): usize {
  let depth = 0;
  while (at < end) {
    const byte: u32 = load<u8>(at);
    if (byte == 0x22) {
      at = skipString(at, end);
      if (depth == 0) return at;
      continue;
    }
    // "{" and "[", "}" and "]" differ in one bit.
    const bracket = byte | 0x20;
    if (bracket == 0x7b) depth++;
    else if (bracket == 0x7d) {
      if (depth == 0) return at;
      if (--depth == 0) return at + 1;
    } else if (depth == 0 && (byte == 0x2c || isSpace(byte))) return at;
    at++;
  }
  return end;
}

/** Whether a string's content (without quotes) holds an escape. */
export function hasEscape(at: usize, end: usize): bool {
  for (; at < end; at++) {
    if (load<u8>(at) == 0x5c) return true;
  }
  return false;
}

/**
 * Writes a string's content (without quotes) with its escapes resolved, and answers how many bytes
 * that took: never more than there were. Half of a surrogate pair becomes U+FFFD, as in Go.
 */
export function unescape(at: usize, end: usize, to: usize): usize {
  const begin = to;
  // The first half of a pair, if the last escape was one. It stands as U+FFFD until the second
  // comes.
  let high: u32 = 0;
  while (at < end) {
    const byte: u32 = load<u8>(at++);
    let letter: u32 = 0;
    if (byte == 0x5c && at < end) letter = load<u8>(at++);
    if (letter != 0x75) {
      store<u8>(to++, letter == 0 ? byte : unescaped(letter));
      high = 0;
      continue;
    }
    let point = hexAt(at, end);
    at += 4;
    if (high != 0 && (point & 0xfc00) == 0xdc00) {
      point = 0x10000 + ((high & 0x3ff) << 10) + (point & 0x3ff);
      to -= 3;
      high = 0;
    } else {
      high = (point & 0xfc00) == 0xd800 ? point : 0;
      if ((point & 0xf800) == 0xd800) point = 0xfffd;
    }
    to = storePoint(to, point);
  }
  return to - begin;
}

function hexAt(at: usize, end: usize): u32 {
  let value: u32 = 0;
  for (let i: usize = 0; i < 4 && at + i < end; i++) {
    value = (value << 4) | (hexValue(load<u8>(at + i)) & 15);
  }
  return value;
}
