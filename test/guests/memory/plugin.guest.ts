// The memory room as exported functions.
import * as utf8 from "proxy-wasm-as/assembly/memory/utf8";
import { decodePairs, encodePairs } from "proxy-wasm-as/assembly/memory/pairs";
import { Headers } from "proxy-wasm-as/assembly/memory/headers";
import { allocate } from "proxy-wasm-as/assembly/memory/allocator";
import { bytesOf, noBytes, sameBytes } from "proxy-wasm-as/assembly/memory/bytes";
import { takeBytes } from "proxy-wasm-as/assembly/memory/host-buffer";
import { OUT_PTR, OUT_SIZE } from "proxy-wasm-as/assembly/memory/out";

export const BYTES_ID = idof<Uint8Array>();

export function encode(text: string): Uint8Array {
  return utf8.encode(text);
}

/** How many bytes of a cut text were written, and the byte after them as it was. */
export function encodeCut(text: string, limit: i32): Uint8Array {
  const bytes = new Uint8Array(limit + 1);
  bytes[limit] = 0xaa;
  const size = <i32>utf8.encodeInto(text, bytes.dataStart, limit);
  if (bytes[limit] != 0xaa) return noBytes();
  return bytes.slice(0, size);
}

export function decode(bytes: Uint8Array): string | null {
  return utf8.decode(bytes);
}

export function decodeLossy(bytes: Uint8Array): string {
  return utf8.decodeLossy(bytes);
}

export function isValid(bytes: Uint8Array): bool {
  return utf8.isValid(bytes);
}

export function same(a: Uint8Array, b: Uint8Array): bool {
  return sameBytes(a, b);
}

/** −1 for a malformed list, else the number of pairs; every name and value is read as text. */
export function pairCount(bytes: Uint8Array): i32 {
  const result = decodePairs(bytes);
  const headers = result.headers;
  for (let i = 0; i < headers.Size(); i++) {
    headers.At(i).Name();
    headers.At(i).Value();
  }
  return result.isMalformed ? -1 : headers.Size();
}

/** Decodes a list that lies in the middle of a larger array, and encodes it again. */
export function recode(bytes: Uint8Array, from: i32): Uint8Array | null {
  const part = bytesOf(bytes.buffer, from, bytes.byteLength - from);
  const encoded = encodePairs(decodePairs(part).headers);
  return encoded === null ? null : bytesOf(encoded, 0, encoded.byteLength);
}

/** A list of `count` headers with values of `size` bytes; null when it may not be sent. */
export function encodeMany(count: i32, size: i32): Uint8Array | null {
  const headers = new Headers();
  for (let i = 0; i < count; i++) headers.AddBytes("n", new Uint8Array(size));
  const encoded = encodePairs(headers);
  return encoded === null ? null : bytesOf(encoded, 0, encoded.byteLength);
}

const list = new Headers();

export function add(name: string, value: string): void {
  list.With(name, value);
}

export function set(name: string, value: string): void {
  list.Set(name, value);
}

export function remove(name: string): i32 {
  return list.Remove(name);
}

export function get(name: string): string | null {
  return list.Get(name);
}

export function getBytes(name: string): Uint8Array | null {
  return list.GetBytes(name);
}

export function getAll(name: string): string {
  return list.GetAll(name).join("|");
}

export function has(name: string): bool {
  return list.Has(name);
}

export function addBytes(name: string, value: Uint8Array): void {
  list.AddBytes(name, value);
}

export function print(): string {
  let text = "";
  for (let i = 0; i < list.Size(); i++) text += list.At(i).Name() + "=" + list.At(i).Value() + ";";
  return text;
}

/** Plays the host: a block of the allocator, filled, then taken. */
export function take(bytes: Uint8Array): Uint8Array {
  const size = bytes.byteLength;
  const block = size == 0 ? 0 : allocate(size);
  memory.copy(block, bytes.dataStart, size);
  store<u32>(OUT_PTR, <u32>block);
  store<u32>(OUT_SIZE, size);
  return takeBytes();
}
