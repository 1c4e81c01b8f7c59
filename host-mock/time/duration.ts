/** Durations are text with a unit: `250ms`, `71s`, `1.5h`. */
import { shown } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";

const unitNs = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, m: 6e10, h: 3.6e12 } as const;
const units = "ns us ms s m h";
const pattern = /^(\d+)(?:\.(\d+))?(ns|us|ms|s|m|h)$/;

/**
 * Nanoseconds of a duration such as `250ms`. E_OPTION for a bare number, an unknown unit, a sign, a
 * fraction of a nanosecond or more than 104 days. `place` says where the text stands.
 */
export function parseDuration(text: string, place?: string): number {
  requireText(text, place);
  const match = pattern.exec(text);
  if (match === null) throw refuse(text, place, remedyFor(text));
  const [, whole = "", fraction = "", unit = ""] = match;
  const scale = unitNs[unit as keyof typeof unitNs];
  // Whole digits and fraction apart, in integers: 0.1us must be exactly 100.
  const digits = BigInt(whole + fraction) * BigInt(scale);
  const divisor = 10n ** BigInt(fraction.length);
  if (digits % divisor !== 0n) throw refuse(text, place, "a nanosecond is the smallest step");
  const ns = digits / divisor;
  if (ns > BigInt(Number.MAX_SAFE_INTEGER))
    throw refuse(text, place, "the longest duration is 104 days");
  return Number(ns);
}

/** As `parseDuration`, with an optional sign: `+1h`, `-30s`. */
export function parseSignedDuration(text: string, place?: string): number {
  requireText(text, place);
  const sign = text.startsWith("-") ? -1 : 1;
  const ns = parseDuration(/^[+-]/.test(text) ? text.slice(1) : text, place);
  return ns === 0 ? 0 : sign * ns;
}

/** The shortest exact text: `90m`, `71s`, `1.5s`, `250ms`. `parseDuration` reads it back. */
export function formatDuration(ns: number): string {
  if (ns < 0) return `-${formatDuration(-ns)}`;
  if (ns === 0) return "0s";
  for (const unit of ["h", "m"] as const)
    if (ns % unitNs[unit] === 0) return `${ns / unitNs[unit]}${unit}`;
  for (const [unit, places] of [
    ["s", 9],
    ["ms", 6],
    ["us", 3],
  ] as const) {
    if (ns >= unitNs[unit]) return `${decimal(ns, places)}${unit}`;
  }
  return `${ns}ns`;
}

/** A whole number with a point before its last `places` digits, without zeros at the end. */
function decimal(number: number, places: number): string {
  const digits = String(number);
  const fraction = digits.slice(-places).replace(/0+$/, "");
  return digits.slice(0, -places) + (fraction === "" ? "" : `.${fraction}`);
}

/** A list or an object would be read as the text it can be turned into. */
function requireText(text: unknown, place: string | undefined): void {
  if (typeof text !== "string") throw refuse(text, place, remedyFor(shown(text)));
}

function remedyFor(text: string): string {
  if (/^\d+(\.\d+)?$/.test(text))
    return `write a unit, for example ${text}ms or ${text}s (${units})`;
  if (/^[+-]/.test(text)) return "a sign has no meaning here";
  const joined = joinedNs(text);
  if (joined !== undefined) return `parts cannot be joined: write ${formatDuration(joined)}`;
  return `write a number and a unit, for example 250ms, 71s or 5m (${units})`;
}

/** Of parts such as `1m30s`, which other tools write, the sum. */
function joinedNs(text: string): number | undefined {
  const parts = text.match(/\d+(?:ns|us|ms|s|m|h)/g) ?? [];
  if (parts.length < 2 || parts.join("") !== text) return undefined;
  const sum = parts.reduce((ns, part) => ns + parseDuration(part), 0);
  return Number.isSafeInteger(sum) ? sum : undefined;
}

function refuse(text: unknown, place: string | undefined, remedy: string): MockHostError {
  const parts = place === undefined ? { remedy } : { place, remedy };
  return new MockHostError("E_OPTION", `${shown(text)} is no duration`, parts);
}
