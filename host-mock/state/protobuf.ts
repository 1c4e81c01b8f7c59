/**
 * Protobuf's wire format, as far as small messages of foreign functions and attributes need it.
 *
 *     field:   varint (number << 3 | wire type), then
 *     type 0   varint            type 1   8 bytes
 *     type 2   varint size, bytes         type 5   4 bytes
 *
 * Source: the protobuf encoding guide; Envoy parses with `MessageLite::ParseFromString`.
 */
import { tryUtf8, utf8 } from "./bytes.ts";

/** One field as it stands; of fixed-width ones the bytes are not kept. */
export type WireField =
  | { readonly number: number; readonly type: "varint"; readonly value: bigint }
  | { readonly number: number; readonly type: "bytes"; readonly value: Uint8Array }
  | { readonly number: number; readonly type: "fixed" };

const varintBytesMax = 10;

/** The fields in order, or undefined for bytes that are no message. Groups are passed over. Copies. */
export function readFields(bytes: Uint8Array): WireField[] | undefined {
  const reader = new Reader(bytes);
  const fields: WireField[] = [];
  while (!reader.isAtEnd) {
    const field = reader.field(0);
    if (field === undefined || field === "end of group") return undefined;
    if (field !== "group") fields.push(field);
  }
  return fields;
}

const groupDepthMax = 100;

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Undefined for what is no field. */
  field(depth: number): WireField | "group" | "end of group" | undefined {
    const tag = this.#varint();
    const number = Number((tag ?? 0n) >> 3n);
    if (tag === undefined || number === 0 || tag > 0xffffffffn) return undefined;
    switch (Number(tag & 7n)) {
      case 0: {
        const value = this.#varint();
        return value === undefined ? undefined : { number, type: "varint", value };
      }
      case 1:
        return this.#take(8) === undefined ? undefined : { number, type: "fixed" };
      case 2: {
        const value = this.#take(Number(this.#varint() ?? -1n));
        return value === undefined ? undefined : { number, type: "bytes", value };
      }
      case 3:
        return this.#group(number, depth + 1) ? "group" : undefined;
      case 4:
        this.#ended = number;
        return "end of group";
      case 5:
        return this.#take(4) === undefined ? undefined : { number, type: "fixed" };
      default:
        return undefined;
    }
  }

  /** The number of the group whose end was read last. */
  #ended = 0;

  #group(number: number, depth: number): boolean {
    if (depth > groupDepthMax) return false;
    for (;;) {
      const field = this.isAtEnd ? undefined : this.field(depth);
      if (field === undefined) return false;
      if (field === "end of group") return this.#ended === number;
    }
  }

  #varint(): bigint | undefined {
    let value = 0n;
    for (let count = 0; count < varintBytesMax && !this.isAtEnd; count++) {
      const byte = this.#bytes[this.#at++]!;
      value |= BigInt(byte & 0x7f) << BigInt(7 * count);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    return undefined;
  }

  #take(size: number): Uint8Array | undefined {
    const end = this.#at + size;
    if (size < 0 || end > this.#bytes.length) return undefined;
    const taken = this.#bytes.slice(this.#at, end);
    this.#at = end;
    return taken;
  }
}

/** The last bytes of that field; empty when it does not occur. */
export function bytesField(fields: readonly WireField[], number: number): Uint8Array {
  const found = fields.findLast((field) => field.number === number && field.type === "bytes");
  return found?.type === "bytes" ? found.value : new Uint8Array(0);
}

/** That field as text; undefined when it is no UTF-8, which makes the whole message invalid. */
export function textField(fields: readonly WireField[], number: number): string | undefined {
  const isText = fields.every(
    (field) =>
      field.number !== number || field.type !== "bytes" || tryUtf8(field.value) !== undefined,
  );
  return isText ? tryUtf8(bytesField(fields, number)) : undefined;
}

/** The last value of that field; 0 when it does not occur. */
export function varintField(fields: readonly WireField[], number: number): bigint {
  const found = fields.findLast((field) => field.number === number && field.type === "varint");
  return found?.type === "varint" ? found.value : 0n;
}

/** A text, or bytes, as a field; nothing for an empty one, as proto3 has it. */
export function writeBytes(number: number, value: string | Uint8Array): Uint8Array {
  const bytes = typeof value === "string" ? utf8(value) : value;
  return bytes.length === 0 ? new Uint8Array(0) : writeMessage(number, bytes);
}

/** A message as a field, an empty one too. */
export function writeMessage(number: number, bytes: Uint8Array): Uint8Array {
  return Uint8Array.from([...varintOf((number << 3) | 2), ...varintOf(bytes.length), ...bytes]);
}

/** A number of 0 … 2^53 − 1, or a bool, as a field; nothing for 0. */
export function writeVarint(number: number, value: number): Uint8Array {
  return Uint8Array.from(value === 0 ? [] : [...varintOf(number << 3), ...varintOf(value)]);
}

function varintOf(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return bytes;
}
