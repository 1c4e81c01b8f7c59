import { noBytes, utf8 } from "./bytes.ts";
import { HeaderEntry, HeaderName, type ShownHeader } from "./header-entry.ts";
import type { HeaderMapKind } from "./inline-headers.ts";

export type HeaderText = string | Uint8Array;
export type HeaderPair = readonly [HeaderText, HeaderText];

const comma = utf8(",");
const host = HeaderName.of("host");
const authority = HeaderName.of(":authority");

/**
 * Headers or trailers as Envoy keeps them: names lower-cased, pseudo-headers first, otherwise in
 * order of insertion; repeated names are entries of their own, but for the names of
 * `inline-headers.ts`, which are joined with a comma. In request headers `host` means `:authority`.
 *
 * Source: Envoy `source/common/http/header_map_impl.cc`.
 */
export class HeaderMap {
  readonly kind: HeaderMapKind;
  /** Another map may have the same list: it is copied before it is changed. */
  #entries: HeaderEntry[];
  #isShared: boolean;
  #pseudoCount: number;

  constructor(kind: HeaderMapKind) {
    this.kind = kind;
    this.#entries = [];
    this.#isShared = false;
    this.#pseudoCount = 0;
  }

  /** A map of these pairs, added in order. Text is encoded as UTF-8. */
  static from(pairs: Iterable<HeaderPair>, kind: HeaderMapKind = "request"): HeaderMap {
    const map = new HeaderMap(kind);
    for (const [name, value] of pairs) map.add(name, value);
    return map;
  }

  /** Number of entries, pseudo-headers included. */
  get count(): number {
    return this.#entries.length;
  }

  /** Number of pseudo-headers. */
  get pseudoCount(): number {
    return this.#pseudoCount;
  }

  /** Bytes of all names and values together. */
  get sizeBytes(): number {
    return this.#sizeFrom(0);
  }

  /** The same without pseudo-headers. */
  get regularSizeBytes(): number {
    return this.#sizeFrom(this.#pseudoCount);
  }

  /** The first value of that name. */
  get(name: HeaderText | HeaderName): Uint8Array | undefined {
    return this.#find(name)?.bytes;
  }

  /** The first value as text, U+FFFD in place of what is not UTF-8. */
  text(name: HeaderText | HeaderName): string | undefined {
    return this.#find(name)?.text;
  }

  has(name: HeaderText | HeaderName): boolean {
    return this.#find(name) !== undefined;
  }

  /** Bytes of the first value; 0 without one. */
  valueSizeBytes(name: HeaderText | HeaderName): number {
    return this.#find(name)?.sizeBytes ?? 0;
  }

  getAll(name: HeaderText | HeaderName): Uint8Array[] {
    const wanted = this.#nameOf(name);
    return this.#entries.filter((entry) => entry.name.isSame(wanted)).map((entry) => entry.bytes);
  }

  /** Adds an entry, or joins the value into the entry of an inline name. */
  add(name: HeaderText | HeaderName, value: HeaderText): void {
    this.#add(this.#nameOf(name), value);
  }

  /** Removes all entries of the name and adds one at the end. */
  set(name: HeaderText | HeaderName, value: HeaderText): void {
    const wanted = this.#nameOf(name);
    this.#remove(wanted);
    this.#append(wanted.entry(value));
  }

  /** A value of a name that keeps its place: the first entry's is changed, or one is added at the end. */
  put(name: HeaderText | HeaderName, value: HeaderText): void {
    const wanted = this.#nameOf(name);
    const at = this.#indexOf(wanted);
    const made = wanted.entry(value);
    if (at < 0) this.#append(made);
    else this.#own()[at] = made;
  }

  /** Removes all entries of the name; their number. */
  remove(name: HeaderText | HeaderName): number {
    return this.#remove(this.#nameOf(name));
  }

