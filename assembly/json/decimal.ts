/**
 * Decimal digits to the nearest double, ties to even, for the numbers for which arithmetic on
 * doubles would round twice. The digits are halved and doubled as digits until the number lies in
 * [½, 1); then 53 bits of it are read off. This is the exact method of Ken Thompson's and Go's
 * `strconv`, slow and short. (The standard library's `parseFloat` is off by powers of ten beyond
 * 10³⁸.)
 */
import { digit } from "./validate";
import { exponentAt } from "./number";

// A double's exact form has 767 digits at most; what lies beyond decides ties only.
const DIGITS_MAX: i32 = 800;
// A step of 27 bits adds nine digits at most, and the accumulator stays within 64 bits.
const SHIFT_MAX: i32 = 27;
const GROWTH_MAX: i32 = 9;

/** 0.d₀d₁d₂… × 10^point */
class Decimal {
  private digits: StaticArray<u8> = new StaticArray<u8>(DIGITS_MAX + GROWTH_MAX);
  count: i32 = 0;
  point: i64 = 0;
  /** Digits other than 0 were dropped. */
  private isCut: bool = false;

  /** Reads an unsigned number. */
  read(at: usize, end: usize): void {
    let isFraction = false;
    for (; at < end; at++) {
      const byte: u32 = load<u8>(at);
      if (byte == 0x2e) isFraction = true;
      else if (!digit(byte)) break;
      else {
        if (this.count > 0 || byte != 0x30) {
          this.append(byte - 0x30);
          if (!isFraction) this.point++;
        } else if (isFraction) this.point--;
      }
    }
    this.point += exponentAt(at, end);
    this.trim();
  }

  /** Whether the number, known to be below 1, is below ½. */
  isBelowHalf(): bool {
    return this.point < 0 || (this.point == 0 && unchecked(this.digits[0]) < 5);
  }

  /** Divides by 2^bits. */
  halve(bits: i32): void {
    for (; bits > 0; bits -= SHIFT_MAX) this.halveOnce(min(bits, SHIFT_MAX));
  }

  /** Multiplies by 2^bits. */
  double(bits: i32): void {
    for (; bits > 0; bits -= SHIFT_MAX) this.doubleOnce(min(bits, SHIFT_MAX));
  }

  /** The nearest whole number, which must fit into 64 bits; of two, the even one. */
  rounded(): u64 {
    const whole = <i32>this.point;
    let value: u64 = 0;
    for (let i = 0; i < whole; i++) value = value * 10 + (i < this.count ? this.digitAt(i) : 0);
    return this.isRoundedUp(whole, value) ? value + 1 : value;
  }

  private isRoundedUp(whole: i32, value: u64): bool {
    if (whole < 0 || whole >= this.count) return false;
    const next = this.digitAt(whole);
    const isTie = next == 5 && whole + 1 == this.count && !this.isCut;
    return isTie ? (value & 1) != 0 : next >= 5;
  }

  private halveOnce(bits: i32): void {
    const mask = ((<u64>1) << bits) - 1;
    const count = this.count;
    let from = 0;
    let left: u64 = 0;
    // The first digits that make one of the result.
    while (left >> bits == 0) {
      if (from >= count && left == 0) break;
      left = left * 10 + (from < count ? this.digitAt(from) : 0);
      from++;
    }
    this.point -= from - 1;
    this.count = 0;
    while (from < count || left > 0) {
      this.append(<u32>(left >> bits));
      left = (left & mask) * 10;
      if (from < count) left += this.digitAt(from);
      from++;
    }
    this.trim();
  }

  private doubleOnce(bits: i32): void {
    const digits = this.digits;
    let left: u64 = 0;
    for (let i = this.count - 1; i >= 0; i--) {
      left += this.digitAt(i) << bits;
      unchecked((digits[i + GROWTH_MAX] = <u8>(left % 10)));
      left /= 10;
    }
    for (let i = GROWTH_MAX - 1; i >= 0; i--) {
      unchecked((digits[i] = <u8>(left % 10)));
      left /= 10;
    }
    const count = this.count + GROWTH_MAX;
    let zeros = 0;
    while (zeros < count && unchecked(digits[zeros]) == 0) zeros++;
    this.point += GROWTH_MAX - zeros;
    this.count = 0;
    for (let i = zeros; i < count; i++) this.append(unchecked(digits[i]));
    this.trim();
  }

  private append(value: u32): void {
    if (this.count < DIGITS_MAX) unchecked((this.digits[this.count++] = <u8>value));
    else if (value != 0) this.isCut = true;
  }

  private trim(): void {
    while (this.count > 0 && unchecked(this.digits[this.count - 1]) == 0) this.count--;
  }

  private digitAt(index: i32): u64 {
    return unchecked(this.digits[index]);
  }
}

/** The double nearest to an unsigned number `digits[.digits][e[±]digits]`. */
export function nearestDouble(at: usize, end: usize): f64 {
  const number = new Decimal();
  number.read(at, end);
  if (number.count == 0 || number.point < -330) return 0;
  if (number.point > 310) return Infinity;
  // number × 2^exponent is the value throughout.
  let exponent = 0;
  while (number.point > 0) {
    const bits = min(<i32>number.point * 3, SHIFT_MAX);
    number.halve(bits);
    exponent += bits;
  }
  while (number.isBelowHalf()) {
    const bits = number.point < 0 ? min(<i32>-number.point * 3, SHIFT_MAX) : 1;
    number.double(bits);
    exponent -= bits;
  }
  // Doubles are written 1.x × 2^n, and below 2^-1022 with fewer bits.
  exponent--;
  if (exponent < -1022) {
    number.halve(-1022 - exponent);
    exponent = -1022;
  }
  number.double(53);
  let mantissa = number.rounded();
  if (mantissa == (<u64>1) << 53) {
    mantissa >>= 1;
    exponent++;
  }
  if (exponent > 1023) return Infinity;
  const isNormal = mantissa >> 52 != 0;
  const biased: u64 = isNormal ? exponent + 1023 : 0;
  return reinterpret<f64>((biased << 52) | (mantissa & 0xfffffffffffff));
}
