/**
 * Ticks every second, logs `beacon`, and GETs `/` of the cluster that is its configuration, if it has one. The
 * configuration `refuse` is refused with a log line; a request for `/teapot` is answered 418. Raw imports.
 */

// prettier-ignore
@external("env", "proxy_log")
declare function log(level: u32, text: usize, size: usize): i32;


@external("env", "proxy_set_tick_period_milliseconds")
declare function setTick(periodMs: u32): i32;
// prettier-ignore
@external("env", "proxy_get_buffer_bytes")
declare function getBuffer(type: u32, start: u32, length: u32, data: usize, size: usize): i32;
// prettier-ignore
@external("env", "proxy_get_header_map_value")
declare function getHeader(map: u32, name: usize, nameSize: usize, value: usize, valueSize: usize): i32;
// prettier-ignore
@external("env", "proxy_send_local_response")
declare function sendLocalResponse(
  status: u32, details: usize, detailsSize: usize, body: usize, bodySize: usize,
  headers: usize, headersSize: usize, grpcStatus: i32,
): i32;
// prettier-ignore
@external("env", "proxy_http_call")
declare function httpCall(
  cluster: usize, clusterSize: usize, headers: usize, headersSize: usize, body: usize, bodySize: usize,
  trailers: usize, trailersSize: usize, timeoutMs: u32, token: usize,
): i32;

const out = memory.data(8, 4);
const bufferConfiguration: u32 = 7;
const info: u32 = 2;
const error: u32 = 4;

let cluster: ArrayBuffer = new ArrayBuffer(0);
let noTrailers: ArrayBuffer = new ArrayBuffer(4);
let request: ArrayBuffer = new ArrayBuffer(0);

export function proxy_abi_version_0_2_1(): void {}

export function malloc(size: i32): usize {
  return heap.alloc(size);
}

export function proxy_on_vm_start(_root: u32, _size: u32): i32 {
  return 1;
}

export function proxy_on_configure(_root: u32, size: u32): i32 {
  if (size > 0 && getBuffer(bufferConfiguration, 0, size, out, out + 4) == 0) {
    cluster = new ArrayBuffer(load<u32>(out, 4));
    memory.copy(changetype<usize>(cluster), load<u32>(out), cluster.byteLength);
    heap.free(load<u32>(out));
  }
  if (String.UTF8.decode(cluster) == "refuse") {
    say(error, "this configuration says refuse");
    return 0;
  }
  request = pairs([":method", "GET", ":path", "/", ":authority", "beacon"]);
  setTick(1000);
  return 1;
}

export function proxy_on_tick(_root: u32): void {
  say(info, "beacon");
  if (cluster.byteLength == 0) return;
  httpCall(
    changetype<usize>(cluster),
    cluster.byteLength,
    changetype<usize>(request),
    request.byteLength,
    0,
    0,
    changetype<usize>(noTrailers),
    noTrailers.byteLength,
    500,
    out,
  );
}

export function proxy_on_request_headers(_stream: u32, _count: u32, _end: u32): i32 {
  const name = String.UTF8.encode(":path");
  if (getHeader(0, changetype<usize>(name), name.byteLength, out, out + 4) != 0) return 0;
  const path = String.UTF8.decodeUnsafe(load<u32>(out), load<u32>(out, 4));
  heap.free(load<u32>(out));
  if (path != "/teapot") return 0;
  const body = String.UTF8.encode("short and stout");
  sendLocalResponse(
    418,
    0,
    0,
    changetype<usize>(body),
    body.byteLength,
    changetype<usize>(noTrailers),
    noTrailers.byteLength,
    -1,
  );
  return 1;
}

function say(level: u32, text: string): void {
  const bytes = String.UTF8.encode(text);
  log(level, changetype<usize>(bytes), bytes.byteLength);
}

/** Names and values in turn: the count, the sizes, then each text with a NUL behind it. */
function pairs(texts: string[]): ArrayBuffer {
  const count = texts.length / 2;
  let size = 4 + 4 * texts.length;
  for (let i = 0; i < texts.length; i++) size += String.UTF8.byteLength(texts[i]) + 1;
  const made = new ArrayBuffer(size);
  const base = changetype<usize>(made);
  store<u32>(base, count);
  let at = base + 4 + 4 * texts.length;
  for (let i = 0; i < texts.length; i++) {
    const bytes = String.UTF8.encode(texts[i]);
    store<u32>(base + 4 + 4 * i, bytes.byteLength);
    memory.copy(at, changetype<usize>(bytes), bytes.byteLength);
    at += bytes.byteLength + 1;
  }
  return made;
}
