import type { SharedDataRules } from "../state/shared-data-rules.ts";
import { decideSet } from "../state/shared-data-rules.ts";
import type { KeyTable } from "./key-table.ts";
import { absent, noToken } from "./texts.ts";

/**
 * One map of shared data as numbers: the entry of each key's slot, in an array that others keep. Tokens are counted for
 * each key here, whatever the host does: guests only compare them, and writes to one key leave no trace on another.
 */
export class SharedStore {
  readonly #keys: KeyTable;
  readonly #rules: SharedDataRules;
  /** Where the slots are. */
  data: Int32Array;
  at: number;

  constructor(keys: KeyTable, rules: SharedDataRules, data: Int32Array, at: number) {
    this.#keys = keys;
    this.#rules = rules;
    this.data = data;
    this.at = at;
  }

  /** The entry of a key; number 0 is the key that never was. */
  get(slot: number): number {
    return this.data[this.at + slot]!;
  }

  /** False: CasMismatch, and nothing has changed. */
  set(slot: number, text: number, cas: number): boolean {
    const { entries } = this.#keys;
    const entry = this.get(slot);
    const isPresent = entries.textOf(entry) !== absent;
    const known = entries.tokenOf(entry);
    const last = known < 0 ? undefined : known;
    const token = decideSet(this.#rules, isPresent ? last : undefined, cas, last);
    if (token === undefined) return false;
    this.data[this.at + slot] = entries.numberOf(text, token);
    return true;
  }

  /** Writes whatever stands there, as an operator's hand does. */
  force(slot: number, text: number): void {
    const { entries } = this.#keys;
    const last = entries.tokenOf(this.get(slot));
    this.data[this.at + slot] = entries.numberOf(text, last + 1 || 1);
  }

  /** The key goes; true when it was there. */
  remove(slot: number): boolean {
    const { entries } = this.#keys;
    const entry = this.get(slot);
    if (entries.textOf(entry) === absent) return false;
    const keeps = this.#rules.scope === "process" ? entries.tokenOf(entry) : noToken;
    this.data[this.at + slot] = entries.numberOf(absent, keeps);
    return true;
  }
}
