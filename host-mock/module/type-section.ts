import type { FunctionType, ValueType } from "../abi/wasm-types.ts";
import type { ByteReader } from "./byte-reader.ts";

const valueTypes: Readonly<Record<number, ValueType>> = {
  0x7f: "i32",
  0x7e: "i64",
  0x7d: "f32",
  0x7c: "f64",
  0x7b: "v128",
  0x70: "funcref",
  0x6f: "externref",
};

/** A value type; references of the function-reference and GC proposals by their heap type. */
export function readValueType(reader: ByteReader): ValueType {
  const byte = reader.byte();
  const known = valueTypes[byte];
  if (known !== undefined) return known;
  if (byte === 0x63 || byte === 0x64)
    return `${byte === 0x63 ? "refnull" : "ref"} ${readHeapType(reader)}`;
  return `0x${byte.toString(16)}`;
}

/** A signed LEB128 number: a type index, or an abstract type below 0. */
function readHeapType(reader: ByteReader): string {
  let byte = reader.byte();
  let text = byte.toString(16);
  while (byte >= 0x80) {
    byte = reader.byte();
    text += byte.toString(16);
  }
  return `0x${text}`;
}

/** The type section, by type index; undefined for types that are no functions. */
export function readTypes(reader: ByteReader): (FunctionType | undefined)[] {
  const types: (FunctionType | undefined)[] = [];
  let groups = reader.u32();
  while (groups-- > 0) {
    let inGroup = 1;
    if (reader.bytes[reader.at] === 0x4e) {
      reader.byte();
      inGroup = reader.u32();
    }
    while (inGroup-- > 0) types.push(readSubType(reader));
  }
  return types;
}

function readSubType(reader: ByteReader): FunctionType | undefined {
  let form = reader.byte();
  if (form === 0x50 || form === 0x4f) {
    reader.list(() => reader.u32());
    form = reader.byte();
  }
  switch (form) {
    case 0x60: {
      const params = reader.list(() => readValueType(reader));
      return { params, results: reader.list(() => readValueType(reader)) };
    }
    case 0x5f:
      reader.list(() => readField(reader));
      return undefined;
    case 0x5e:
      readField(reader);
      return undefined;
    default:
      throw reader.malformed("has a type of unknown form");
  }
}

/**
 * A struct's or array's field: a storage type (i8 and i16 are bytes of their own) and a mutability
 * byte.
 */
function readField(reader: ByteReader): void {
  readValueType(reader);
  reader.byte();
}
