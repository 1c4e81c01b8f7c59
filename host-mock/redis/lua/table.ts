import { LuaError, type LuaValue } from "./value.ts";

type Key = Exclude<LuaValue, null>;

interface Field {
  readonly key: Key;
  /** null: it was taken out, and its place is kept, so that a walk over the fields goes on from there. */
  value: LuaValue;
  readonly index: number;
}

/**
 * A Lua table: an array part of a fixed size for keys from 1, and fields with as many places as a power of two. A new
 * key without a place makes both anew, with the array as large as whole numbers fill more than half of. `#` depends on
 * those sizes when there are gaps. Fields are walked in the order of their making; Lua walks them by hash.
 *
 * Source: Lua 5.1 `ltable.c` (rehash, computesizes, luaH_getn, luaH_next).
 */
export class LuaTable {
  /** As long as the array part; null where nothing is. */
  #items: LuaValue[] = [];
  #fields = new Map<Key, Field>();
  #order: Field[] = [];
  #fieldsMax: number;
  #isReadonly = false;

  /** `fieldCount`: how many fields a constructor names. */
  constructor(fieldCount = 0) {
    this.#fieldsMax = powerOfTwo(fieldCount);
  }

  static of(items: Iterable<LuaValue>): LuaTable {
    const table = new LuaTable();
    let index = 1;
    for (const item of items) table.set(index++, item);
    return table;
  }

  /** From now on every change is an error. */
  freeze(): this {
    this.#isReadonly = true;
    return this;
  }

  /** A border, what `#` gives: something is there, and nothing behind it. */
  get length(): number {
    const size = this.#items.length;
    if (size > 0 && this.#items[size - 1] === null) return this.#borderBetween(0, size);
    if (this.get(size + 1) === null) return size;
    let some = size;
    let none = size + 1;
    while (this.get(none) !== null) {
      some = none;
      none *= 2;
    }
    return this.#borderBetween(some, none);
  }

  #borderBetween(some: number, none: number): number {
    let [low, high] = [some, none];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.get(middle) === null) high = middle;
      else low = middle;
    }
    return low;
  }

  get(key: LuaValue): LuaValue {
    if (key === null) return null;
    if (this.#isItem(key)) return this.#items[key - 1]!;
    return this.#fields.get(key)?.value ?? null;
  }

  /** Why this key cannot be set; undefined when it can. */
  refusal(key: LuaValue): string | undefined {
    if (this.#isReadonly) return "Attempt to modify a readonly table";
    if (key === null) return "table index is nil";
    return Number.isNaN(key) ? "table index is NaN" : undefined;
  }

  set(key: LuaValue, value: LuaValue): void {
    const refusal = this.refusal(key);
    if (refusal !== undefined || key === null) throw new LuaError(refusal ?? "", { level: 0 });
    const field = this.#isItem(key) ? undefined : this.#fields.get(key);
    if (this.#isItem(key)) this.#items[key - 1] = value;
    else if (field !== undefined) field.value = value;
    else if (this.#order.length < this.#fieldsMax) this.#addField(key, value);
    else {
      this.#rehash(key);
      this.set(key, value);
    }
  }

  /** A constructor's values without keys, in an array part of their number. */
  setItems(values: readonly LuaValue[]): void {
    if (values.length > this.#items.length) this.#resize(values.length, this.#order.length);
    for (const [index, value] of values.entries()) this.#items[index] = value;
  }

  /** The entry behind that of a key, the first one behind nil; null at the end. LuaError for a key that is not there. */
  next(key: LuaValue): readonly [LuaValue, LuaValue] | null {
    let at = this.#placeBehind(key);
    for (; at < this.#items.length; at++)
      if (this.#items[at] !== null) return [at + 1, this.#items[at]!];
    for (at -= this.#items.length; at < this.#order.length; at++) {
      const field = this.#order[at]!;
      if (field.value !== null) return [field.key, field.value];
    }
    return null;
  }

  #placeBehind(key: LuaValue): number {
    if (key === null) return 0;
    if (this.#isItem(key)) return key;
    const field = this.#fields.get(key);
    if (field === undefined) throw new LuaError("invalid key to 'next'", { level: 0 });
    return this.#items.length + field.index + 1;
  }

  /** Values from 1 on, up to the first nil. */
  sequence(): LuaValue[] {
    const values: LuaValue[] = [];
    for (let at = 1; ; at++) {
      const value = this.get(at);
      if (value === null) return values;
      values.push(value);
    }
  }

  #isItem(key: Key): key is number {
    return (
      typeof key === "number" && key >= 1 && key <= this.#items.length && Number.isInteger(key)
    );
  }

  #addField(key: Key, value: LuaValue): void {
    const field = { key, value, index: this.#order.length };
    this.#fields.set(key, field);
    this.#order.push(field);
  }

  #rehash(newKey: Key): void {
    const fields = this.#order.filter(({ value }) => value !== null);
    const keys = [newKey, ...fields.map(({ key }) => key)];
    const usedItems = this.#items.flatMap((value, at) => (value === null ? [] : [at + 1]));
    const indices = [...keys.filter(isIndex), ...usedItems];
    const [arraySize, inArray] = arraySizes(indices);
    this.#resize(arraySize, keys.length + usedItems.length - inArray);
  }

  #resize(arraySize: number, fieldCount: number): void {
    const rest = this.#items.slice(arraySize);
    const fields = this.#order;
    const before = Math.min(this.#items.length, arraySize);
    this.#items = [
      ...this.#items.slice(0, arraySize),
      ...new Array<LuaValue>(arraySize - before).fill(null),
    ];
    this.#fields = new Map();
    this.#order = [];
    this.#fieldsMax = powerOfTwo(fieldCount);
    for (const [at, value] of rest.entries())
      if (value !== null) this.#addField(arraySize + at + 1, value);
    for (const { key, value } of fields) {
      if (value === null) continue;
      if (this.#isItem(key)) this.#items[key - 1] = value;
      else this.#addField(key, value);
    }
  }
}

const indexMax = 2 ** 26;

function isIndex(key: Key): key is number {
  return typeof key === "number" && key >= 1 && key <= indexMax && Number.isInteger(key);
}

/** The largest power of two of which more than half is used, and how many indices are within. */
function arraySizes(indices: readonly number[]): [size: number, count: number] {
  const counts = new Array<number>(27).fill(0);
  for (const index of indices) counts[Math.ceil(Math.log2(index))]!++;
  let [size, inside, within] = [0, 0, 0];
  for (let power = 0; 2 ** power / 2 < indices.length; power++) {
    within += counts[power]!;
    if (counts[power]! === 0 || within <= 2 ** power / 2) continue;
    size = 2 ** power;
    inside = within;
  }
  return [size, inside];
}

function powerOfTwo(count: number): number {
  return count === 0 ? 0 : 2 ** Math.ceil(Math.log2(count));
}
