import { MockHostError } from "../errors.ts";

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a module's bytes from front to back; whatever does not fit is E_NOT_WASM with the offset.
 */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly end: number;
  at: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get isDone(): boolean {
    return this.at >= this.end;
  }

  byte(): number {
    if (this.at >= this.end) throw this.malformed("ends too early");
    return this.bytes[this.at++]!;
  }

  /** An unsigned LEB128 number of up to 32 bits. */
  u32(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      if (shift === 28 && byte > 0x0f) break;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw this.malformed("has a number of more than 32 bits");
  }

  /** An unsigned LEB128 number of up to 53 bits (limits of 64-bit memories). */
  u53(): number {
    let value = 0;
    for (let shift = 0; shift < 63; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    if (value > Number.MAX_SAFE_INTEGER) throw this.malformed("has a number of more than 53 bits");
    return value;
  }

  /** Goes over a LEB128 number of up to 64 bits, signed or not. */
  skipNumber(): void {
    for (let size = 0; size < 10; size++) if (this.byte() < 0x80) return;
    throw this.malformed("has a number of more than 64 bits");
  }

  /** A reader of the next `size` bytes; this one goes on behind them. */
  part(size: number): ByteReader {
    if (size > this.end - this.at) throw this.malformed("ends too early");
    const part = new ByteReader(this.bytes, this.at, this.at + size);
    this.at += size;
    return part;
  }

  skip(size: number): void {
    this.part(size);
  }

  /** A name: length and UTF-8. */
  name(): string {
    const { at, end } = this.part(this.u32());
    try {
      return strictUtf8.decode(this.bytes.subarray(at, end));
    } catch {
      throw this.malformed("has a name that is not UTF-8");
    }
  }

  /** As many things as a number says; each must take at least a byte. */
  list<T>(read: () => T): T[] {
    const count = this.u32();
    if (count > this.end - this.at) throw this.malformed("ends too early");
    return Array.from({ length: count }, read);
  }

  malformed(what: string): MockHostError {
    return new MockHostError("E_NOT_WASM", `the module ${what} (at byte ${this.at})`, {
      remedy: "compile it again, or check that the file was copied whole",
    });
  }
}
