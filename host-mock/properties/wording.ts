import type { Leadership } from "../trace/leadership.ts";

/**
 * Time for a reader: `10 s`, `70.312 s`, `12 m 03.5 s`, `1 h`, `1 h 02 m 03 s`. Up to ten minutes in seconds, with as many decimals
 * as it takes, at most three (below a millisecond: `0.25 ms`).
 */
export function time(ns: number): string {
  if (ns !== 0 && Math.abs(ns) < 1e6) return `${trimmed(ns / 1e6, 6)} ms`;
  const ms = Math.round(ns / 1e6);
  if (Math.abs(ms) < 600_000) return `${trimmed(ms / 1e3, 3)} s`;
  const hours = Math.floor(ms / 3_600_000);
  const minutes = Math.floor((ms % 3_600_000) / 60_000);
  const seconds = trimmed((ms % 60_000) / 1e3, 3);
  const parts = [
    ...(hours === 0 ? [] : [`${hours} h`]),
    ...(ms % 3_600_000 === 0 ? [] : [`${hours === 0 ? minutes : twoDigits(String(minutes))} m`]),
    ...(ms % 60_000 === 0 ? [] : [`${twoDigits(seconds)} s`]),
  ];
  return parts.join(" ");
}

function twoDigits(text: string): string {
  return /^\d(\.|$)/.test(text) ? `0${text}` : text;
}

function trimmed(value: number, digits: number): string {
  return value.toFixed(digits).replace(/\.?0+$/, "");
}

/** `main#1 (term 17)`; the context too where it tells two of one VM apart. */
export function leader(leadership: Leadership, beside?: Leadership): string {
  const isSameVm = beside !== undefined && beside.vm === leadership.vm;
  const parts = [
    ...(isSameVm ? [`context ${leadership.context}`] : []),
    leadership.term === null ? `id ${leadership.id}` : `term ${leadership.term}`,
  ];
  return `${leadership.vm} (${parts.join(", ")})`;
}

/** `1 call`, `3 calls` */
export function count(amount: number, noun: string): string {
  return `${amount.toLocaleString("en-US")} ${noun}${amount === 1 ? "" : "s"}`;
}

/** "", or ` (and 3 more)`: a breach is told once, the others are counted. */
export function andMore(others: number): string {
  return others === 0 ? "" : ` (and ${others} more)`;
}
