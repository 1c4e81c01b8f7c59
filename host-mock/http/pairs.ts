import { kindOf } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import { noBytes, tryUtf8, utf8 } from "../state/bytes.ts";
import type { HeaderMap } from "../state/header-map.ts";
import type { HeaderList } from "./cluster-options.ts";

/** Text where the bytes are UTF-8, else the bytes. */
export type TextOrBytes = string | Uint8Array;

export type ShownHeaders = readonly (readonly [name: string, value: TextOrBytes])[];

export function shownText(bytes: Uint8Array): TextOrBytes {
  return tryUtf8(bytes) ?? bytes;
}

/** A user's header list as pairs. */
export function pairsOf(
  list: HeaderList | undefined,
): readonly (readonly [string, string | Uint8Array])[] {
  if (list === undefined) return noPairs;
  if (Array.isArray(list)) return list as readonly (readonly [string, string | Uint8Array])[];
  return Object.entries(list as Readonly<Record<string, string>>);
}

export function bytesOf(text: string | Uint8Array | undefined): Uint8Array {
  return typeof text === "string" ? utf8(text) : (text ?? noBytes);
}

/** E_OPTION for a part of a message that is neither text nor bytes, alone or in a list. */
export function requireBytes(called: string, value: unknown): void {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const wrong = list.findIndex((part) => typeof part !== "string" && !(part instanceof Uint8Array));
  if (wrong < 0) return;
  const kind = kindOf(list[wrong]);
  const what = Array.isArray(value) ? `${called} has ${kind} in it` : `${called} is ${kind}`;
  throw new MockHostError("E_OPTION", what, { remedy: "give a text or bytes" });
}

/** E_OPTION for what is neither text nor bytes; a list of them too. */
export function requirePart(called: string, value: unknown): void {
  if (!Array.isArray(value)) return requireBytes(called, value);
  throw new MockHostError("E_OPTION", `${called} is a list`, {
    remedy: "give a text or bytes, one part at a time",
  });
}

const noFrames: readonly Uint8Array[] = [];
const noPairs: readonly (readonly [string, string | Uint8Array])[] = [];

/** A user's body as frames; empty ones are left out. */
export function framesOf(
  body: string | Uint8Array | readonly (string | Uint8Array)[] | undefined,
): readonly Uint8Array[] {
  if (body === undefined) return noFrames;
  const frames = Array.isArray(body)
    ? (body as readonly (string | Uint8Array)[]).map(bytesOf)
    : [bytesOf(body as string | Uint8Array | undefined)];
  return frames.filter((frame) => frame.length > 0);
}

/** A map for a reader. Names are shown as text; one that is no UTF-8 byte by byte. */
export function shownHeaders(map: HeaderMap | undefined, options = { pseudo: true }): ShownHeaders {
  if (map === undefined) return [];
  return map.shown(options.pseudo);
}

export function joinedBytes(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 0) return noBytes;
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
