const segmentCount = 64;
const segmentShift = 26;
const firstSlotCount = 8;

/**
 * A hash table from hashes to numbers that stand for states, by open addressing:
 *
 *     slot     │ hash │ number + 1 │   number + 1 = 0: the slot is free
 *     segment  │ slot │ slot │ … │   a power of two of them, the hash's upper six bits choose the segment
 *
 * Segments grow one by one, so that growing never holds or moves more than a 64th of the table, and hashes are kept, so
 * that it never looks at the states. A cursor walks over the numbers of one hash; comparing is the caller's.
 */
export class StateIndex {
  #segments: Int32Array[] = [];
  #counts = new Int32Array(segmentCount);
  #hash = 0;
  #segment: Int32Array = new Int32Array(0);
  #slot = 0;
  #slotMask = 0;

  constructor() {
    for (let i = 0; i < segmentCount; i++) this.#segments.push(new Int32Array(2 * firstSlotCount));
  }

  get sizeBytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.byteLength, 0);
  }

  /** The first number under this hash; −1: none. */
  seek(hash: number): number {
    const segment = this.#segments[hash >>> segmentShift]!;
    this.#hash = hash;
    this.#segment = segment;
    this.#slotMask = (segment.length >>> 1) - 1;
    this.#slot = hash & this.#slotMask;
    return this.#scan();
  }

  /** The next number under the same hash; −1: no more. */
  next(): number {
    this.#slot = (this.#slot + 1) & this.#slotMask;
    return this.#scan();
  }

  /** Puts a number where the cursor has found an end. */
  place(number: number): void {
    const segment = this.#segment;
    segment[2 * this.#slot] = this.#hash;
    segment[2 * this.#slot + 1] = number + 1;
    const which = this.#hash >>> segmentShift;
    const count = ++this.#counts[which]!;
    if (count * 8 > (segment.length >>> 1) * 5) this.#grow(which, segment);
  }

  #scan(): number {
    const segment = this.#segment;
    for (;;) {
      const number = segment[2 * this.#slot + 1]!;
      if (number === 0) return -1;
      if (segment[2 * this.#slot] === this.#hash) return number - 1;
      this.#slot = (this.#slot + 1) & this.#slotMask;
    }
  }

  #grow(which: number, from: Int32Array): void {
    const into = new Int32Array(2 * from.length);
    const slotMask = (into.length >>> 1) - 1;
    for (let i = 0; i < from.length; i += 2) {
      const number = from[i + 1]!;
      if (number === 0) continue;
      let slot = from[i]! & slotMask;
      while (into[2 * slot + 1] !== 0) slot = (slot + 1) & slotMask;
      into[2 * slot] = from[i]!;
      into[2 * slot + 1] = number;
    }
    this.#segments[which] = into;
  }
}
