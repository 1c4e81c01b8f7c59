/**
 * Headers and other pairs as one block of bytes:
 *
 *     +-----------+-----------------------------+-------------------------+
 *     | u32 count | count × (u32 key, u32 value) | per pair: key 0 value 0 |
 *     +-----------+-----------------------------+-------------------------+
 *
 * Source: proxy-wasm-cpp-host `src/pairs_util.cc`.
 */

export type BytePair = readonly [Uint8Array, Uint8Array];

const sizeMax = 1024 * 1024;
const countMax = 1024;

/** The block for these pairs; for none of them the empty block, as hosts send it. */
export function encodePairs(pairs: readonly BytePair[]): Uint8Array<ArrayBuffer> {
  if (pairs.length === 0) return new Uint8Array(0);
  let size = 4;
  for (const [key, value] of pairs) size += 8 + key.length + 1 + value.length + 1;
  const block = new Uint8Array(size);
  const view = new DataView(block.buffer);
  view.setUint32(0, pairs.length, true);
  let lengthAt = 4;
  let at = 4 + 8 * pairs.length;
  for (const [key, value] of pairs) {
    view.setUint32(lengthAt, key.length, true);
    view.setUint32(lengthAt + 4, value.length, true);
    lengthAt += 8;
    block.set(key, at);
    at += key.length + 1;
    block.set(value, at);
    at += value.length + 1;
  }
  return block;
}

/**
 * The pairs of a block that a plugin sent; copies. A block that is too large (1 MiB), has too many
 * pairs (1024), lengths beyond its end, a terminator that is not 0 or bytes left over is no error:
 * it is an empty list.
 */
export function decodePairs(block: Uint8Array): [Uint8Array, Uint8Array][] {
  if (block.length < 4 || block.length > sizeMax) return [];
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const count = view.getUint32(0, true);
  let at = 4 + 8 * count;
  if (count > countMax || at > block.length) return [];
  const pairs: [Uint8Array, Uint8Array][] = [];
  for (let index = 0; index < count; index++) {
    const keyEnd = at + view.getUint32(4 + 8 * index, true);
    if (block[keyEnd] !== 0) return [];
    const valueStart = keyEnd + 1;
    const valueEnd = valueStart + view.getUint32(8 + 8 * index, true);
    if (block[valueEnd] !== 0) return [];
    pairs.push([block.slice(at, keyEnd), block.slice(valueStart, valueEnd)]);
    at = valueEnd + 1;
  }
  return at === block.length ? pairs : [];
}
