/** Numbers as their digits say, without a detour through floating point. */
import { digit } from "./validate";

// Beyond this the number is 0 or out of range, however many digits it has.
const EXPONENT_MAX: i64 = 1_000_000_000;

/**
 * Whether the bytes are digits only, after a "-" perhaps: what a string must be to count as a
 * number.
 */
export function isInteger(at: usize, end: usize): bool {
  if (at < end && load<u8>(at) == 0x2d) at++;
  if (at >= end) return false;
  for (; at < end; at++) {
    if (!digit(load<u8>(at))) return false;
  }
  return true;
}

/** The number cut towards zero; the nearest i64 when it is out of range. */
export function signedOf(at: usize, end: usize): i64 {
  const negative = isNegative(at, end);
  const size = magnitude(at + usize(negative), end);
  if (negative) return size > <u64>i64.MAX_VALUE ? i64.MIN_VALUE : -(<i64>size);
  return size > <u64>i64.MAX_VALUE ? i64.MAX_VALUE : <i64>size;
}

/** The number cut towards zero; 0 when it is negative, the largest u64 when it is out of range. */
export function unsignedOf(at: usize, end: usize): u64 {
  return isNegative(at, end) ? 0 : magnitude(at, end);
}

/** Whether a number has a digit other than 0 before its exponent. */
export function isNonZero(at: usize, end: usize): bool {
  for (; at < end; at++) {
    const byte: u32 = load<u8>(at);
    if ((byte | 0x20) == 0x65) return false;
    if (byte - 0x31 < 9) return true;
  }
  return false;
}

function isNegative(at: usize, end: usize): bool {
  return at < end && load<u8>(at) == 0x2d;
}

/**
 * The whole part of an unsigned number `digits[.digits][e[±]digits]`, u64.MAX_VALUE when it is
 * more.
 */
function magnitude(at: usize, end: usize): u64 {
  let point: i64 = -1;
  let count: i64 = 0;
  let scan = at;
  for (; scan < end; scan++) {
    const byte = load<u8>(scan);
    if (byte == 0x2e) point = count;
    else if (digit(byte)) count++;
    else break;
  }
  // So many of the digits, zeros appended where there are too few, stand before the point.
  let whole = (point < 0 ? count : point) + exponentAt(scan, end);
  let value: u64 = 0;
  for (; whole > 0 && at < scan; at++) {
    const byte = load<u8>(at);
    if (byte == 0x2e) continue;
    value = appendDigit(value, byte - 0x30);
    whole--;
  }
  if (value == 0) return 0;
  for (; whole > 0 && value != u64.MAX_VALUE; whole--) value = appendDigit(value, 0);
  return value;
}

function appendDigit(value: u64, next: u64): u64 {
  if (value > u64.MAX_VALUE / 10) return u64.MAX_VALUE;
  const tenfold = value * 10;
  return tenfold > u64.MAX_VALUE - next ? u64.MAX_VALUE : tenfold + next;
}

/** The exponent at the "e"; 0 when the number has none. */
export function exponentAt(at: usize, end: usize): i64 {
  if (at >= end || (load<u8>(at) | 0x20) != 0x65) return 0;
  at++;
  const negative = isNegative(at, end);
  let value: i64 = 0;
  for (; at < end; at++) {
    const byte = load<u8>(at);
    if (digit(byte) && value < EXPONENT_MAX) value = value * 10 + (byte - 0x30);
  }
  return negative ? -value : value;
}
