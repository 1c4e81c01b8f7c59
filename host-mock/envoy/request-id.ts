import type { Random } from "../random.ts";

/** A version 4 UUID, as Envoy draws one for `x-request-id`. */
export function uuidOf(random: Random): string {
  const bytes = new Uint8Array(16);
  random.fill(bytes);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}
