/** Every state once, numbered in the order of arrival: tuples of int32 in one array, found by an open hash. */
export class StateTable {
  readonly #words: number;
  #states: Int32Array;
  #slots: Int32Array;
  #count = 0;

  constructor(words: number) {
    this.#words = words;
    this.#states = new Int32Array(words << 13);
    this.#slots = new Int32Array(1 << 14).fill(-1);
  }

  get count(): number {
    return this.#count;
  }

  /** All states, one after the other; valid until the next `add`. */
  get states(): Int32Array {
    return this.#states;
  }

  /** The state's number; a state never seen before gets the next one, `count` before the call. */
  add(state: Int32Array): number {
    if (this.#count * 2 >= this.#slots.length) this.#grow();
    const mask = this.#slots.length - 1;
    let slot = hash(state, 0, this.#words) & mask;
    for (let found = this.#slots[slot] as number; found >= 0; found = this.#slots[slot] as number) {
      if (this.#isAt(found, state)) return found;
      slot = (slot + 1) & mask;
    }
    this.#slots[slot] = this.#count;
    this.#states.set(state, this.#count * this.#words);
    return this.#count++;
  }

  #isAt(index: number, state: Int32Array): boolean {
    const at = index * this.#words;
    for (let i = 0; i < this.#words; i++) if (this.#states[at + i] !== state[i]) return false;
    return true;
  }

  #grow(): void {
    const states = new Int32Array(this.#slots.length * this.#words);
    states.set(this.#states.subarray(0, this.#count * this.#words));
    this.#states = states;
    const slots = new Int32Array(this.#slots.length * 2).fill(-1);
    const mask = slots.length - 1;
    for (let i = 0; i < this.#count; i++) {
      let slot = hash(states, i * this.#words, this.#words) & mask;
      while ((slots[slot] as number) >= 0) slot = (slot + 1) & mask;
      slots[slot] = i;
    }
    this.#slots = slots;
  }
}

/** Multiply and mix, word by word. */
function hash(words: Int32Array, at: number, count: number): number {
  let value = 0x9e3779b9 | 0;
  for (let i = 0; i < count; i++) {
    value = Math.imul(value ^ (words[at + i] as number), 0x85ebca6b);
    value ^= value >>> 15;
  }
  value = Math.imul(value, 0xc2b2ae35);
  return value ^ (value >>> 16);
}
