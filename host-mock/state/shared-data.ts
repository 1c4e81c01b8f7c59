import { decideSet, type SharedDataRules } from "./shared-data-rules.ts";

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

const envoyRules: SharedDataRules = {
  zeroOnPresent: "overwrites",
  otherOnAbsent: "creates",
  firstToken: 1,
  scope: "process",
  evicts: false,
};

/**
 * The shared data of one process, partitioned by vm_id. Keys are binary strings. Where hosts differ the rules decide; by
 * Envoy's:
 *
 * | operation          | key absent      | key present                         |
 * | ------------------ | --------------- | ----------------------------------- |
 * | get                | undefined       | value and its cas                   |
 * | set, cas 0         | creates         | overwrites                          |
 * | set, cas equal     | –               | overwrites                          |
 * | set, cas different | creates (!)     | CasMismatch, nothing changes        |
 *
 * There one counter goes for all keys and partitions: first 1, one more for each successful set, never 0. It goes on after
 * a wipe. A counter of each key's own begins anew with a key that is made anew.
 *
 * Source: proxy-wasm-cpp-host `src/shared_data.cc`.
 */
export class SharedData {
  readonly #partitions = new Map<string, Map<string, SharedValue>>();
  readonly #rules: SharedDataRules;
  /** The last version handed out; undefined before the first. */
  #last: number | undefined;

  /** `last` is for tests of the wrap-around. */
  constructor(rules: SharedDataRules = envoyRules, last?: number) {
    this.#rules = rules;
    this.#last = last;
  }

  get(vmId: string, key: string): SharedValue | undefined {
    return this.#partitions.get(vmId)?.get(key);
  }

  /** Takes the array as its own. */
  set(vmId: string, key: string, value: Uint8Array, cas: number): "Ok" | "CasMismatch" {
    let partition = this.#partitions.get(vmId);
    if (partition === undefined)
      this.#partitions.set(vmId, (partition = new Map<string, SharedValue>()));
    const present = partition.get(key)?.cas;
    const last = this.#rules.scope === "process" ? this.#last : present;
    const given = decideSet(this.#rules, present, cas, last);
    if (given === undefined) return "CasMismatch";
    this.#last = given;
    partition.set(key, { value, cas: given });
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

  /** Drops one key, as a host does whose store is full; false when it was not there. */
  evict(vmId: string, key: string): boolean {
    return this.#partitions.get(vmId)?.delete(key) ?? false;
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
}
