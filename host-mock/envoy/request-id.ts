import type { Random } from "../random.ts";

const digits = "0123456789abcdef";
const dash = "-".charCodeAt(0);
/** The text under way: made in one piece, as requests keep it. */
const codes = new Array<number>(36).fill(0);

/** A version 4 UUID, as Envoy draws one for `x-request-id`. */
export function uuidOf(random: Random): string {
  const bytes = new Uint8Array(16);
  random.fill(bytes);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  let at = 0;
  for (let index = 0; index < bytes.length; index++) {
    if (index === 4 || index === 6 || index === 8 || index === 10) codes[at++] = dash;
    codes[at++] = digits.charCodeAt(bytes[index]! >> 4);
    codes[at++] = digits.charCodeAt(bytes[index]! & 0x0f);
  }
  return String.fromCharCode.apply(null, codes);
}
