/**
 * Property values as bytes: text raw, numbers 8 bytes little-endian, a bool one byte.
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (serializeValue).
 */
import { utf8 } from "./bytes.ts";

export function textValue(text: string): Uint8Array {
  return utf8(text);
}

/** Integers, timestamps and durations (nanoseconds); negative values in two's complement. */
export function numberValue(value: number | bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, BigInt(value)), true);
  return bytes;
}

export function boolValue(value: boolean): Uint8Array {
  return new Uint8Array([value ? 1 : 0]);
}
