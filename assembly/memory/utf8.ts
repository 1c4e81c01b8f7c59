/**
 * Text and bytes, strictly. The standard library's decoder cuts at a bad byte, swallows characters
 * and takes overlong forms without a sign, which in a filter is a way round a check. Here invalid
 * bytes are either refused or replaced, by one rule: that of the WHATWG Encoding standard, which
 * browsers, Node and Go's `strings.ToValidUTF8` readers share.
 */
import { bytesOf, newBuffer, newText } from "./bytes";

const REPLACEMENT: u32 = 0xfffd;

/**
 * The text as UTF-8. A lone surrogate, which no bytes can stand for, becomes U+FFFD.
 * @example utf8.encode("grüße").byteLength // 7
 */
export function encode(text: string): Uint8Array {
  const buffer = encodeBuffer(text);
  return bytesOf(buffer, 0, buffer.byteLength);
}

/** As `encode`, without the view: for the arguments of host calls. */
export function encodeBuffer(text: string): ArrayBuffer {
  const size = byteLength(text);
  const buffer = newBuffer(size);
  encodeInto(text, changetype<usize>(buffer), size);
  return buffer;
}

/** How many bytes `encode` makes of the text. */
export function byteLength(text: string): i32 {
  let size = 0;
  for (let i = 0, length = text.length; i < length;) {
    const point = pointAt(text, i, length);
    i += point >= 0x10000 ? 2 : 1;
    size += widthOf(point);
  }
  return size;
}

/**
 * Writes the text as UTF-8 to a block of `limit` bytes and answers how many it wrote. A text that
 * does not fit is cut between two characters. Allocates nothing, so the abort hook may use it.
 */
export function encodeInto(text: string, block: usize, limit: usize): usize {
  let at = block;
  const end = block + limit;
  for (let i = 0, length = text.length; i < length;) {
    const point = pointAt(text, i, length);
    if (at + widthOf(point) > end) break;
    i += point >= 0x10000 ? 2 : 1;
    at = storePoint(at, point);
  }
  return at - block;
}

/** Writes one code point as UTF-8 and answers the address after it. Surrogates must be gone. */
export function storePoint(at: usize, point: u32): usize {
  if (point < 0x80) {
    store<u8>(at, point);
    return at + 1;
  }
  const width = widthOf(point);
  // The lead byte's high bits say the width: 110, 1110 or 11110.
  let rest = width - 1;
  store<u8>(at, (0xf00 >> width) | (point >> (6 * rest)));
  while (rest > 0) {
    rest--;
    at++;
    store<u8>(at, 0x80 | ((point >> (6 * rest)) & 0x3f));
  }
  return at + 1;
}

/**
 * The bytes as text, or null when they are not valid UTF-8 (overlong forms, surrogates and cut
 * sequences included).
 * @example utf8.decode(body) === null // a binary body
 */
export function decode(bytes: Uint8Array): string | null {
  const units = unitsOf(bytes.dataStart, bytes.byteLength, true);
  return units < 0 ? null : textOf(bytes.dataStart, bytes.byteLength, units);
}

/** The bytes as text; every invalid sequence becomes one U+FFFD, as `TextDecoder` does it. */
export function decodeLossy(bytes: Uint8Array): string {
  return decodeRange(bytes.dataStart, bytes.byteLength);
}

/** As `decodeLossy`, for a range of memory. */
export function decodeRange(start: usize, size: usize): string {
  return textOf(start, size, unitsOf(start, size, false));
}

/** Whether the bytes are valid UTF-8. */
export function isValid(bytes: Uint8Array): bool {
  return unitsOf(bytes.dataStart, bytes.byteLength, true) >= 0;
}

/**
 * The valid sequence at an address: its size in bytes, 1 to 4. If it is invalid: minus the size of
 * the longest part that could have begun one, which is what a single U+FFFD stands for.
 */
export function sequenceAt(at: usize, end: usize): i32 {
  const lead: u32 = load<u8>(at);
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return -1;
  const width = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // Only the second byte's range is narrowed: against overlong forms, surrogates, > U+10FFFF.
  let low: u32 = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  let high: u32 = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  for (let i = 1; i < width; i++) {
    if (at + i >= end) return -i;
    const byte: u32 = load<u8>(at + i);
    if (byte < low || byte > high) return -i;
    low = 0x80;
    high = 0xbf;
  }
  return width;
}

/** UTF-16 units of the text; −1 when it is invalid and `strict`. */
function unitsOf(start: usize, size: usize, strict: bool): i32 {
  const end = start + size;
  let units = 0;
  for (let at = start; at < end;) {
    const width = sequenceAt(at, end);
    if (width < 0 && strict) return -1;
    at += abs(width);
    units += width == 4 ? 2 : 1;
  }
  return units;
}

function textOf(start: usize, size: usize, units: i32): string {
  const text = newText(units);
  const end = start + size;
  let to = changetype<usize>(text);
  for (let at = start; at < end;) {
    const width = sequenceAt(at, end);
    const point = width < 0 ? REPLACEMENT : loadPoint(at, width);
    at += abs(width);
    if (point < 0x10000) {
      store<u16>(to, point);
      to += 2;
    } else {
      const above = point - 0x10000;
      store<u32>(to, ((above & 0x3ff) << 16) | (above >> 10) | 0xdc00d800);
      to += 4;
    }
  }
  return text;
}

/** The code point of a valid sequence. */
function loadPoint(at: usize, width: i32): u32 {
  let point: u32 = load<u8>(at);
  if (width == 1) return point;
  point &= 0x7f >> width;
  for (let i = 1; i < width; i++) point = (point << 6) | (load<u8>(at + i) & 0x3f);
  return point;
}

/** The code point at an index; U+FFFD for half a surrogate pair. */
function pointAt(text: string, index: i32, length: i32): u32 {
  const unit: u32 = load<u16>(changetype<usize>(text) + ((<usize>index) << 1));
  if ((unit & 0xf800) != 0xd800) return unit;
  if (unit >= 0xdc00 || index + 1 >= length) return REPLACEMENT;
  const next: u32 = load<u16>(changetype<usize>(text) + ((<usize>index) << 1), 2);
  if ((next & 0xfc00) != 0xdc00) return REPLACEMENT;
  return 0x10000 + ((unit & 0x3ff) << 10) + (next & 0x3ff);
}

// @ts-ignore: decorator
@inline
function widthOf(point: u32): i32 {
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}
