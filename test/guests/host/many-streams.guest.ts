// Keeps what each stream said in a state of its own, lets the stream wait for a call, and says at its end what it
// remembers: contexts that are mixed up show.
import * as r from "./raw.guest";
import { W2 } from "./raw.guest";

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  return heap.alloc(size);
}

class Stream {
  name: string = "";
  bodyBytes: i32 = 0;
  callbacks: i32 = 0;
}

const streams = new Map<u32, Stream>();
/** Which stream a call is for. */
const waiting = new Map<u32, u32>();

export function proxy_on_context_create(id: u32, parent: u32): void {
  if (parent != 0) streams.set(id, new Stream());
}

export function proxy_on_request_headers(id: u32, count: u32, end: u32): i32 {
  const stream = streams.get(id);
  stream.callbacks++;
  stream.name = r.header(0, "x-name");
  if (r.httpCall("gate", "/" + stream.name, "", 60000) != 0) return 0;
  waiting.set(load<u32>(W2), id);
  return 1;
}

export function proxy_on_http_call_response(
  root: u32,
  token: u32,
  headers: u32,
  size: u32,
  trailers: u32,
): void {
  const id = waiting.get(token);
  waiting.delete(token);
  if (!streams.has(id)) return;
  const answer = r.header(6, "x-name");
  if (answer != streams.get(id).name) r.log("mixed: " + answer);
  if (r.proxy_set_effective_context(id) == 0) r.proxy_continue_stream(0);
}

export function proxy_on_request_body(id: u32, size: u32, end: u32): i32 {
  const stream = streams.get(id);
  stream.callbacks++;
  stream.bodyBytes += size;
  return 0;
}

export function proxy_on_response_headers(id: u32, count: u32, end: u32): i32 {
  const stream = streams.get(id);
  stream.callbacks++;
  r.addHeader(2, "x-name", stream.name);
  r.addHeader(2, "x-body", stream.bodyBytes.toString());
  return 0;
}

export function proxy_on_log(id: u32): void {
  const stream = streams.get(id);
  if (r.header(0, "x-name") != stream.name) r.log("mixed: " + stream.name);
}

export function proxy_on_delete(id: u32): void {
  streams.delete(id);
}

/** Streams that live; the root's tick tells. */
export function proxy_on_tick(id: u32): void {
  r.log("streams=" + streams.size.toString() + " calls=" + waiting.size.toString());
}

export function proxy_on_configure(id: u32, size: u32): i32 {
  r.proxy_set_tick_period_milliseconds(1000);
  return 1;
}
