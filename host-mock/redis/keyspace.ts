import { RedisError, wrongType } from "./reply.ts";
import { SortedSet } from "./sorted-set.ts";

/** A value of a key. Strings are binary strings; a list's first element is its left end. */
export type Value = string | RedisHash | RedisList | RedisSet | SortedSet;

export class RedisHash extends Map<string, string> {}
export class RedisSet extends Set<string> {}
export class RedisList {
  readonly items: string[] = [];
}

interface Entry {
  value: Value;
  /** Milliseconds since 1970 on the server's clock; Infinity: never. */
  expiresMs: number;
}

/**
 * One numbered database: keys, values and when they expire. A key is gone at its very millisecond; an aggregate that
 * has become empty is no key any more.
 *
 * Source: Redis `db.c` (expireIfNeeded, keyIsExpired), `expire.c`.
 */
export class Keyspace {
  readonly #entries = new Map<string, Entry>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get nowMs(): number {
    return this.#nowMs();
  }

  get size(): number {
    return this.keys().length;
  }

  /** Living keys in the order of their making. */
  keys(): string[] {
    return [...this.#entries.keys()].filter((key) => this.#living(key) !== undefined);
  }

  get(key: string): Value | undefined {
    return this.#living(key)?.value;
  }

  has(key: string): boolean {
    return this.#living(key) !== undefined;
  }

  /** Sets a value; the key's expiry is dropped unless it is kept. */
  set(key: string, value: Value, keepExpiry = false): void {
    const expiresMs = keepExpiry ? (this.#living(key)?.expiresMs ?? Infinity) : Infinity;
    this.#entries.set(key, { value, expiresMs });
  }

  delete(key: string): boolean {
    const isThere = this.has(key);
    this.#entries.delete(key);
    return isThere;
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Infinity for a key without expiry, undefined for none. */
  expiry(key: string): number | undefined {
    return this.#living(key)?.expiresMs;
  }

  /** An instant that is past deletes the key. */
  expireAt(key: string, expiresMs: number): void {
    const entry = this.#living(key);
    if (entry === undefined) return;
    if (expiresMs <= this.nowMs) this.#entries.delete(key);
    else entry.expiresMs = expiresMs;
  }

  string(key: string): string | undefined {
    const value = this.get(key);
    if (value === undefined || typeof value === "string") return value;
    throw new RedisError(wrongType);
  }

  hash(key: string): RedisHash | undefined {
    return this.#typed(key, RedisHash);
  }

  list(key: string): RedisList | undefined {
    return this.#typed(key, RedisList);
  }

  members(key: string): RedisSet | undefined {
    return this.#typed(key, RedisSet);
  }

  sorted(key: string): SortedSet | undefined {
    return this.#typed(key, SortedSet);
  }

  /** The key's aggregate, made when there is none. WRONGTYPE for another type. */
  make<Type extends Exclude<Value, string>>(key: string, type: new () => Type): Type {
    const found = this.#typed(key, type);
    if (found !== undefined) return found;
    const made = new type();
    this.set(key, made);
    return made;
  }

  /** The key goes when its aggregate has nothing left. */
  dropIfEmpty(key: string): void {
    const value = this.get(key);
    if (value === undefined || typeof value === "string") return;
    const size = value instanceof RedisList ? value.items.length : value.size;
    if (size === 0) this.#entries.delete(key);
  }

  #typed<Type extends Exclude<Value, string>>(key: string, type: new () => Type): Type | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    if (value instanceof type) return value;
    throw new RedisError(wrongType);
  }

  #living(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresMs > this.nowMs) return entry;
    this.#entries.delete(key);
    return undefined;
  }
}
