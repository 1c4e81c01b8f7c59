/**
 * The block a host call writes its result to. It lies outside the collector's view, so it survives
 * until `takeBytes` has copied and freed it, whatever the collector does in between.
 */
export function allocate(size: usize): usize {
  return heap.alloc(size);
}

/** Gives a block of `allocate` back; 0 is no block. */
export function release(block: usize): void {
  if (block != 0) heap.free(block);
}
