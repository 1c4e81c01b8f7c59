import { bytesOf, sameName } from "./bytes";
import * as utf8 from "./utf8";

/** One header as the wire has it: bytes. `Name` and `Value` read them as text. */
export class HeaderPair {
  constructor(
    public readonly name: Uint8Array,
    public readonly value: Uint8Array,
  ) {}

  /** The name as text; bytes that are not UTF-8 become U+FFFD. */
  Name(): string {
    return utf8.decodeLossy(this.name);
  }

  /** The value as text; bytes that are not UTF-8 become U+FFFD. Use `value` where that matters. */
  Value(): string {
    return utf8.decodeLossy(this.value);
  }

  /** Whether the header has this name, in whatever case. */
  isNamed(name: ArrayBuffer): bool {
    return sameName(
      this.name.dataStart,
      this.name.byteLength,
      changetype<usize>(name),
      name.byteLength,
    );
  }
}

/**
 * An ordered list of headers, as argument and result of header calls. Names are compared without
 * regard to case; a name may occur several times, a value may be empty, and both survive a round
 * trip. It is the plugin's own copy: a change reaches the host only through a call that takes it.
 * @example new wrapper.Headers().With("content-type", "text/plain").With("x-a", "1")
 */
export class Headers {
  private pairs: Array<HeaderPair> = [];

  /** How many headers there are; repeated names count each time. */
  Size(): i32 {
    return this.pairs.length;
  }

  /**
   * The header at an index from 0 up to, not including, `Size()`. Beyond that it traps, as an array
   * does.
   */
  At(index: i32): HeaderPair {
    return this.pairs[index];
  }

  /**
   * The first value of that name as text, or null when there is none; an empty value is "". Bytes
   * that are not UTF-8 become U+FFFD: `GetBytes` has them unchanged.
   */
  Get(name: string): string | null {
    const pair = this.find(name);
    return pair === null ? null : pair.Value();
  }

  /** The first value of that name as bytes, or null when there is none. */
  GetBytes(name: string): Uint8Array | null {
    const pair = this.find(name);
    return pair === null ? null : pair.value;
  }

  /** Every value of that name as text, in order. */
  GetAll(name: string): Array<string> {
    const wanted = utf8.encodeBuffer(name);
    const values: Array<string> = [];
    for (let i = 0; i < this.pairs.length; i++) {
      if (this.pairs[i].isNamed(wanted)) values.push(this.pairs[i].Value());
    }
    return values;
  }

  /** Whether a header of that name is there, be it empty. */
  Has(name: string): bool {
    return this.find(name) !== null;
  }

  /** Appends a header; others of the same name stay. */
  Add(name: string, value: string): void {
    this.addView(utf8.encode(name), utf8.encode(value));
  }

  /** As `Add`, for a value that is not text. */
  AddBytes(name: string, value: Uint8Array): void {
    this.addView(utf8.encode(name), value);
  }

  /** As `Add`, and answers the list, so that calls can be chained. */
  With(name: string, value: string): Headers {
    this.Add(name, value);
    return this;
  }

  /** Makes this the only value of that name: at the first one's place, or at the end. */
  Set(name: string, value: string): void {
    const wanted = utf8.encodeBuffer(name);
    const pair = new HeaderPair(bytesOf(wanted, 0, wanted.byteLength), utf8.encode(value));
    const at = this.indexOf(wanted);
    if (at < 0) {
      this.pairs.push(pair);
      return;
    }
    this.drop(wanted, at + 1);
    this.pairs[at] = pair;
  }

  /** Takes every header of that name out and answers how many there were. */
  Remove(name: string): i32 {
    return this.drop(utf8.encodeBuffer(name), 0);
  }

  /** Appends a pair without copying it. */
  addView(name: Uint8Array, value: Uint8Array): void {
    this.pairs.push(new HeaderPair(name, value));
  }

  private find(name: string): HeaderPair | null {
    const at = this.indexOf(utf8.encodeBuffer(name));
    return at < 0 ? null : this.pairs[at];
  }

  private indexOf(name: ArrayBuffer): i32 {
    for (let i = 0; i < this.pairs.length; i++) {
      if (this.pairs[i].isNamed(name)) return i;
    }
    return -1;
  }

  private drop(name: ArrayBuffer, from: i32): i32 {
    const pairs = this.pairs;
    let kept = from;
    for (let i = from; i < pairs.length; i++) {
      if (!pairs[i].isNamed(name)) pairs[kept++] = pairs[i];
    }
    const dropped = pairs.length - kept;
    pairs.length = kept;
    return dropped;
  }
}
