/**
 * Whole numbers in decimal. The standard library's `toString` knows every radix and carries two
 * kilobytes of tables for it; hence the SDK writes its own digits.
 */
import { newText } from "./bytes";

/** How many digits a number has. */
export function digitCount(value: u64): i32 {
  let count = 1;
  for (; value >= 10; value /= 10) count++;
  return count;
}

/** Writes a number's `count` digits as ASCII. */
export function storeDigits(at: usize, value: u64, count: i32): void {
  for (let to = at + count; to > at; value /= 10) {
    to--;
    store<u8>(to, 0x30 + <u32>(value % 10));
  }
}

/** A number as text. */
export function decimal(value: u64): string {
  const count = digitCount(value);
  const text = newText(count);
  const start = changetype<usize>(text);
  for (let to = start + ((<usize>count) << 1); to > start; value /= 10) {
    to -= 2;
    store<u16>(to, 0x30 + <u32>(value % 10));
  }
  return text;
}
