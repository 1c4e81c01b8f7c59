// One request: its path read, a header set on it, one added to the response. Raw imports, so that what is measured is
// the host.

// @ts-ignore: decorator
@external("env", "proxy_get_header_map_value")
declare function proxy_get_header_map_value(
  map: u32,
  key: usize,
  keySize: usize,
  outPtr: usize,
  outSize: usize,
): u32;
// @ts-ignore: decorator
@external("env", "proxy_replace_header_map_value")
declare function proxy_replace_header_map_value(
  map: u32,
  key: usize,
  keySize: usize,
  ptr: usize,
  size: usize,
): u32;
// @ts-ignore: decorator
@external("env", "proxy_add_header_map_value")
declare function proxy_add_header_map_value(
  map: u32,
  key: usize,
  keySize: usize,
  ptr: usize,
  size: usize,
): u32;

const PATH: usize = memory.data<u8>([58, 112, 97, 116, 104]);
const NAME: usize = memory.data<u8>([120, 45, 98, 101, 110, 99, 104]);
const ONE: usize = memory.data<u8>([49]);
const outPtr: usize = memory.data(4);
const outSize: usize = memory.data(4);

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: usize): usize {
  return heap.alloc(size);
}

export function proxy_on_context_create(id: u32, parent: u32): void {}

export function proxy_on_vm_start(id: u32, size: u32): u32 {
  return 1;
}

export function proxy_on_configure(id: u32, size: u32): u32 {
  return 1;
}

export function proxy_on_request_headers(id: u32, count: u32, end: u32): u32 {
  if (proxy_get_header_map_value(0, PATH, 5, outPtr, outSize) != 0) unreachable();
  heap.free(load<u32>(outPtr));
  if (proxy_replace_header_map_value(0, NAME, 7, ONE, 1) != 0) unreachable();
  return 0;
}

export function proxy_on_response_headers(id: u32, count: u32, end: u32): u32 {
  if (proxy_add_header_map_value(2, NAME, 7, ONE, 1) != 0) unreachable();
  return 0;
}

export function proxy_on_log(id: u32): void {}

export function proxy_on_done(id: u32): u32 {
  return 1;
}
