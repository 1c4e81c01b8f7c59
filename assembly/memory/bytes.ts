/**
 * Byte arrays without the error paths of the standard library's constructors: their messages alone
 * would add some hundred bytes to every plugin, and the sizes here are the SDK's own.
 */

// Nothing can be written into it, so every empty answer may be this one.
// @ts-ignore: decorator
@lazy const NONE: Uint8Array = bytesOf(newBuffer(0), 0, 0);

/** The empty byte array, without an allocation. */
export function noBytes(): Uint8Array {
  return NONE;
}

// What `newBuffer` has handed out since `takeAllocated` last said that it is much.
let allocatedBytes: usize = 0;

/** Whether that many bytes were allocated since it was last so. */
export function takeAllocated(bytes: usize): bool {
  if (allocatedBytes < bytes) return false;
  allocatedBytes = 0;
  return true;
}

/**
 * A buffer of that many zero bytes. A size that is out of reach ends the VM, as any allocation
 * does.
 */
export function newBuffer(size: usize): ArrayBuffer {
  allocatedBytes += size;
  return changetype<ArrayBuffer>(newZeroed(size, idof<ArrayBuffer>()));
}

// asc's constant for `--runtime incremental`, whose `__new` hands out zeros; others do not.
const INCREMENTAL: i32 = 2;

/** As `__new`, but zero bytes in every runtime. */
export function newZeroed(size: usize, id: u32): usize {
  const block = __new(size, id);
  if (ASC_RUNTIME != INCREMENTAL) memory.fill(block, 0, size);
  return block;
}

/** A string of that many UTF-16 units, to be filled at once. */
export function newText(units: usize): string {
  return changetype<string>(__new(units << 1, idof<string>()));
}

/** A byte array of that many zero bytes. */
export function newBytes(size: i32): Uint8Array {
  return bytesOf(newBuffer(size), 0, size);
}

/** A buffer seen as bytes, without a copy. The range must lie in the buffer. */
export function bytesOf(buffer: ArrayBuffer, start: i32, size: i32): Uint8Array {
  const bytes = changetype<Uint8Array>(__new(offsetof<Uint8Array>(), idof<Uint8Array>()));
  store<usize>(changetype<usize>(bytes), changetype<usize>(buffer), offsetof<Uint8Array>("buffer"));
  __link(changetype<usize>(bytes), changetype<usize>(buffer), false);
  store<usize>(
    changetype<usize>(bytes),
    changetype<usize>(buffer) + start,
    offsetof<Uint8Array>("dataStart"),
  );
  store<i32>(changetype<usize>(bytes), size, offsetof<Uint8Array>("byteLength"));
  return bytes;
}

/** Whether two byte strings are equal. */
export function sameBytes(a: Uint8Array, b: Uint8Array): bool {
  const size = a.byteLength;
  return size == b.byteLength && memory.compare(a.dataStart, b.dataStart, size) == 0;
}

/**
 * Whether two ASCII names are equal when case is left aside. Bytes from 0x80 on must be the same.
 */
export function sameName(aPtr: usize, aSize: usize, bPtr: usize, bSize: usize): bool {
  if (aSize != bSize) return false;
  for (let i: usize = 0; i < aSize; i++) {
    if (lowered(load<u8>(aPtr + i)) != lowered(load<u8>(bPtr + i))) return false;
  }
  return true;
}

// @ts-ignore: decorator
@inline
function lowered(byte: u32): u32 {
  return byte - 0x41 < 26 ? byte | 0x20 : byte;
}
