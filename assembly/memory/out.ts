/**
 * Where host calls write their results: words in static memory, so that nothing must be rooted or
 * freed. They are overwritten by the next host call, hence read at once. A failed call leaves them
 * untouched in most hosts: look at the status first.
 */

/** Where the host writes a block's address (`*_ptr_out`). */
export const OUT_PTR: usize = memory.data(4);
/** Where the host writes a block's size in bytes (`*_size_out`). */
export const OUT_SIZE: usize = memory.data(4);
/** A 32-bit result: cas, token, level, id. */
export const OUT_WORD: usize = memory.data(4);
/** A 64-bit result: a time, a metric. */
export const OUT_LONG: usize = memory.data(8, 8);
