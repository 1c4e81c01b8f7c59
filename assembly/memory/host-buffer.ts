import { release } from "./allocator";
import { newBytes, noBytes } from "./bytes";
import { OUT_PTR, OUT_SIZE } from "./out";

/**
 * Takes what a host call has just returned through `OUT_PTR` and `OUT_SIZE`: copies it into a byte
 * array of its own and frees the host's block. To be called once, and only after status Ok; a
 * second call would free the block twice.
 */
export function takeBytes(): Uint8Array {
  const block = load<u32>(OUT_PTR);
  const size = load<u32>(OUT_SIZE);
  // An empty result is pointer 0 and size 0; the allocator was not called.
  if (size == 0) {
    release(block);
    return noBytes();
  }
  const bytes = newBytes(size);
  memory.copy(bytes.dataStart, block, size);
  release(block);
  return bytes;
}
