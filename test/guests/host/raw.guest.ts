// Raw proxy-wasm imports and a few ways to use them, shared by the guests of this folder. No SDK involved.

// @ts-ignore: decorator
@external("env", "proxy_log")
export declare function proxy_log(level: i32, text: usize, size: usize): i32;
// @ts-ignore: decorator
@external("env", "proxy_set_tick_period_milliseconds")
export declare function proxy_set_tick_period_milliseconds(ms: u32): i32;
// @ts-ignore: decorator
@external("env", "proxy_get_shared_data")
export declare function proxy_get_shared_data(
  key: usize,
  keySize: usize,
  ptr: usize,
  size: usize,
  cas: usize,
): i32;
// @ts-ignore: decorator
@external("env", "proxy_set_shared_data")
export declare function proxy_set_shared_data(
  key: usize,
  keySize: usize,
  value: usize,
  size: usize,
  cas: u32,
): i32;
// @ts-ignore: decorator
@external("env", "proxy_register_shared_queue")
export declare function proxy_register_shared_queue(name: usize, size: usize, token: usize): i32;
// @ts-ignore: decorator
@external("env", "proxy_enqueue_shared_queue")
export declare function proxy_enqueue_shared_queue(token: u32, value: usize, size: usize): i32;
// @ts-ignore: decorator
@external("env", "proxy_get_property")
export declare function proxy_get_property(
  path: usize,
  pathSize: usize,
  ptr: usize,
  size: usize,
): i32;
// @ts-ignore: decorator
@external("env", "proxy_set_property")
export declare function proxy_set_property(
  path: usize,
  pathSize: usize,
  value: usize,
  size: usize,
): i32;
// @ts-ignore: decorator
@external("env", "proxy_get_header_map_value")
export declare function proxy_get_header_map_value(
  map: i32,
  key: usize,
  keySize: usize,
  ptr: usize,
  size: usize,
): i32;
// @ts-ignore: decorator
@external("env", "proxy_add_header_map_value")
export declare function proxy_add_header_map_value(
  map: i32,
  key: usize,
  keySize: usize,
  value: usize,
  size: usize,
): i32;
// @ts-ignore: decorator
@external("env", "proxy_remove_header_map_value")
export declare function proxy_remove_header_map_value(map: i32, key: usize, keySize: usize): i32;
// @ts-ignore: decorator
@external("env", "proxy_get_buffer_bytes")
export declare function proxy_get_buffer_bytes(
  type: i32,
  start: u32,
  length: u32,
  ptr: usize,
  size: usize,
): i32;
// @ts-ignore: decorator
@external("env", "proxy_set_buffer_bytes")
export declare function proxy_set_buffer_bytes(
  type: i32,
  start: u32,
  length: u32,
  data: usize,
  size: usize,
): i32;
// @ts-ignore: decorator
@external("env", "proxy_http_call")
export declare function proxy_http_call(
  cluster: usize,
  clusterSize: usize,
  headers: usize,
  headersSize: usize,
  body: usize,
  bodySize: usize,
  trailers: usize,
  trailersSize: usize,
  timeoutMs: u32,
  token: usize,
): i32;
// @ts-ignore: decorator
@external("env", "proxy_send_local_response")
export declare function proxy_send_local_response(
  status: u32,
  details: usize,
  detailsSize: usize,
  body: usize,
  bodySize: usize,
  headers: usize,
  headersSize: usize,
  grpcStatus: i32,
): i32;
// @ts-ignore: decorator
@external("env", "proxy_continue_stream")
export declare function proxy_continue_stream(type: i32): i32;
// @ts-ignore: decorator
@external("env", "proxy_close_stream")
export declare function proxy_close_stream(type: i32): i32;
// @ts-ignore: decorator
@external("env", "proxy_set_effective_context")
export declare function proxy_set_effective_context(id: u32): i32;
// @ts-ignore: decorator
@external("env", "proxy_get_status")
export declare function proxy_get_status(code: usize, ptr: usize, size: usize): i32;
// @ts-ignore: decorator
@external("env", "proxy_done")
export declare function proxy_done(): i32;
// @ts-ignore: decorator
@external("wasi_snapshot_preview1", "clock_time_get")
export declare function clock_time_get(id: i32, precision: i64, time: usize): i32;
// @ts-ignore: decorator
@external("wasi_snapshot_preview1", "random_get")
export declare function random_get(ptr: usize, size: usize): i32;

/** Words that the host writes. */
export const W0 = memory.data(64, 8);
export const W1 = W0 + 8;
export const W2 = W0 + 16;

export function bytes(text: string): ArrayBuffer {
  return String.UTF8.encode(text);
}

export function ptr(buffer: ArrayBuffer): usize {
  return changetype<usize>(buffer);
}

export function log(text: string): void {
  const line = bytes(text);
  proxy_log(2, ptr(line), line.byteLength);
}

/** The text that the host has put at (W0, W1), which is the guest's to free. */
export function take(): string {
  const start = load<u32>(W0);
  const size = load<u32>(W1);
  if (size == 0) return "";
  const text = String.UTF8.decodeUnsafe(start, size);
  heap.free(start);
  return text;
}

export function hex(array: Uint8Array): string {
  let text = "";
  for (let i = 0; i < array.length; i++) text += (array[i] < 16 ? "0" : "") + array[i].toString(16);
  return text;
}

export function monotonicNs(): u64 {
  clock_time_get(1, 0, W2);
  return load<u64>(W2);
}

export function property(path: string): string {
  const name = bytes(path);
  const status = proxy_get_property(ptr(name), name.byteLength, W0, W1);
  return status == 0 ? take() : "!" + status.toString();
}

export function header(map: i32, name: string): string {
  const key = bytes(name);
  const status = proxy_get_header_map_value(map, ptr(key), key.byteLength, W0, W1);
  return status == 0 ? take() : "!" + status.toString();
}

export function addHeader(map: i32, name: string, value: string): i32 {
  const key = bytes(name);
  const text = bytes(value);
  return proxy_add_header_map_value(map, ptr(key), key.byteLength, ptr(text), text.byteLength);
}

/** Serialised pairs: count, sizes, then name NUL value NUL. */
export function pairs(list: string[]): StaticArray<u8> {
  const count = list.length / 2;
  let total = 4 + 8 * count;
  for (let i = 0; i < list.length; i++) total += String.UTF8.byteLength(list[i]) + 1;
  const out = new StaticArray<u8>(total);
  const base = changetype<usize>(out);
  store<u32>(base, count);
  let at = base + 4 + 8 * count;
  for (let i = 0; i < list.length; i++) {
    const text = bytes(list[i]);
    store<u32>(base + 4 + 4 * i, text.byteLength);
    memory.copy(at, ptr(text), text.byteLength);
    at += text.byteLength + 1;
  }
  return out;
}

/** GET (or POST, with a body) of a path; the status, the token in W2. */
export function httpCall(cluster: string, path: string, body: string, timeoutMs: u32): i32 {
  const name = bytes(cluster);
  const content = bytes(body);
  const list = pairs([
    ":method",
    body.length > 0 ? "POST" : "GET",
    ":path",
    path,
    ":authority",
    "up",
    "x-term",
    "7",
  ]);
  return proxy_http_call(
    ptr(name),
    name.byteLength,
    changetype<usize>(list),
    list.length,
    ptr(content),
    content.byteLength,
    0,
    0,
    timeoutMs,
    W2,
  );
}

export function aborted(message: string | null, file: string | null, line: u32, column: u32): void {
  unreachable();
}
