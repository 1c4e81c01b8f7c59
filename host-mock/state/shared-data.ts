export interface SharedValue {
  /** Not to be changed: the store keeps the very array. */
  readonly value: Uint8Array;
  readonly cas: number;
}

export interface SharedEntry extends SharedValue {
  readonly vmId: string;
  /** A binary string: one character a byte. */
  readonly key: string;
}

/**
 * The shared data of one process, partitioned by vm_id. Keys are binary strings.
 *
 * | operation          | key absent      | key present                         |
 * | ------------------ | --------------- | ----------------------------------- |
 * | get                | undefined       | value and its cas                   |
 * | set, cas 0         | creates         | overwrites                          |
 * | set, cas equal     | –               | overwrites                          |
 * | set, cas different | creates (!)     | CasMismatch, nothing changes        |
 *
 * One counter for all keys and partitions: first 1, one more for each successful set, never 0. It
 * goes on after a wipe.
 *
 * Source: proxy-wasm-cpp-host `src/shared_data.cc`.
 */
export class SharedData {
  readonly #partitions = new Map<string, Map<string, SharedValue>>();
  #nextCas: number;

  /** `firstCas` is for tests of the wrap-around. */
  constructor(firstCas = 1) {
    this.#nextCas = firstCas;
  }

  get(vmId: string, key: string): SharedValue | undefined {
    return this.#partitions.get(vmId)?.get(key);
  }

  /** Takes the array as its own. */
  set(vmId: string, key: string, value: Uint8Array, cas: number): "Ok" | "CasMismatch" {
    let partition = this.#partitions.get(vmId);
    if (partition === undefined)
      this.#partitions.set(vmId, (partition = new Map<string, SharedValue>()));
    if (cas !== 0) {
      const present = partition.get(key);
      if (present !== undefined && present.cas !== cas) return "CasMismatch";
    }
    partition.set(key, { value, cas: this.#takeCas() });
    return "Ok";
  }

  /**
   * Deletes a partition, as when the last base VM of that vm_id goes; the number of keys that were
   * in it.
   */
  wipe(vmId: string): number {
    const count = this.#partitions.get(vmId)?.size ?? 0;
    this.#partitions.delete(vmId);
    return count;
  }

  /** What a partition holds, by key. */
  partition(vmId: string): ReadonlyMap<string, SharedValue> {
    return this.#partitions.get(vmId) ?? new Map<string, SharedValue>();
  }

  /** Everything, in order of first creation. */
  *entries(): Generator<SharedEntry> {
    for (const [vmId, partition] of this.#partitions) {
      for (const [key, { value, cas }] of partition) yield { vmId, key, value, cas };
    }
  }

  #takeCas(): number {
    const cas = this.#nextCas;
    this.#nextCas = (cas + 1) >>> 0;
    if (this.#nextCas === 0) this.#nextCas = 1;
    return cas;
  }
}
