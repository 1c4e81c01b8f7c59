/**
 * Header maps on the wire:
 *
 *   u32 count | count × (u32 name size, u32 value size) | count × (name, 0x00, value, 0x00)
 *
 * all little-endian. Names and values may hold any byte, NUL too: the sizes rule. No bytes at all
 * is the empty map. Source: proxy-wasm-cpp-host `pairs_util.cc`.
 */
import { bytesOf, newBuffer } from "./bytes";
import { Headers } from "./headers";

export { HeaderPair, Headers } from "./headers";

/** The host reads a list of more pairs or bytes as an empty one, without an error. */
export const PAIRS_MAX: i32 = 1024;
export const PAIRS_BYTES_MAX: u64 = 1024 * 1024;

/** A decoded list. When the bytes are no list, `isMalformed` is set and the list is empty. */
export class PairsResult {
  constructor(
    public readonly isMalformed: bool,
    public readonly headers: Headers,
  ) {}
}

/**
 * Reads a list from bytes of any origin. The names and values are views on the bytes, which must
 * not be changed afterwards.
 */
export function decodePairs(bytes: Uint8Array): PairsResult {
  const headers = new Headers();
  // Fewer than four bytes are how hosts may say "none".
  const malformed = bytes.byteLength >= 4 && !readPairs(bytes, headers);
  return new PairsResult(malformed, malformed ? new Headers() : headers);
}

function readPairs(bytes: Uint8Array, headers: Headers): bool {
  const base = bytes.dataStart;
  const size: u64 = bytes.byteLength;
  const count: u64 = load<u32>(base);
  // In 64 bits no sum of sizes that the bytes claim can wrap round.
  let at: u64 = 4 + 8 * count;
  if (at > size) return false;
  const offset = bytes.byteOffset;
  for (let i: u32 = 0; i < <u32>count; i++) {
    const sizes = base + 4 + 8 * i;
    const nameSize: u64 = load<u32>(sizes);
    const valueSize: u64 = load<u32>(sizes, 4);
    const valueAt = at + nameSize + 1;
    const end = valueAt + valueSize + 1;
    if (end > size) return false;
    if (load<u8>(base + <usize>valueAt - 1) != 0 || load<u8>(base + <usize>end - 1) != 0)
      return false;
    headers.addView(
      bytesOf(bytes.buffer, offset + <i32>at, <i32>nameSize),
      bytesOf(bytes.buffer, offset + <i32>valueAt, <i32>valueSize),
    );
    at = end;
  }
  return at == size;
}

/** The list as bytes, or null when the host would drop it: more than 1,024 pairs or 1 MiB. */
export function encodePairs(headers: Headers): ArrayBuffer | null {
  const count = headers.Size();
  let size: u64 = 4;
  for (let i = 0; i < count; i++) {
    const pair = headers.At(i);
    size += <u64>pair.name.byteLength + <u64>pair.value.byteLength + 10;
  }
  if (count > PAIRS_MAX || size > PAIRS_BYTES_MAX) return null;
  const buffer = newBuffer(<usize>size);
  const base = changetype<usize>(buffer);
  store<u32>(base, count);
  let at = base + 4 + 8 * count;
  for (let i = 0; i < count; i++) {
    const pair = headers.At(i);
    const sizes = base + 4 + 8 * i;
    store<u32>(sizes, pair.name.byteLength);
    store<u32>(sizes, pair.value.byteLength, 4);
    // The terminators are there already: a new buffer is zero.
    at = put(at, pair.name) + 1;
    at = put(at, pair.value) + 1;
  }
  return buffer;
}

function put(at: usize, bytes: Uint8Array): usize {
  memory.copy(at, bytes.dataStart, bytes.byteLength);
  return at + bytes.byteLength;
}
