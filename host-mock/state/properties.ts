/**
 * Property values as bytes: text raw, numbers 8 bytes little-endian, a bool one byte.
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (serializeValue).
 */
import { utf8 } from "./bytes.ts";

/** A value that a test gives to a property. `null`: the property is not there. */
export type PropertyValue = string | number | bigint | boolean | Uint8Array | null;

export function textValue(text: string): Uint8Array {
  return utf8(text);
}

/** Integers, timestamps and durations (nanoseconds); negative values in two's complement. */
export function numberValue(value: number | bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, BigInt(value)), true);
  return bytes;
}

/** A floating-point number. */
export function doubleValue(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value, true);
  return bytes;
}

export function boolValue(value: boolean): Uint8Array {
  return new Uint8Array([value ? 1 : 0]);
}

/** A test's value: text as UTF-8, whole numbers as integers, others as doubles, bytes as they are. */
export function valueBytes(value: Exclude<PropertyValue, null>): Uint8Array {
  if (typeof value === "string") return textValue(value);
  if (typeof value === "boolean") return boolValue(value);
  if (typeof value === "bigint") return numberValue(value);
  if (typeof value === "number")
    return Number.isSafeInteger(value) ? numberValue(value) : doubleValue(value);
  return value;
}
