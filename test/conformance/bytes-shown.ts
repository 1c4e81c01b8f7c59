/** Bytes in a transcript, as the scripted guest shows them: one form on every host. */

/** Longer bytes are shown as size and hash. */
const shownMax = 100;

/** Text of one character a byte. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

export function bytesOf(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

/** Printable ASCII as it is, other bytes as `%XX`; more than 100 as `#SIZE:FNV1A32`. */
export function shownBytes(text: string): string {
  if (text.length <= shownMax) return escaped(text, /[^ -~]|%/g);
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return `#${String(text.length)}:${hash.toString(16).padStart(8, "0")}`;
}

/** A log line, whose writer has escaped what it wanted to. */
export function shownLine(text: string): string {
  return escaped(text, /[^ -~]/g);
}

function escaped(text: string, what: RegExp): string {
  return text.replace(
    what,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

export function shownPairs(pairs: HeaderPairs): string {
  return `[${pairs.map(([name, value]) => `${shownBytes(name)}=${shownBytes(value)}`).join(", ")}]`;
}
