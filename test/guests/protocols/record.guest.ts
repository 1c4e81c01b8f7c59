/**
 * What stands under a lease key, a term key and a fence cell:
 *
 *   held      {"vmID":"<id>","timestamp":<unix s>,"st":"held","term":n,"mono":<ms>,"ttl":<ms>}
 *   released  {"vmID":"","timestamp":0,"st":"released","term":n,"mono":<ms>}
 *   init, boot, late   {"vmID":"","timestamp":<unix s>,"st":"boot","mono":<ms>}: nobody holds it
 *   foreign   {"vmID":"<id>","timestamp":<unix s>}: wasm-go's, and P0's
 *   cell      {"term":n,"by":"<id>","data":n}
 *
 * Read strictly: one object of texts without escapes and of digits, without spaces. Anything else is odd.
 */
import { begin, isText, put, putBytes, putNumber } from "./text.guest";

export enum Kind {
  Odd,
  Held,
  Released,
  Init,
  Boot,
  Late,
  Foreign,
}

const ABSENT: i64 = -1;

/** Fields of the record that was read last; numbers that are not there are −1. */
export let idPtr: usize = 0;
export let idSize: i32 = -1;
export let timestamp: i64 = ABSENT;
export let term: i64 = ABSENT;
export let mono: i64 = ABSENT;
export let ttl: i64 = ABSENT;
export let data: i64 = ABSENT;
let statePtr: usize = 0;
let stateSize: i32 = -1;

let at: usize = 0;
let last: usize = 0;
/** The text that was read last. */
let textPtr: usize = 0;
let textSize: i32 = 0;

export function readRecord(ptr: usize, size: i32): Kind {
  if (!readFields(ptr, size)) return Kind.Odd;
  if (idSize < 0 || timestamp < 0) return Kind.Odd;
  if (stateSize < 0) return mono == ABSENT ? Kind.Foreign : Kind.Odd;
  if (mono < 0) return Kind.Odd;
  if (isText(statePtr, stateSize, "held"))
    return idSize == 0 || term < 0 || ttl < 0 ? Kind.Odd : Kind.Held;
  if (isText(statePtr, stateSize, "released")) return term < 0 ? Kind.Odd : Kind.Released;
  if (isText(statePtr, stateSize, "init")) return Kind.Init;
  if (isText(statePtr, stateSize, "boot")) return Kind.Boot;
  return isText(statePtr, stateSize, "late") ? Kind.Late : Kind.Odd;
}

/** The term of a fence cell, whose writer is then (`idPtr`, `idSize`); 0 for what is none. */
export function readCell(ptr: usize, size: i32): i64 {
  return readFields(ptr, size) && term > 0 ? term : 0;
}

/** The content of a term key: digits; 0 for anything else. */
export function readNumber(ptr: usize, size: i32): i64 {
  at = ptr;
  last = ptr + size;
  const value = digits();
  return value < 0 || at != last ? 0 : value;
}

/** False for what is no object of texts and digits. */
export function readFields(ptr: usize, size: i32): bool {
  idSize = -1;
  stateSize = -1;
  timestamp = ABSENT;
  term = ABSENT;
  mono = ABSENT;
  ttl = ABSENT;
  data = ABSENT;
  at = ptr;
  last = ptr + size;
  if (!skip(0x7b)) return false;
  do {
    if (!field()) return false;
  } while (skip(0x2c));
  return skip(0x7d) && at == last;
}

/** `"name":"text"` or `"name":digits` */
function field(): bool {
  if (!text()) return false;
  const name = textPtr;
  const size = textSize;
  if (!skip(0x3a)) return false;
  if (at < last && load<u8>(at) == 0x22) {
    if (!text()) return false;
    if (isText(name, size, "vmID") || isText(name, size, "by")) {
      idPtr = textPtr;
      idSize = textSize;
    } else if (isText(name, size, "st")) {
      statePtr = textPtr;
      stateSize = textSize;
    }
    return true;
  }
  const value = digits();
  if (isText(name, size, "timestamp")) timestamp = value;
  else if (isText(name, size, "term")) term = value;
  else if (isText(name, size, "mono")) mono = value;
  else if (isText(name, size, "ttl")) ttl = value;
  else if (isText(name, size, "data")) data = value;
  return value >= 0;
}

function skip(char: u8): bool {
  if (at >= last || load<u8>(at) != char) return false;
  at++;
  return true;
}

function text(): bool {
  if (!skip(0x22)) return false;
  textPtr = at;
  while (at < last && load<u8>(at) != 0x22 && load<u8>(at) != 0x5c) at++;
  textSize = <i32>(at - textPtr);
  return skip(0x22);
}

/** −1 where there are none, or too many. */
function digits(): i64 {
  const start = at;
  let value: i64 = 0;
  for (; at < last; at++) {
    const digit = <u32>load<u8>(at) - 0x30;
    if (digit > 9) break;
    if (at - start == 18) return -1;
    value = value * 10 + digit;
  }
  return at == start ? -1 : value;
}

export function buildHeld(id: usize, seconds: i64, held: i64, since: i64, lease: i64): void {
  begin('{"vmID":"');
  putBytes(id, 36);
  put('","timestamp":');
  putNumber(seconds);
  put(',"st":"held","term":');
  putNumber(held);
  put(',"mono":');
  putNumber(since);
  put(',"ttl":');
  putNumber(lease);
  put("}");
}

export function buildReleased(held: i64, since: i64): void {
  begin('{"vmID":"","timestamp":0,"st":"released","term":');
  putNumber(held);
  put(',"mono":');
  putNumber(since);
  put("}");
}

/** A record that nobody holds. */
export function buildVacant(kind: Kind, seconds: i64, since: i64): void {
  begin('{"vmID":"","timestamp":');
  putNumber(seconds);
  put(',"st":"');
  put(kind == Kind.Init ? "init" : kind == Kind.Boot ? "boot" : "late");
  put('","mono":');
  putNumber(since);
  put("}");
}

/** wasm-go's record. */
export function buildForeign(id: usize, size: i32, seconds: i64): void {
  begin('{"vmID":"');
  putBytes(id, size);
  put('","timestamp":');
  putNumber(seconds);
  put("}");
}

export function buildNumber(value: i64): void {
  begin("");
  putNumber(value);
}

export function buildCell(written: i64, by: usize, size: i32, content: i64): void {
  begin('{"term":');
  putNumber(written);
  put(',"by":"');
  putBytes(by, size);
  put('","data":');
  putNumber(content);
  put("}");
}
