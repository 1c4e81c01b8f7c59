/**
 * Builds one ASCII line in static memory: lease records and witness lines are made on every pass,
 * and this way need neither an allocation nor the string functions. One line at a time.
 */
import { newBytes } from "../memory/bytes";
import { encodeInto } from "../memory/utf8";

const SIZE: usize = 1024;
const LINE: usize = memory.data(1024);
const LONGEST_NUMBER: usize = 20;

let end: usize = LINE;

/** Starts a new line with this text. */
export function begin(text: string): void {
  end = LINE;
  put(text);
}

/** Appends text; what does not fit is cut. */
export function put(text: string): void {
  end += encodeInto(text, end, LINE + SIZE - end);
}

/** Appends a number that is not negative, in decimal. */
export function putNumber(value: i64): void {
  if (end + LONGEST_NUMBER > LINE + SIZE) return;
  let digits: usize = 1;
  for (let rest = <u64>value / 10; rest != 0; rest /= 10) digits++;
  let rest = <u64>value;
  for (let at = end + digits; at > end;) {
    at--;
    store<u8>(at, 0x30 + <u8>(rest % 10));
    rest /= 10;
  }
  end += digits;
}

/** Where the line begins in memory. */
export function linePtr(): usize {
  return LINE;
}

/** How many bytes the line has. */
export function lineSize(): usize {
  return end - LINE;
}

/** A copy of the line. */
export function lineBytes(): Uint8Array {
  const bytes = newBytes(<i32>(end - LINE));
  memory.copy(bytes.dataStart, LINE, end - LINE);
  return bytes;
}
