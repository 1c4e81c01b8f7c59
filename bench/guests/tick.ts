// One tick: get, cas set, one log line. Raw imports, so that what is measured is the host.

// @ts-ignore: decorator
@external("env", "proxy_log")
declare function proxy_log(level: u32, ptr: usize, size: usize): u32;
// @ts-ignore: decorator
@external("env", "proxy_set_tick_period_milliseconds")
declare function proxy_set_tick_period_milliseconds(period: u32): u32;
// @ts-ignore: decorator
@external("env", "proxy_get_shared_data")
declare function proxy_get_shared_data(
  key: usize,
  keySize: usize,
  outPtr: usize,
  outSize: usize,
  outCas: usize,
): u32;
// @ts-ignore: decorator
@external("env", "proxy_set_shared_data")
declare function proxy_set_shared_data(
  key: usize,
  keySize: usize,
  ptr: usize,
  size: usize,
  cas: u32,
): u32;

const KEY: usize = memory.data<u8>([98, 101, 110, 99, 104, 45, 108, 101, 97, 115, 101]);
const LINE: usize = memory.data<u8>([116, 105, 99, 107]);
const value: usize = memory.data(64);
const outPtr: usize = memory.data(4);
const outSize: usize = memory.data(4);
const outCas: usize = memory.data(4);

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: usize): usize {
  return heap.alloc(size);
}

// The Go emulator calls these whether they are there or not.
export function proxy_on_context_create(id: u32, parent: u32): void {}

export function proxy_on_vm_start(id: u32, size: u32): u32 {
  return 1;
}

export function proxy_on_configure(id: u32, size: u32): u32 {
  proxy_set_tick_period_milliseconds(1);
  return 1;
}

export function proxy_on_tick(id: u32): void {
  let cas: u32 = 0;
  if (proxy_get_shared_data(KEY, 11, outPtr, outSize, outCas) == 0) {
    cas = load<u32>(outCas);
    const ptr = load<u32>(outPtr);
    store<u64>(value, load<u64>(ptr) + 1);
    heap.free(ptr);
  }
  proxy_set_shared_data(KEY, 11, value, 64, cas);
  proxy_log(2, LINE, 4);
}
