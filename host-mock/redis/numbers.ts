/** Numbers as Redis reads and writes them. Source: Redis `util.c` (string2ll, ld2string, d2string). */
import { notFloat, notInteger, RedisError } from "./reply.ts";
import type { ScoreBound } from "./sorted-set.ts";

export const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

/** A 64-bit integer without sign `+`, leading zeros or spaces; undefined for anything else. */
export function tryInteger(text: string): bigint | undefined {
  if (!/^(?:0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const value = BigInt(text);
  return value >= int64Min && value <= int64Max ? value : undefined;
}

export function integerOf(text: string): bigint {
  const value = tryInteger(text);
  if (value === undefined) throw new RedisError(notInteger);
  return value;
}

/** An integer that counts or indexes. */
export function indexOf(text: string): number {
  return Number(integerOf(text));
}

export function added(a: bigint, b: bigint): bigint {
  const sum = a + b;
  if (sum >= int64Min && sum <= int64Max) return sum;
  throw new RedisError("ERR increment or decrement would overflow");
}

export function tryFloat(text: string): number | undefined {
  const lower = text.toLowerCase();
  if (/^[+-]?inf(?:inity)?$/.test(lower)) return lower.startsWith("-") ? -Infinity : Infinity;
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/.test(lower)) return undefined;
  return Number(lower);
}

export function floatOf(text: string, error = notFloat): number {
  const value = tryFloat(text);
  if (value === undefined) throw new RedisError(error);
  return value;
}

/** `5`, `(5`, `-inf`. */
export function scoreBound(text: string): ScoreBound {
  const isExclusive = text.startsWith("(");
  const score = floatOf(isExclusive ? text.slice(1) : text, "ERR min or max is not a float");
  return { score, isExclusive };
}

/** A score as replies show it: the shortest decimal that reads back, exponents with two digits as C writes them. */
export function scoreText(score: number): string {
  if (score === Infinity) return "inf";
  if (score === -Infinity) return "-inf";
  if (Object.is(score, -0)) return "-0";
  if (Number.isInteger(score) && Math.abs(score) < 2 ** 53) return String(score);
  return generalText(score, 17);
}

/** C's `%.{digits}g`. */
export function generalText(value: number, digits: number): string {
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [mantissa = "", power = "0"] = exponentText(value, digits - 1).split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= digits) return `${trimmed(mantissa)}e${power}`;
  return trimmed(fixedText(value, Math.max(0, digits - 1 - exponent)));
}

/** C's `%.{places}e`, at most 99 places. */
export function exponentText(value: number, places: number): string {
  const [digits = "", exact = "0"] = value.toExponential(100).split("e");
  const [mantissa = "", power = "0"] = isTieToEven(digits, places)
    ? [cutOff(digits, places), exact]
    : value.toExponential(places).split("e");
  const exponent = Number(power);
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** C's `%.{places}f`, at most 99 places. */
export function fixedText(value: number, places: number): string {
  if (Math.abs(value) >= 1e21)
    return `${BigInt(value)}${places > 0 ? `.${"0".repeat(places)}` : ""}`;
  const exact = value.toFixed(100);
  return isTieToEven(exact, places) ? cutOff(exact, places) : value.toFixed(places);
}

/** Whether exactly a half stands behind an even digit: C leaves that digit, and JavaScript raises it. */
function isTieToEven(exact: string, places: number): boolean {
  const rest = exact.slice(exact.indexOf(".") + 1 + places);
  return /^50*$/.test(rest) && /[02468]$/.test(cutOff(exact, places));
}

function cutOff(exact: string, places: number): string {
  return exact.slice(0, exact.indexOf(".") + (places === 0 ? 0 : 1 + places));
}

/** What a C compiler makes of a `double` that becomes a `long long`: one that does not fit is the lowest number. */
export function longOf(value: number): bigint {
  const fits = value >= -(2 ** 63) && value < 2 ** 63;
  return fits ? BigInt(Math.trunc(value)) : int64Min;
}

function trimmed(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
