import { lossyUtf8, tryUtf8 } from "../state/bytes.ts";
import type { TraceValue } from "./event.ts";

/** Text as a trace holds it: bytes as they came over the ABI, or text the host itself wrote. */
export type TraceText = string | Uint8Array;

/** Text for a reader's eye: invalid bytes become U+FFFD; what is no text is written as JavaScript writes it. */
export function readable(value: TraceValue | undefined): string {
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return lossyUtf8(value);
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(plain(value)) : String(value);
}

/** Text of an argument; everything that is neither text nor bytes counts as absent. */
export function textOf(value: TraceValue | undefined): TraceText {
  return typeof value === "string" || value instanceof Uint8Array ? value : "";
}

/** An integer argument as a number; null when there is none. */
export function numberOf(value: TraceValue | undefined): number | null {
  if (typeof value === "number") return value;
  return typeof value === "bigint" ? Number(value) : null;
}

/** Base64 without `node:` built-ins. */
export function base64(bytes: Uint8Array): string {
  let binary = "";
  // String.fromCharCode takes its arguments from the stack: slices keep it small.
  for (let start = 0; start < bytes.length; start += 8192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8192));
  }
  return btoa(binary);
}

export function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** A value as a result shows it: bytes as text, or `{ base64 }` when they are not valid UTF-8. */
export function plain(value: TraceValue): unknown {
  if (value instanceof Uint8Array) return tryUtf8(value) ?? { base64: base64(value) };
  if (typeof value === "bigint") return isSafe(value) ? Number(value) : value.toString();
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item: TraceValue) => plain(item));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
}

export function isSafe(value: bigint): boolean {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= BigInt(Number.MIN_SAFE_INTEGER);
}

/** `[[name, value] …]` as an event's arguments have it. */
export function pairsOf(value: TraceValue | undefined): (readonly [TraceText, TraceText])[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly TraceValue[]).map((pair) => {
    const [name, content] = Array.isArray(pair) ? (pair as readonly TraceValue[]) : [];
    return [textOf(name), textOf(content)] as const;
  });
}