  /** Removes all entries whose names, in lower case, are among these. */
  removeEach(names: ReadonlySet<string>): void {
    if (!this.#entries.some((entry) => names.has(entry.name.key))) return;
    this.#keep((entry) => !names.has(entry.name.key));
  }

  /** Removes every entry, pseudo-headers too, and adds these in order. */
  replaceAll(pairs: Iterable<HeaderPair>): void {
    this.#entries = [];
    this.#isShared = false;
    this.#pseudoCount = 0;
    for (const [name, value] of pairs) this.add(name, value);
  }

  /** The first entry that fits. */
  find(fits: (entry: HeaderEntry) => boolean): HeaderEntry | undefined {
    return this.#entries.find(fits);
  }

  /** Name and value of each entry, in Envoy's order; the arrays are not to be changed. */
  entries(): [Uint8Array, Uint8Array][] {
    return this.#entries.map(({ name, bytes }): [Uint8Array, Uint8Array] => [name.bytes, bytes]);
  }

  /** The entries for a reader, with pseudo-headers or without. */
  shown(withPseudo: boolean): ShownHeader[] {
    const wanted = withPseudo ? this.#entries : this.#entries.slice(this.#pseudoCount);
    return wanted.map((entry) => entry.shown);
  }

  /** A map of its own with the same entries. */
  clone(): HeaderMap {
    const copy = new HeaderMap(this.kind);
    // A list that has grown has room for more than it will need.
    copy.#entries = this.#entries = this.#entries.slice();
    copy.#isShared = this.#isShared = true;
    copy.#pseudoCount = this.#pseudoCount;
    return copy;
  }

  #sizeFrom(from: number): number {
    let size = 0;
    for (let at = from; at < this.#entries.length; at++) {
      const entry = this.#entries[at]!;
      size += entry.name.bytes.length + entry.sizeBytes;
    }
    return size;
  }

  #nameOf(given: HeaderText | HeaderName): HeaderName {
    const name = given instanceof HeaderName ? given : HeaderName.of(given);
    return name === host && this.kind === "request" ? authority : name;
  }

  #find(name: HeaderText | HeaderName): HeaderEntry | undefined {
    return this.#entries[this.#indexOf(this.#nameOf(name))];
  }

  #indexOf(name: HeaderName): number {
    const entries = this.#entries;
    for (let at = 0; at < entries.length; at++) if (entries[at]!.name.isSame(name)) return at;
    return -1;
  }

  #add(name: HeaderName, value: HeaderText): void {
    const at = name.inlineIn[this.kind] ? this.#indexOf(name) : -1;
    const made = name.entry(value);
    if (at < 0) this.#append(made);
    else this.#own()[at] = joined(this.#entries[at]!, made);
  }

  #append(entry: HeaderEntry): void {
    const entries = this.#own();
    if (!entry.name.isPseudo) entries.push(entry);
    else if (this.#pseudoCount === entries.length) this.#pseudoCount = entries.push(entry);
    else entries.splice(this.#pseudoCount++, 0, entry);
  }

  #own(): HeaderEntry[] {
    if (this.#isShared) this.#entries = this.#entries.slice();
    this.#isShared = false;
    return this.#entries;
  }

  #remove(name: HeaderName): number {
    if (this.#indexOf(name) < 0) return 0;
    const { count } = this;
    this.#keep((entry) => !entry.name.isSame(name));
    return count - this.count;
  }

  #keep(isKept: (entry: HeaderEntry) => boolean): void {
    this.#entries = this.#entries.filter(isKept);
    this.#isShared = false;
    this.#pseudoCount = this.#entries.reduce((sum, { name }) => sum + (name.isPseudo ? 1 : 0), 0);
  }
}

function joined(present: HeaderEntry, added: HeaderEntry): HeaderEntry {
  if (added.sizeBytes === 0) return present;
  const delimiter = present.sizeBytes === 0 ? noBytes : comma;
  const all = new Uint8Array(present.sizeBytes + delimiter.length + added.sizeBytes);
  all.set(present.bytes);
  all.set(delimiter, present.sizeBytes);
  all.set(added.bytes, present.sizeBytes + delimiter.length);
  return new HeaderEntry(present.name, all);
}
