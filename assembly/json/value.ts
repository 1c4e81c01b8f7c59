import { bytesOf, newBytes, noBytes } from "../memory/bytes";
import { digitCount, storeDigits } from "../memory/digits";
import { decodeRange } from "../memory/utf8";
import { contentEnd, contentStart, resolve } from "./content";
import { keyEnd, keyStart, nextEntry, valueEnd, valueStart } from "./entries";
import { describe } from "./fault";
import { floatOf, isNumber } from "./float";
import { isInteger, isNonZero, signedOf, unsignedOf } from "./number";
import { follow, foundCount, foundEnd, foundStart } from "./path";
import { JsonFault } from "./validate";

/**
 * What a value is. `Missing`: there is none, by a path that leads nowhere or a text that is not
 * JSON.
 */
export enum JsonKind {
  Missing,
  Null,
  Bool,
  Number,
  String,
  Array,
  Object,
}

/**
 * One JSON value: a window on the text, read when asked. Every question has an answer for every
 * kind, as in gjson: a missing value is "", 0 and false.
 * @example json.Get("servers.0.port").Int()
 */
export class Json {
  /**
   * `start` and `end` are offsets into `source`. Of a missing value they are the offset of a fault
   * and the fault itself.
   */
  constructor(
    private source: Uint8Array,
    private start: i32,
    private end: i32,
    private kind: JsonKind,
  ) {}

  static missing(fault: JsonFault, offset: i32): Json {
    return new Json(noBytes(), offset, fault, JsonKind.Missing);
  }

  /** The value that stands between two addresses in `source`. */
  static at(source: Uint8Array, start: usize, end: usize): Json {
    const base = source.dataStart;
    const kind = kindOf(start, end);
    return new Json(source, <i32>(start - base), <i32>(end - base), kind);
  }

  static ofNumber(value: i32): Json {
    const count = digitCount(value);
    const digits = newBytes(count);
    storeDigits(digits.dataStart, value, count);
    return new Json(digits, 0, count, JsonKind.Number);
  }

  /** What the value is. */
  Kind(): JsonKind {
    return this.kind;
  }

  /** Whether there is a value; null is one. */
  Exists(): bool {
    return this.kind != JsonKind.Missing;
  }

  IsNull(): bool {
    return this.kind == JsonKind.Null;
  }

  IsObject(): bool {
    return this.kind == JsonKind.Object;
  }

  IsArray(): bool {
    return this.kind == JsonKind.Array;
  }

  /** Why the text is not JSON and where, "" when it is: "a value is expected at byte 7". */
  Error(): string {
    if (this.kind != JsonKind.Missing || this.end == JsonFault.None) return "";
    return describe(this.end, this.start);
  }

  /**
   * The value a path leads to, a missing one when it leads nowhere. Names and indexes are separated
   * by dots: "a.b", "list.0". `#` is the length of an array: "list.#". A backslash takes the next
   * character as it is: "a\\.b" is the name "a.b". Of members with one name the first counts.
   * gjson's wildcards, queries and modifiers are not known: they are names like any other.
   * @example json.Get("rules.#").Int()
   */
  Get(path: string): Json {
    if (!follow(this.from, this.to, path)) return Json.missing(JsonFault.None, 0);
    if (foundCount >= 0) return Json.ofNumber(foundCount);
    return Json.at(this.source, foundStart, foundEnd);
  }

  /**
   * The value as text: a string's content, escapes resolved (half a surrogate pair becomes U+FFFD);
   * a number, array or object as it is written; "true", "false"; "" for null and for no value.
   * @example json.Get("collector").String()
   */
  String(): string {
    if (this.kind != JsonKind.String) return this.kind == JsonKind.Null ? "" : this.Raw();
    this.resolveContent();
    return decodeRange(contentStart, contentEnd - contentStart);
  }

  /**
   * The value as a whole number: exact over all 64 bits, cut towards zero, the nearest i64 when out
   * of range. true is 1. A string of digits is its number, any other string 0. (gjson wraps round
   * where this takes the nearest.)
   * @example json.Get("intervalMs").Int()
   */
  Int(): i64 {
    if (this.kind == JsonKind.Bool) return this.isTrue() ? 1 : 0;
    return this.resolveDigits() ? signedOf(contentStart, contentEnd) : 0;
  }

  /** As `Int`, for numbers up to 2⁶⁴ − 1; a negative one is 0. @example json.Get("limit").Uint() */
  Uint(): u64 {
    if (this.kind == JsonKind.Bool) return this.isTrue() ? 1 : 0;
    return this.resolveDigits() ? unsignedOf(contentStart, contentEnd) : 0;
  }

  /**
   * The value as a floating-point number, the nearest there is; a number too large is infinite.
   * true is 1. A string that is a number is that number, any other string 0.
   * @example json.Get("ratio").Float()
   */
  Float(): f64 {
    if (this.kind == JsonKind.Bool) return this.isTrue() ? 1 : 0;
    if (this.kind == JsonKind.Number) return floatOf(this.from, this.to);
    if (this.kind != JsonKind.String) return 0;
    this.resolveContent();
    return isNumber(contentStart, contentEnd) ? floatOf(contentStart, contentEnd) : 0;
  }

