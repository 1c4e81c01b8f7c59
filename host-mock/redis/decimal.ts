import { RedisError } from "./reply.ts";

/** `mantissa · 2^exponent`, the mantissa of at most 64 bits: the `long double` of x86-64. */
interface LongDouble {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const mantissaBits = 64;
const placesMax = 17;

/**
 * The sum of two decimal texts as Redis adds them, in `long double`, with at most 17 places and without trailing zeros.
 *
 * Source: Redis `t_string.c` (incrbyfloatCommand), `util.c` (ld2string, LD_STR_HUMAN).
 */
export function decimalSum(a: string, b: string): string {
  if (/inf/i.test(a + b)) throw new RedisError("ERR increment would produce NaN or Infinity");
  const [x, y] = [parsed(a), parsed(b)];
  const exponent = Math.min(x.exponent, y.exponent);
  const sum = aligned(x, exponent) + aligned(y, exponent);
  return shown(
    exponent >= 0 ? rounded(sum << BigInt(exponent), 1n) : rounded(sum, 1n << BigInt(-exponent)),
  );
}

function parsed(text: string): LongDouble {
  const [mantissa = "", power = "0"] = text.toLowerCase().split("e");
  const [whole = "", part = ""] = mantissa.split(".");
  const digits = BigInt(`${whole}${part}`.replace(/^\+/, ""));
  const places = part.length - Number(power);
  return places >= 0
    ? rounded(digits, 10n ** BigInt(places))
    : rounded(digits * 10n ** BigInt(-places), 1n);
}

/** The nearest to a fraction; of two equally near ones the even one. */
function rounded(numerator: bigint, denominator: bigint): LongDouble {
  if (numerator === 0n) return { mantissa: 0n, exponent: 0 };
  const size = numerator < 0n ? -numerator : numerator;
  let exponent = bitsOf(size) - bitsOf(denominator) - mantissaBits;
  let mantissa = quotient(size, denominator, exponent);
  if (bitsOf(mantissa) > mantissaBits) mantissa = quotient(size, denominator, ++exponent);
  return { mantissa: numerator < 0n ? -mantissa : mantissa, exponent };
}

/** `numerator / denominator / 2^exponent`, rounded half to even. */
function quotient(numerator: bigint, denominator: bigint, exponent: number): bigint {
  const [n, d] =
    exponent >= 0
      ? [numerator, denominator << BigInt(exponent)]
      : [numerator << BigInt(-exponent), denominator];
  const low = n / d;
  const twice = 2n * (n % d);
  if (twice < d || (twice === d && low % 2n === 0n)) return low;
  return low + 1n;
}

function aligned({ mantissa, exponent }: LongDouble, to: number): bigint {
  return mantissa << BigInt(exponent - to);
}

function bitsOf(value: bigint): number {
  return value.toString(2).length;
}

function shown({ mantissa, exponent }: LongDouble): string {
  const size = mantissa < 0n ? -mantissa : mantissa;
  const digits = quotient(size * 10n ** BigInt(placesMax), 1n, -exponent);
  const text = String(digits).padStart(placesMax + 1, "0");
  const whole = text.slice(0, -placesMax);
  const part = text.slice(-placesMax).replace(/0+$/, "");
  return `${mantissa < 0n ? "-" : ""}${whole}${part === "" ? "" : `.${part}`}`;
}
