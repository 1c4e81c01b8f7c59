/** Traps in a request, some functions deep, after a few host calls. */
// prettier-ignore
@external("env", "proxy_log")
declare function proxyLog(level: u32, text: usize, textSize: usize): i32;
// prettier-ignore
@external("env", "proxy_set_tick_period_milliseconds")
declare function setTickPeriod(ms: u32): i32;

export function proxy_abi_version_0_2_1(): void {}

export function proxy_on_memory_allocate(size: i32): usize {
  return heap.alloc(size);
}

function log(text: string): void {
  const bytes = Uint8Array.wrap(String.UTF8.encode(text));
  proxyLog(2, bytes.dataStart, bytes.byteLength);
}

let depth = 3;

// @ts-ignore: decorator
@inline
function refuse(): void {
  unreachable(); // inlined
}

function descend(left: i32): i32 {
  if (left == 0) {
    unreachable(); // the end
  }
  return descend(left - 1) + 1;
}

export function proxy_on_request_headers(_id: u32, _count: u32, _end: u32): i32 {
  log("going down");
  setTickPeriod(0);
  return descend(depth);
}

export function proxy_on_tick(_id: u32): void {
  const numbers = new Array<i32>(0);
  log(numbers[depth].toString()); // beyond the end
}

export function proxy_on_done(_id: u32): i32 {
  refuse();
  return 1;
}
