import { tryUtf8, utf8 } from "../state/bytes.ts";
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
  if (list === undefined) return [];
  if (Array.isArray(list)) return list as readonly (readonly [string, string | Uint8Array])[];
  return Object.entries(list as Readonly<Record<string, string>>);
}

export function bytesOf(text: string | Uint8Array | undefined): Uint8Array {
  return typeof text === "string" ? utf8(text) : (text ?? new Uint8Array(0));
}

/** A user's body as frames; empty ones are left out. */
export function framesOf(
  body: string | Uint8Array | readonly (string | Uint8Array)[] | undefined,
): Uint8Array[] {
  const frames = Array.isArray(body)
    ? (body as readonly (string | Uint8Array)[]).map(bytesOf)
    : [bytesOf(body as string | Uint8Array | undefined)];
  return frames.filter((frame) => frame.length > 0);
}

/** A map for a reader. Names are shown as text; one that is no UTF-8 byte by byte. */
export function shownHeaders(map: HeaderMap | undefined, options = { pseudo: true }): ShownHeaders {
  if (map === undefined) return [];
  const shown: [string, TextOrBytes][] = [];
  for (const [name, value] of map.entries()) {
    const text = tryUtf8(name) ?? String.fromCharCode(...name);
    if (!options.pseudo && text.startsWith(":")) continue;
    shown.push([text, shownText(value)]);
  }
  return shown;
}

export function joinedBytes(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