  /**
   * true for true, for a number other than 0 and for the strings "1", "t" and "true" in any case.
   * @example json.Get("enabled").Bool()
   */
  Bool(): bool {
    if (this.kind == JsonKind.Bool) return this.isTrue();
    if (this.kind == JsonKind.Number) return isNonZero(this.from, this.to);
    if (this.kind != JsonKind.String) return false;
    this.resolveContent();
    return meansTrue(contentStart, contentEnd);
  }

  /**
   * The elements of an array. Of null and of no value there are none; any other value is the only
   * element, as in gjson.
   * @example const rules = json.Get("rules").Array();
   */
  Array(): Array<Json> {
    const elements: Array<Json> = [];
    if (this.kind == JsonKind.Array) {
      const end = this.to;
      let at = nextEntry(this.from + 1, end, false);
      while (at != 0) {
        elements.push(Json.at(this.source, valueStart, valueEnd));
        at = nextEntry(at, end, false);
      }
    } else if (this.kind > JsonKind.Null) elements.push(this);
    return elements;
  }

  /**
   * Calls `each` for every member of an object (the key is a string) or element of an array (the
   * key is its index) until it answers false; once, with a missing key, for any other value. What
   * `each` needs comes in `state`.
   * @example json.ForEach(config, (config, key, value) => config.add(key.String(), value.Int()));
   */
  ForEach<S>(state: S, each: (state: S, key: Json, value: Json) => bool): void {
    const entries = new JsonEntries(this);
    while (entries.next()) {
      if (!each(state, entries.key, entries.value)) return;
    }
  }

  /** The value's text as it is written, without the space around it. "" when there is none. */
  Raw(): string {
    return this.Exists() ? decodeRange(this.from, this.to - this.from) : "";
  }

  /** As `Raw`, in bytes; a view on the text, not a copy. */
  RawBytes(): Uint8Array {
    if (!this.Exists()) return noBytes();
    const source = this.source;
    return bytesOf(source.buffer, source.byteOffset + this.start, this.end - this.start);
  }

  get bytes(): Uint8Array {
    return this.source;
  }

  /** The address of the value's first byte, good as long as `bytes` is kept alive. */
  get from(): usize {
    return this.source.dataStart + this.start;
  }

  /** The address after the value's last byte; of a missing value, that of its first. */
  get to(): usize {
    return this.kind == JsonKind.Missing ? this.from : this.source.dataStart + this.end;
  }

  /** Which of the two bools it is: asked apart from `Bool`, which also reads numbers and strings. */
  private isTrue(): bool {
    return load<u8>(this.from) == 0x74;
  }

  /** Finds the digits that `Int` reads; false when there are none. */
  private resolveDigits(): bool {
    const isNumber = this.kind == JsonKind.Number;
    if (!isNumber && this.kind != JsonKind.String) return false;
    // A number has no escapes: it is its own content.
    if (isNumber) resolve(this.from, this.to);
    else this.resolveContent();
    return isNumber || isInteger(contentStart, contentEnd);
  }

  /** Finds what stands between a string's quotes, escapes resolved. */
  private resolveContent(): void {
    const start = this.from + 1;
    resolve(start, max(this.to - 1, start));
  }
}

/** `ForEach` without its callback, so that it is compiled once. */
export class JsonEntries {
  key: Json = Json.missing(JsonFault.None, 0);
  value: Json;
  private at: usize = 0;
  private index: i32 = 0;

  constructor(private json: Json) {
    this.value = json;
    if (json.IsObject() || json.IsArray()) this.at = json.from + 1;
  }

  next(): bool {
    const json = this.json;
    const index = this.index++;
    if (this.at == 0) return index == 0 && json.Exists() && !json.IsObject() && !json.IsArray();
    this.at = nextEntry(this.at, json.to, json.IsObject());
    if (this.at == 0) return false;
    // Read before anything is allocated below; nothing there walks, but nothing should depend on
    // it.
    const value = Json.at(json.bytes, valueStart, valueEnd);
    // The key keeps its quotes: it is a value of its own.
    this.key = json.IsArray()
      ? Json.ofNumber(index)
      : Json.at(json.bytes, keyStart - 1, keyEnd + 1);
    this.value = value;
    return true;
  }
}

/** The strings that gjson takes for true. */
function meansTrue(start: usize, end: usize): bool {
  const size = end - start;
  if (size == 4) return (load<u32>(start) | 0x20202020) == 0x65757274;
  if (size != 1) return false;
  const byte = load<u8>(start);
  return byte == 0x31 || (byte | 0x20) == 0x74;
}

/** The first byte of a value tells its kind. */
function kindOf(start: usize, end: usize): JsonKind {
  if (start >= end) return JsonKind.Missing;
  switch (<u32>load<u8>(start)) {
    case 0x7b:
      return JsonKind.Object;
    case 0x5b:
      return JsonKind.Array;
    case 0x22:
      return JsonKind.String;
    case 0x6e:
      return JsonKind.Null;
    case 0x74:
    case 0x66:
      return JsonKind.Bool;
    default:
      return JsonKind.Number;
  }
}
