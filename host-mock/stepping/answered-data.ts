import { SharedData, type SharedValue } from "../state/shared-data.ts";
import { fromLatin1 } from "../state/bytes.ts";
import type { KeyTable } from "./key-table.ts";
import type { SharedStore } from "./shared-store.ts";

/**
 * Shared data as a stepped guest finds it: while it starts, the store itself; afterwards the one answer that its host
 * call was given.
 */
export class AnsweredData extends SharedData {
  /** The entry that the next get finds. */
  entry = 0;
  /** Whether the next set is refused because of its cas. */
  isMismatch = false;
  /** While it starts: what it works on. */
  store: SharedStore | null = null;
  readonly #keys: KeyTable;

  constructor(keys: KeyTable) {
    super();
    this.#keys = keys;
  }

  override get(vmId: string, key: string): SharedValue | undefined {
    const { store } = this;
    const entry = store === null ? this.entry : store.get(this.#keys.slotOf(vmId, key));
    const text = this.#keys.entries.textOf(entry);
    if (text < 0) return undefined;
    const value = fromLatin1(this.#keys.texts.textOf(text));
    return { value, cas: this.#keys.entries.tokenOf(entry) };
  }

  override set(vmId: string, key: string, value: Uint8Array, cas: number): "Ok" | "CasMismatch" {
    const { store } = this;
    if (store === null) return this.isMismatch ? "CasMismatch" : "Ok";
    return store.set(this.#keys.slotOf(vmId, key), this.#keys.valueOf(value), cas)
      ? "Ok"
      : "CasMismatch";
  }
}
