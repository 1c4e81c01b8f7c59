// Raw imports, called without allocating anything: what a pass leaves in memory is the candidate's state alone.
import {
  W0,
  W1,
  W2,
  clock_time_get,
  proxy_get_buffer_bytes,
  proxy_get_property,
  proxy_get_shared_data,
  proxy_http_call,
  proxy_log,
  proxy_set_shared_data,
  proxy_set_tick_period_milliseconds,
  random_get,
} from "../host/raw.guest";
import { linePtr, lineSize } from "./text.guest";

// prettier-ignore
@external("env", "proxy_get_current_time_nanoseconds")
declare function proxy_get_current_time_nanoseconds(time: usize): i32;

export const Ok: i32 = 0;
export const NotFound: i32 = 1;
export const CasMismatch: i32 = 8;
/** Creates an absent key and equals the version of no present one. */
export const CREATE_ONLY: u32 = 0xfffffffe;

const DEBUG: i32 = 1;
const PLUGIN_CONFIGURATION: i32 = 7;
const NS_PER_MS: u64 = 1_000_000;

/** Where the host puts what it hands over; one thing at a time. */
const INBOX_SIZE: i32 = 2048;
const INBOX = memory.data(2048);

/** What the last `get` has found. */
export let valuePtr: usize = 0;
export let valueSize: i32 = 0;
export let version: u32 = 0;

/** The host asks for memory. What is too large for the inbox is never freed: no protocol here writes such values. */
export function inbox(size: i32): usize {
  return size <= INBOX_SIZE ? INBOX : heap.alloc(size);
}

export function monoMs(): i64 {
  clock_time_get(1, 0, W2);
  return <i64>(load<u64>(W2) / NS_PER_MS);
}

export function wallMs(): i64 {
  proxy_get_current_time_nanoseconds(W2);
  return <i64>(load<u64>(W2) / NS_PER_MS);
}

export function get(key: usize, size: i32): i32 {
  const status = proxy_get_shared_data(key, size, W0, W1, W2);
  valuePtr = status == Ok ? load<u32>(W0) : 0;
  valueSize = status == Ok ? load<i32>(W1) : 0;
  version = status == Ok ? load<u32>(W2) : 0;
  return status;
}

/** Sets a key to the line that was built last. */
export function setLine(key: usize, size: i32, cas: u32): i32 {
  return proxy_set_shared_data(key, size, linePtr(), lineSize(), cas);
}

export function logLine(): void {
  proxy_log(DEBUG, linePtr(), lineSize());
}

export function setPeriod(ms: i64): void {
  proxy_set_tick_period_milliseconds(<u32>ms);
}

/** Only in `proxy_on_configure`. */
export function configuration(size: i32): string {
  if (proxy_get_buffer_bytes(PLUGIN_CONFIGURATION, 0, size, W0, W1) != Ok) return "";
  return String.UTF8.decodeUnsafe(load<u32>(W0), load<i32>(W1));
}

/** Writes the plugin's name to memory; answers its size. */
export function pluginName(into: usize, sizeMax: i32): i32 {
  const path = String.UTF8.encode("plugin_name");
  if (proxy_get_property(changetype<usize>(path), path.byteLength, W0, W1) != Ok) return 0;
  const size = min(load<i32>(W1), sizeMax);
  memory.copy(into, load<u32>(W0), size);
  return size;
}

/** 16 random bytes as a UUID, 36 characters. */
export function drawId(into: usize): void {
  random_get(INBOX, 16);
  for (let i = 0; i < 16; i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10) store<u8>(into++, 0x2d);
    const byte = load<u8>(INBOX + i);
    store<u8>(into++, hexDigit(byte >> 4));
    store<u8>(into++, hexDigit(byte & 15));
  }
}

function hexDigit(value: u8): u8 {
  return value < 10 ? 0x30 + value : 0x57 + value;
}

/** The line that was built last are the headers, serialised. */
export function callWithLine(cluster: usize, size: i32, timeoutMs: u32): i32 {
  return proxy_http_call(cluster, size, linePtr(), lineSize(), 0, 0, 0, 0, timeoutMs, W2);
}
