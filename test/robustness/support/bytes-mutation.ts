import type { Random } from "../../../host-mock/random.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

/** One of a list. */
export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.below(list.length)]!;
}

export function bytesOf(text: string): Bytes {
  return new Uint8Array(Buffer.from(text));
}

export function joined(...parts: readonly Uint8Array[]): Bytes {
  return new Uint8Array(Buffer.concat(parts));
}

/** So many bytes of any value. */
export function noise(random: Random, size: number): Bytes {
  const bytes = new Uint8Array(size);
  random.fill(bytes);
  return bytes;
}

/** Changes of any bytes, whatever they mean. */
const changes: readonly ((random: Random, bytes: Bytes) => Bytes)[] = [
  function bitsFlipped(random, bytes) {
    const changed = bytes.slice();
    for (let left = 1 + random.below(4); left > 0; left--) {
      changed[random.below(changed.length)]! ^= 1 << random.below(8);
    }
    return changed;
  },
  function bytesReplaced(random, bytes) {
    const changed = bytes.slice();
    for (let left = 1 + random.below(3); left > 0; left--) {
      changed[random.below(changed.length)] = random.below(256);
    }
    return changed;
  },
  function cutOff(random, bytes) {
    return bytes.slice(0, random.below(bytes.length));
  },
  function partMissing(random, bytes) {
    const start = random.below(bytes.length);
    return joined(bytes.slice(0, start), bytes.slice(start + 1 + random.below(12)));
  },
  function partTwice(random, bytes) {
    const start = random.below(bytes.length);
    const end = start + 1 + random.below(bytes.length - start);
    return joined(bytes.slice(0, end), bytes.slice(start));
  },
  function partInserted(random, bytes) {
    const at = random.below(bytes.length + 1);
    return joined(bytes.slice(0, at), noise(random, 1 + random.below(8)), bytes.slice(at));
  },
  function continued(random, bytes) {
    return joined(bytes, noise(random, 1 + random.below(16)));
  },
  function wholeTwice(_random, bytes) {
    return joined(bytes, bytes);
  },
  function backwards(_random, bytes) {
    return bytes.slice().reverse();
  },
];

/** Bytes that differ from the given ones, which must not be empty. */
export function changedBytes(random: Random, bytes: Bytes): Bytes {
  return pick(random, changes)(random, bytes);
}
