/** Lists of headers as blocks of bytes, sound and mutated, and a reader apart from the others. */
import type { Random } from "../../../host-mock/random.ts";
import { changedBytes, joined, noise, pick, type Bytes } from "./bytes-mutation.ts";

export type Pair = readonly [name: string, value: string];

const sizes = [0, 0, 1, 1, 2, 5, 12, 40, 300];
const words = [0, 1, 2, 3, 255, 1_024, 0x7fffffff, 0x80000000, 0xfffffff7, 0xfffffffe, 0xffffffff];

/** A sound block of a few pairs; rarely of more than a host takes, or of a megabyte. */
export function soundBlock(random: Random): Bytes {
  const rare = random.below(400);
  const count = rare === 0 ? 1_020 + random.below(8) : random.below(7);
  const pairs = Array.from({ length: count }, () => [
    noise(random, pick(random, sizes)),
    noise(random, rare === 1 ? pick(random, [100_000, 250_000]) : pick(random, sizes)),
  ]);
  return blockOf(pairs);
}

/** A block that differs from the sound one it was made from. */
export function changedBlock(random: Random): Bytes {
  const sound = soundBlock(random);
  const kind = random.below(10);
  if (kind < 5) return withWord(random, sound);
  if (kind < 9) return changedBytes(random, sound);
  return noise(random, random.below(60));
}

/** The pairs that a block says, byte by byte as latin1; undefined when it is no block. */
export function pairsIn(block: Uint8Array): Pair[] | undefined {
  const bytes = Buffer.from(block);
  // Hosts say "none" with less than the word that holds the count.
  if (bytes.length < 4) return [];
  const count = bytes.readUInt32LE(0);
  if (4 + 8 * count > bytes.length) return undefined;
  let at = 4 + 8 * count;
  const text = (size: number): string | undefined => {
    const end = at + size;
    if (end >= bytes.length || bytes[end] !== 0) return undefined;
    const found = bytes.toString("latin1", at, end);
    at = end + 1;
    return found;
  };
  const pairs: Pair[] = [];
  for (let i = 0; i < count; i++) {
    const name = text(bytes.readUInt32LE(4 + 8 * i));
    const value = name === undefined ? undefined : text(bytes.readUInt32LE(8 + 8 * i));
    if (name === undefined || value === undefined) return undefined;
    pairs.push([name, value]);
  }
  return at === bytes.length ? pairs : undefined;
}

function blockOf(pairs: readonly (readonly Uint8Array[])[]): Bytes {
  const zero = new Uint8Array(1);
  const head = new Uint32Array([pairs.length, ...pairs.flat().map(({ length }) => length)]);
  const texts = pairs.flat().flatMap((text) => [text, zero]);
  return joined(new Uint8Array(head.buffer), ...texts);
}

/** Another count or size: an extreme one, or off by one. */
function withWord(random: Random, block: Bytes): Bytes {
  const changed = Buffer.from(block);
  const at = 4 * random.below(Math.min(13, Math.floor(block.length / 4)));
  const word = changed.readUInt32LE(at);
  const other = pick(random, [pick(random, words), word + 1, word - 1, word + 256]) >>> 0;
  changed.writeUInt32LE(other, at);
  return new Uint8Array(changed);
}
