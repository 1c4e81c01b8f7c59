/**
 * Places in the table of values that every thread keeps: each place of a plugin in a configuration has one while it
 * lasts. At the end a thread drops its values from the highest place to the lowest, and with the last place of a
 * plugin its root.
 *
 * Source: Envoy `source/common/thread_local/thread_local_impl.cc` (allocateSlot, removeSlot, shutdownThread).
 */
export class SlotTable {
  readonly #free: number[] = [];
  #count = 0;

  /** The place that was given back last, or a new one on top. */
  take(): number {
    return this.#free.pop() ?? this.#count++;
  }

  giveBack(slot: number): void {
    this.#free.push(slot);
  }
}
