/** Bytes and text. Keys of stores are binary strings: one character a byte. */

const encoder = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

export const noBytes = new Uint8Array(0);

/** A binary string of the bytes. */
export function latin1(bytes: Uint8Array): string {
  return latin1Range(bytes, 0, bytes.length);
}

/** A binary string of `bytes[start, end)`, without a copy of the bytes. */
export function latin1Range(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}

/** The bytes of a binary string; characters above 255 lose their upper bits. */
export function fromLatin1(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/** Up to this length a loop is quicker than the encoder, which costs more to call than to run. */
const shortLength = 64;

/** Every character is below 128: text, its UTF-8 and its binary string are then the same. */
export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}

/** The UTF-8 bytes of a text. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  const { length } = text;
  if (length > shortLength) return encoder.encode(text);
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return encoder.encode(text);
    bytes[at] = code;
  }
  return bytes;
}

/** The text of a few bytes that are ASCII, as most are. */
function shortAscii(bytes: Uint8Array): string | undefined {
  const { length } = bytes;
  if (length > shortLength) return undefined;
  for (let at = 0; at < length; at++) if (bytes[at]! > 0x7f) return undefined;
  return String.fromCharCode.apply(null, bytes as unknown as number[]);
}

/** The text, or undefined when the bytes are not valid UTF-8. */
export function tryUtf8(bytes: Uint8Array): string | undefined {
  const ascii = shortAscii(bytes);
  if (ascii !== undefined) return ascii;
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * A key for a reader: its text, or `base64:…` for bytes that are not UTF-8, and for a text that begins with these
 * words itself. No two keys are shown alike.
 */
export function shownKey(key: string): string {
  const text = tryUtf8(fromLatin1(key));
  return text === undefined || text.startsWith("base64:") ? `base64:${btoa(key)}` : text;
}

/** The text for a reader: U+FFFD in place of what is not UTF-8. */
export function lossyUtf8(bytes: Uint8Array): string {
  return shortAscii(bytes) ?? lossy.decode(bytes);
}
