import { MockHostError } from "../errors.ts";
import { latin1, shownKey } from "../state/bytes.ts";
import { Entries, Texts } from "./texts.ts";

/** More keys were met than a state has room for. */
export class TooManyKeys extends MockHostError {
  constructor(keyCountMax: number, key: string) {
    super("E_UNSUPPORTED", `more than ${keyCountMax} keys of shared data, the last ${key}`, {
      remedy: "explore a plugin that names its keys by itself, not by time or chance",
    });
  }
}

/** The keys that guests have named, by slots of a state; and the tables of their values. */
export class KeyTable {
  readonly texts = new Texts();
  readonly entries = new Entries();
  readonly keyCountMax: number;
  readonly #slots = new Map<string, number>();
  readonly #keys: string[] = [];

  constructor(keyCountMax: number) {
    this.keyCountMax = keyCountMax;
  }

  get keyCount(): number {
    return this.#keys.length;
  }

  /** The slot of a key (a binary string) of a vm_id's map. */
  slotOf(vmId: string, key: string): number {
    const full = `${vmId}\0${key}`;
    const known = this.#slots.get(full);
    if (known !== undefined) return known;
    const slot = this.#keys.length;
    if (slot >= this.keyCountMax) throw new TooManyKeys(this.keyCountMax, shownKey(key));
    this.#slots.set(full, slot);
    this.#keys.push(key);
    return slot;
  }

  keyOf(slot: number): string {
    return this.#keys[slot]!;
  }

  valueOf(bytes: Uint8Array): number {
    return this.texts.numberOf(latin1(bytes));
  }
}
