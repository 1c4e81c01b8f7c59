/**
 * The record under the lease key, as compact JSON that wasm-go's reader accepts too:
 *
 *   held      {"vmID":"<id>","timestamp":<unix s>,"st":"held","term":n,"mono":<ms>,"ttl":<ms>}
 *   released  {"vmID":"","timestamp":0,"st":"released","term":n,"mono":<ms>}
 *   boot      {"vmID":"","timestamp":0,"st":"boot","mono":<ms>}
 *   wasm-go's {"vmID":"<id>","timestamp":<unix s>}
 *
 * `mono` is the writer's clock read before the record was fetched. wasm-go ignores the further
 * fields; none of their names may equal `vmID` or `timestamp` when case is left aside, since Go's
 * reader does.
 */
import { Json, JsonKind, ParseJson } from "../json/index";
import { begin, lineBytes, put, putNumber } from "./line";
import { isTerm } from "./term";

const TTL_MIN: i64 = 1_000;
const TTL_MAX: i64 = 3_600_000;
/** A record of ours has at most some 200 bytes; the rest is room for unknown fields. */
export const RECORD_BYTES_MAX: i32 = 16_384;

const ABSENT: i64 = -1;
const WRONG: i64 = -2;

export enum LeaseKind {
  /** Nothing that may be believed: unparsable, blank, wrong types, impossible numbers. */
  Odd,
  /** Written by an elector like this one. */
  Held,
  /** Written by wasm-go. */
  Foreign,
  /** Its holder has stopped leading before it wrote this. */
  Released,
  /** Made at configure so that wasm-go never finds the key absent; nobody has led. */
  Boot,
}

export class Lease {
  /** The holder; "" when nobody holds it. */
  id: string = "";
  /** Unix seconds. */
  timestamp: i64 = 0;
  /** 0 when the record has none. */
  term: i64 = 0;
  /** Milliseconds. */
  mono: i64 = 0;
  /** Milliseconds; 0 when the record has none. */
  ttl: i64 = 0;

  constructor(public kind: LeaseKind) {}
}

/**
 * Reads a record from bytes of any origin. Of what depends on the reader's clocks only
 * the term is judged here.
 */
export function readLease(bytes: Uint8Array): Lease {
  const lease = new Lease(LeaseKind.Odd);
  if (bytes.byteLength > RECORD_BYTES_MAX) return lease;
  const json = ParseJson(bytes);
  const id = json.Get("vmID");
  const timestamp = integerAt(json, "timestamp");
  const term = integerAt(json, "term");
  const mono = integerAt(json, "mono");
  const ttl = integerAt(json, "ttl");
  if (id.Kind() != JsonKind.String || timestamp < 0) return lease;
  if (term == WRONG || !isTerm(term) || mono == WRONG || ttl == WRONG) return lease;
  if (ttl != ABSENT && (ttl < TTL_MIN || ttl > TTL_MAX)) return lease;
  lease.id = id.String();
  lease.timestamp = timestamp;
  lease.term = max(term, 0);
  lease.mono = max(mono, 0);
  lease.ttl = max(ttl, 0);
  lease.kind = kindOf(json.Get("st"), term, mono, ttl, lease.id.length == 0);
  return lease;
}

function kindOf(st: Json, term: i64, mono: i64, ttl: i64, isNobody: bool): LeaseKind {
  if (!st.Exists()) return mono == ABSENT ? LeaseKind.Foreign : LeaseKind.Odd;
  if (mono == ABSENT || st.Kind() != JsonKind.String) return LeaseKind.Odd;
  const state = st.String();
  if (state == "held")
    return term == ABSENT || ttl == ABSENT || isNobody ? LeaseKind.Odd : LeaseKind.Held;
  if (state == "released") return term == ABSENT ? LeaseKind.Odd : LeaseKind.Released;
  return state == "boot" ? LeaseKind.Boot : LeaseKind.Odd;
}

/** A plain JSON integer that is not negative; `ABSENT`; or `WRONG` for anything else. */
export function integerAt(json: Json, name: string): i64 {
  const value = json.Get(name);
  if (!value.Exists()) return ABSENT;
  if (value.Kind() != JsonKind.Number) return WRONG;
  return integerOf(value.RawBytes());
}

/** Reads decimal digits and nothing else, below 10^18; otherwise `WRONG`. */
function integerOf(bytes: Uint8Array): i64 {
  const size = bytes.byteLength;
  if (size == 0 || size > 18) return WRONG;
  let value: i64 = 0;
  for (let i = 0; i < size; i++) {
    const digit = <u32>load<u8>(bytes.dataStart + i) - 0x30;
    if (digit > 9) return WRONG;
    value = value * 10 + digit;
  }
  return value;
}

/** The term of a term key or of a fence cell; what no leader can have had counts as 0. */
export function readTerm(bytes: Uint8Array): i64 {
  const term = integerOf(bytes);
  return isTerm(term) ? max(term, 0) : 0;
}

export function heldRecord(id: string, timestamp: i64, term: i64, mono: i64, ttl: i64): Uint8Array {
  begin('{"vmID":"');
  put(id);
  put('","timestamp":');
  putNumber(timestamp);
  putState("held", term);
  putNumber(mono);
  put(',"ttl":');
  return closed(ttl);
}

export function releasedRecord(term: i64, mono: i64): Uint8Array {
  begin('{"vmID":"","timestamp":0');
  putState("released", term);
  return closed(mono);
}

export function bootRecord(mono: i64): Uint8Array {
  begin('{"vmID":"","timestamp":0,"st":"boot","mono":');
  return closed(mono);
}

/** The content of a term key. */
export function termRecord(term: i64): Uint8Array {
  begin("");
  putNumber(term);
  return lineBytes();
}

function putState(state: string, term: i64): void {
  put(',"st":"');
  put(state);
  put('","term":');
  putNumber(term);
  put(',"mono":');
}

function closed(last: i64): Uint8Array {
  putNumber(last);
  put("}");
  return lineBytes();
}
