import { nearestDouble } from "./decimal";
import { exponentAt } from "./number";
import { digit, JsonFault, validate } from "./validate";

// Up to here whole numbers and powers of ten are exact doubles, so one operation on them rounds
// once.
const EXACT_MAX: u64 = 0x20000000000000;
const EXACT_POWER_MAX: i64 = 22;

/** A JSON number as the nearest double; infinite when it is too large. */
export function floatOf(start: usize, end: usize): f64 {
  const isNegative = start < end && load<u8>(start) == 0x2d;
  const size = sizeOf(isNegative ? start + 1 : start, end);
  return isNegative ? -size : size;
}

/** Whether bytes are a JSON number and nothing else. */
export function isNumber(start: usize, end: usize): bool {
  if (start >= end || !digit(load<u8>(end - 1))) return false;
  const lead: u32 = load<u8>(start);
  return (lead == 0x2d || digit(lead)) && validate(start, end - start) == JsonFault.None;
}

function sizeOf(start: usize, end: usize): f64 {
  let whole: u64 = 0;
  let power: i64 = 0;
  let isFraction = false;
  let at = start;
  for (; at < end; at++) {
    const byte: u32 = load<u8>(at);
    if (byte == 0x2e) isFraction = true;
    else if (!digit(byte)) break;
    else {
      whole = whole * 10 + (byte - 0x30);
      if (whole > EXACT_MAX) return nearestDouble(start, end);
      if (isFraction) power--;
    }
  }
  power += exponentAt(at, end);
  if (abs(power) > EXACT_POWER_MAX) return nearestDouble(start, end);
  let ten: f64 = 1;
  for (let i = abs(power); i > 0; i--) ten *= 10;
  return power < 0 ? <f64>whole / ten : <f64>whole * ten;
}
