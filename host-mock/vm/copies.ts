/**
 * Copies out of guests' memories, made cheap: host calls make millions of them, nearly all short
 * and of few different keys. Both caches only save work; what they return does not depend on what
 * went before.
 */
import { latin1Range } from "../state/bytes.ts";

const slabBytes = 32 * 1024;
const shortBytes = 1024;

let slab = new Uint8Array(slabBytes);
let slabAt = 0;

/**
 * A copy of `bytes[start, end)`. Short ones share a buffer: an array of its own costs several times
 * as much.
 */
export function copyOf(bytes: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
  const size = end - start;
  if (size > shortBytes) return bytes.slice(start, end);
  if (slabAt + size > slabBytes) {
    slab = new Uint8Array(slabBytes);
    slabAt = 0;
  }
  const copy = slab.subarray(slabAt, slabAt + size);
  slabAt += size;
  for (let at = 0; at < size; at++) copy[at] = bytes[start + at]!;
  return copy;
}

interface Known {
  readonly bytes: Uint8Array;
  readonly text: string;
}

const slotCount = 1024;
const keyBytes = 128;
const slots = new Array<Known | undefined>(slotCount);

/**
 * The binary string of `bytes[start, end)`: one character a byte. Short ones are looked up among
 * those made before.
 */
export function latin1Of(bytes: Uint8Array, start: number, end: number): string {
  const size = end - start;
  if (size > keyBytes) return latin1Range(bytes, start, end);
  let hash = size;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  const slot = (hash >>> 8) % slotCount;
  const known = slots[slot];
  if (known !== undefined && isAt(bytes, start, known.bytes, size)) return known.text;
  const text = latin1Range(bytes, start, end);
  slots[slot] = { bytes: bytes.slice(start, end), text };
  return text;
}

function isAt(bytes: Uint8Array, start: number, wanted: Uint8Array, size: number): boolean {
  if (wanted.length !== size) return false;
  for (let at = 0; at < size; at++) if (wanted[at] !== bytes[start + at]) return false;
  return true;
}
