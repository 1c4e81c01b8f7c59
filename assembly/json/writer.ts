import { newBuffer, newBytes, noBytes } from "../memory/bytes";
import { digitCount, storeDigits } from "../memory/digits";
import { byteLength, encodeInto } from "../memory/utf8";
import { JsonFault, validate } from "./validate";

/** How many arrays and objects a writer can have open at once: one bit each. */
const DEPTH_MAX: i32 = 64;

const HEX = "0123456789abcdef";

/**
 * Writes a JSON text that every strict parser reads. Commas come by themselves. The methods must be
 * called in an order that makes sense, a value after each `Field`, and so on: else the text is
 * lost, and `Bytes()` is empty. It never ends the VM.
 * @example new wrapper.JsonWriter().BeginObject().Field("term").Int(7).EndObject().Bytes()
 */
export class JsonWriter {
  private buffer: ArrayBuffer = newBuffer(64);
  private size: i32 = 0;
  private depth: i32 = 0;
  /** Bit n: container n is an object; has entries. The innermost one is bit 0. */
  private objects: u64 = 0;
  private filled: u64 = 0;
  /** A field's name was written and its value is due. */
  private isValueDue: bool = false;
  private isFailed: bool = false;

  /** Opens an object: members follow, then `EndObject`. */
  BeginObject(): JsonWriter {
    return this.open(0x7b, 1);
  }

  EndObject(): JsonWriter {
    return this.close(0x7d, 1);
  }

  /** Opens an array: values follow, then `EndArray`. */
  BeginArray(): JsonWriter {
    return this.open(0x5b, 0);
  }

  EndArray(): JsonWriter {
    return this.close(0x5d, 0);
  }

  /** The name of the next member of an object; its value comes next. */
  Field(name: string): JsonWriter {
    if (this.depth == 0 || (this.objects & 1) == 0 || this.isValueDue) return this.fail();
    this.comma();
    this.quoted(name);
    this.byte(0x3a);
    this.isValueDue = true;
    return this;
  }

  /** A string. Half a surrogate pair, which no text can hold, becomes U+FFFD. */
  String(value: string): JsonWriter {
    if (this.begin()) this.quoted(value);
    return this;
  }

  /** A whole number, exact. JavaScript reads numbers beyond 2⁵³ rounded. */
  Int(value: i64): JsonWriter {
    if (!this.begin()) return this;
    if (value < 0) this.byte(0x2d);
    this.digits(value < 0 ? 0 - <u64>value : <u64>value);
    return this;
  }

  /** A whole number, exact. */
  Uint(value: u64): JsonWriter {
    if (this.begin()) this.digits(value);
    return this;
  }

  /** A floating-point number; what JSON has no form for (not a number, infinite) becomes null. */
  Float(value: f64): JsonWriter {
    return isFinite(value) ? this.word(value.toString()) : this.word("null");
  }

  Bool(value: bool): JsonWriter {
    return this.word(value ? "true" : "false");
  }

  Null(): JsonWriter {
    return this.word("null");
  }

  /** A text that is JSON already, as it stands; null in the place of one that is not. */
  Raw(text: Uint8Array): JsonWriter {
    const size = text.byteLength;
    if (validate(text.dataStart, size) != JsonFault.None) return this.word("null");
    if (!this.begin()) return this;
    const at = this.room(size);
    memory.copy(at, text.dataStart, size);
    this.size += size;
    return this;
  }

  /**
   * The finished text as UTF-8. No bytes when it is not finished (a container is open, a value is
   * due) or the calls made no sense.
   */
  Bytes(): Uint8Array {
    if (this.isFailed || this.depth > 0 || this.size == 0) return noBytes();
    const bytes = newBytes(this.size);
    memory.copy(bytes.dataStart, changetype<usize>(this.buffer), this.size);
    return bytes;
  }

  private open(bracket: u32, isObject: u64): JsonWriter {
    if (this.depth == DEPTH_MAX) return this.fail();
    if (!this.begin()) return this;
    this.byte(bracket);
    this.depth++;
    this.objects = (this.objects << 1) | isObject;
    this.filled <<= 1;
    return this;
  }

  private close(bracket: u32, isObject: u64): JsonWriter {
    if (this.depth == 0 || (this.objects & 1) != isObject || this.isValueDue) return this.fail();
    this.depth--;
    this.objects >>= 1;
    this.filled >>= 1;
    this.byte(bracket);
    return this;
  }

  /** What precedes a value: in an object its name, in an array a comma, else nothing at all. */
  private begin(): bool {
    const inObject = this.depth > 0 && (this.objects & 1) != 0;
    if (this.isFailed || inObject != this.isValueDue || (this.depth == 0 && this.size > 0)) {
      this.fail();
      return false;
    }
    if (!inObject && this.depth > 0) this.comma();
    this.isValueDue = false;
    return true;
  }

  private comma(): void {
    if ((this.filled & 1) != 0) this.byte(0x2c);
    this.filled |= 1;
  }

  private fail(): JsonWriter {
    this.isFailed = true;
    return this;
  }

  /** A value in ASCII that needs no quotes. */
  private word(text: string): JsonWriter {
    if (this.begin()) this.append(text);
    return this;
  }

  private append(text: string): void {
    const size = byteLength(text);
    this.size += <i32>encodeInto(text, this.room(size), size);
  }

  private quoted(text: string): void {
    this.byte(0x22);
    let from = 0;
    for (let i = 0, length = text.length; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= 0x20 && unit != 0x22 && unit != 0x5c) continue;
      if (i > from) this.append(text.substring(from, i));
      this.escaped(unit);
      from = i + 1;
    }
    this.append(from == 0 ? text : text.substring(from));
    this.byte(0x22);
  }

  private escaped(unit: u32): void {
    this.byte(0x5c);
    const letter = shortEscape(unit);
    this.byte(letter);
    if (letter != 0x75) return;
    this.byte(0x30);
    this.byte(0x30);
    this.byte(HEX.charCodeAt(unit >> 4));
    this.byte(HEX.charCodeAt(unit & 15));
  }

  private digits(value: u64): void {
    const count = digitCount(value);
    storeDigits(this.room(count), value, count);
    this.size += count;
  }

  private byte(value: u32): void {
    store<u8>(this.room(1), value);
    this.size++;
  }

  /** The address for the next `more` bytes; good until the next call. */
  private room(more: i32): usize {
    const needed = this.size + more;
    if (needed > this.buffer.byteLength) {
      const grown = newBuffer(max(needed, this.buffer.byteLength << 1));
      memory.copy(changetype<usize>(grown), changetype<usize>(this.buffer), this.size);
      this.buffer = grown;
    }
    return changetype<usize>(this.buffer) + this.size;
  }
}

/** The letter after a backslash; "u" when there is no short form. */
function shortEscape(unit: u32): u32 {
  switch (unit) {
    case 8:
      return 0x62;
    case 9:
      return 0x74;
    case 10:
      return 0x6e;
    case 12:
      return 0x66;
    case 13:
      return 0x72;
    default:
      return unit < 0x20 ? 0x75 : unit;
  }
}
