// Reads properties named in request headers, "/" in place of NUL, and answers "status:hex" for each in a local reply.
//   x-get: PATH[,PATH…]   x-set: NAME=VALUE   x-when: headers (default) or body   x-root: on the root context
import * as r from "./raw.guest";
import { W0, W1, bytes, ptr } from "./raw.guest";

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  return heap.alloc(size);
}

let root: u32 = 0;
let wanted = "";
let when = "";

export function proxy_on_context_create(id: u32, parent: u32): void {
  if (parent == 0) root = id;
}

function read(path: string): string {
  const name = bytes(path.replaceAll("/", "\0"));
  const status = r.proxy_get_property(ptr(name), name.byteLength, W0, W1);
  if (status != 0) return status.toString();
  const start = load<u32>(W0);
  const size = load<u32>(W1);
  const value = new Uint8Array(size);
  if (size > 0) {
    memory.copy(value.dataStart, start, size);
    heap.free(start);
  }
  return "0:" + r.hex(value);
}

function answer(): void {
  const paths = wanted.split(",");
  let text = "";
  for (let i = 0; i < paths.length; i++) text += (i > 0 ? "," : "") + read(paths[i]);
  const body = bytes(text);
  r.proxy_set_effective_context(0);
  r.proxy_send_local_response(200, 0, 0, ptr(body), body.byteLength, 0, 0, -1);
}

export function proxy_on_request_headers(id: u32, count: u32, end: u32): i32 {
  const set = r.header(0, "x-set");
  if (!set.startsWith("!")) {
    const name = bytes(set.split("=")[0].replaceAll("/", "\0"));
    const value = bytes(set.split("=")[1]);
    const status = r.proxy_set_property(ptr(name), name.byteLength, ptr(value), value.byteLength);
    r.log(`set=${status}`);
  }
  wanted = r.header(0, "x-get");
  when = r.header(0, "x-when");
  if (wanted.startsWith("!")) return 0;
  if (!r.header(0, "x-root").startsWith("!")) r.proxy_set_effective_context(root);
  if (when != "body") answer();
  return 0;
}

export function proxy_on_request_body(id: u32, size: u32, end: u32): i32 {
  if (when == "body" && end != 0) answer();
  return 0;
}
