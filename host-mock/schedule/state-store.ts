import { StateIndex } from "./state-index.ts";

const chunkShift = 14;
const recordsPerChunk = 1 << chunkShift;
const recordMask = recordsPerChunk - 1;

/**
 * Tens of millions of states as records in chunks of typed arrays; nothing is moved once it is written:
 *
 *     record  │ key: the state's numbers, and what else tells two apart │ other numbers │
 *
 * A record is first a draft at the end, where the world writes the state it steps to. `find` looks for a record with an
 * equal key, number by number: a hash only says where to look. `keep` makes the draft a record.
 */
export class StateStore {
  count = 0;
  readonly #keySize: number;
  readonly #recordSize: number;
  readonly #chunks: Int32Array[] = [];
  readonly #index = new StateIndex();

  constructor(keySize: number, recordSize: number) {
    this.#keySize = keySize;
    this.#recordSize = recordSize;
    this.#makeRoom();
  }

  get sizeBytes(): number {
    return this.#chunks.length * recordsPerChunk * this.#recordSize * 4 + this.#index.sizeBytes;
  }

  /** The array that holds a record, or (`count`) the draft. */
  chunkOf(record: number): Int32Array {
    return this.#chunks[record >>> chunkShift]!;
  }

  /** Where in its array a record begins. */
  offsetOf(record: number): number {
    return (record & recordMask) * this.#recordSize;
  }

  /** The record whose key equals the draft's; −1: none. */
  find(): number {
    const keySize = this.#keySize;
    const chunk = this.chunkOf(this.count);
    const at = this.offsetOf(this.count);
    let found = this.#index.seek(hashOf(chunk, at, keySize));
    while (found >= 0) {
      const other = this.chunkOf(found);
      const otherAt = this.offsetOf(found);
      let i = 0;
      while (i < keySize && chunk[at + i] === other[otherAt + i]) i++;
      if (i === keySize) return found;
      found = this.#index.next();
    }
    return -1;
  }

  /** Makes the draft a record, right after a `find` without success; answers its number. */
  keep(): number {
    this.#index.place(this.count);
    const kept = this.count++;
    if ((this.count & recordMask) === 0) this.#makeRoom();
    return kept;
  }

  #makeRoom(): void {
    this.#chunks.push(new Int32Array(recordsPerChunk * this.#recordSize));
  }
}

/** A hash with all its bits mixed: the index takes its upper and its lower ones. After MurmurHash3. */
function hashOf(chunk: Int32Array, at: number, size: number): number {
  let hash = size;
  for (let i = at; i < at + size; i++) {
    const word = Math.imul(chunk[i]!, 0xcc9e2d51);
    hash ^= Math.imul((word << 15) | (word >>> 17), 0x1b873593);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
