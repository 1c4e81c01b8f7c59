import { fromLatin1, latin1, lossyUtf8, noBytes, utf8 } from "./bytes.ts";
import { inlineNames, type HeaderMapKind } from "./inline-headers.ts";

export type HeaderText = string | Uint8Array;
export type HeaderPair = readonly [HeaderText, HeaderText];

interface Entry {
  /** Lower-cased binary string of the name. */
  readonly key: string;
  readonly name: Uint8Array;
  value: Uint8Array;
}

const comma = utf8(",");

/**
 * Headers or trailers as Envoy keeps them: names lower-cased, pseudo-headers first, otherwise in
 * order of insertion; repeated names are entries of their own, but for the names of
 * `inline-headers.ts`, which are joined with a comma. In request headers `host` means `:authority`.
 *
 * Source: Envoy `source/common/http/header_map_impl.cc`.
 */
export class HeaderMap {
  readonly kind: HeaderMapKind;
  readonly #pseudo: Entry[] = [];
  readonly #regular: Entry[] = [];

  constructor(kind: HeaderMapKind) {
    this.kind = kind;
  }

  /** A map of these pairs, added in order. Text is encoded as UTF-8. */
  static from(pairs: Iterable<HeaderPair>, kind: HeaderMapKind = "request"): HeaderMap {
    const map = new HeaderMap(kind);
    for (const [name, value] of pairs) map.add(name, value);
    return map;
  }

  /** Number of entries, pseudo-headers included. */
  get count(): number {
    return this.#pseudo.length + this.#regular.length;
  }

  /** Bytes of all names and values together. */
  get sizeBytes(): number {
    let size = 0;
    for (const { name, value } of this.#all()) size += name.length + value.length;
    return size;
  }

  /** The first value of that name. */
  get(name: HeaderText): Uint8Array | undefined {
    const key = this.#keyOf(name);
    return this.#listOf(key).find((entry) => entry.key === key)?.value;
  }

  /** The first value as text, U+FFFD in place of what is not UTF-8. */
  text(name: HeaderText): string | undefined {
    const value = this.get(name);
    return value === undefined ? undefined : lossyUtf8(value);
  }

  has(name: HeaderText): boolean {
    return this.get(name) !== undefined;
  }

  getAll(name: HeaderText): Uint8Array[] {
    const key = this.#keyOf(name);
    return this.#listOf(key)
      .filter((entry) => entry.key === key)
      .map((entry) => entry.value);
  }

  /** Adds an entry, or joins the value into the entry of an inline name. */
  add(name: HeaderText, value: HeaderText): void {
    const key = this.#keyOf(name);
    const bytes = bytesOf(value);
    const list = this.#listOf(key);
    if (inlineNames[this.kind].has(key)) {
      const present = list.find((entry) => entry.key === key);
      if (present !== undefined) {
        present.value = joined(present.value, bytes);
        return;
      }
    }
    list.push({ key, name: fromLatin1(key), value: bytes });
  }

  /** Removes all entries of the name and adds one at the end. */
  set(name: HeaderText, value: HeaderText): void {
    this.remove(name);
    this.add(name, value);
  }

  /** Removes all entries of the name; their number. */
  remove(name: HeaderText): number {
    const key = this.#keyOf(name);
    const list = this.#listOf(key);
    const kept = list.filter((entry) => entry.key !== key);
    const count = list.length - kept.length;
    if (count > 0) list.splice(0, list.length, ...kept);
    return count;
  }

  /** Removes every entry, pseudo-headers too, and adds these in order. */
  replaceAll(pairs: Iterable<HeaderPair>): void {
    this.#pseudo.length = 0;
    this.#regular.length = 0;
    for (const [name, value] of pairs) this.add(name, value);
  }

  /** Name and value of each entry, in Envoy's order; the arrays are not to be changed. */
  entries(): [Uint8Array, Uint8Array][] {
    return this.#all().map(({ name, value }): [Uint8Array, Uint8Array] => [name, value]);
  }

  /** A map of its own with the same entries. */
  clone(): HeaderMap {
    const copy = new HeaderMap(this.kind);
    for (const entry of this.#pseudo) copy.#pseudo.push({ ...entry });
    for (const entry of this.#regular) copy.#regular.push({ ...entry });
    return copy;
  }

  #all(): Entry[] {
    return [...this.#pseudo, ...this.#regular];
  }

  #listOf(key: string): Entry[] {
    return key.startsWith(":") ? this.#pseudo : this.#regular;
  }

  #keyOf(name: HeaderText): string {
    const key = asciiLower(typeof name === "string" ? latin1(utf8(name)) : latin1(name));
    return key === "host" && this.kind === "request" ? ":authority" : key;
  }
}

/** Only A–Z change: other characters are bytes of who knows which encoding. */
function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function bytesOf(text: HeaderText): Uint8Array {
  return typeof text === "string" ? utf8(text) : text;
}

function joined(present: Uint8Array, added: Uint8Array): Uint8Array {
  if (added.length === 0) return present;
  const delimiter = present.length === 0 ? noBytes : comma;
  const all = new Uint8Array(present.length + delimiter.length + added.length);
  all.set(present);
  all.set(delimiter, present.length);
  all.set(added, present.length + delimiter.length);
  return all;
}
