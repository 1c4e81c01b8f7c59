import { renamed } from "./identities.ts";
import type { KeyTable } from "./key-table.ts";
import type { Receivers } from "./receivers.ts";
import { absent } from "./texts.ts";

/** Every way to exchange guests that are alike; number 0 leaves all as they are. */
export class Renamings {
  /** `all[renaming][guest]` is whose place the guest takes. */
  readonly all: readonly (readonly number[])[];
  /** A number for each guest: those of one group are alike. */
  readonly groups: readonly number[];
  readonly #keys: KeyTable;
  readonly #receivers: Receivers;
  readonly #entries: Map<number, number>[];

  constructor(groups: readonly number[], keys: KeyTable, receivers: Receivers) {
    this.#keys = keys;
    this.#receivers = receivers;
    this.all = permutations(groups);
    this.groups = groups;
    this.#entries = this.all.map(() => new Map<number, number>());
  }

  text(text: string, renaming: number): string {
    return renaming === 0 ? text : renamed(text, this.all[renaming]!);
  }

  entry(entry: number, renaming: number): number {
    if (renaming === 0) return entry;
    const known = this.#entries[renaming]!.get(entry);
    if (known !== undefined) return known;
    const { entries, texts } = this.#keys;
    const text = entries.textOf(entry);
    const made =
      text === absent
        ? entry
        : entries.numberOf(
            texts.numberOf(this.text(texts.textOf(text), renaming)),
            entries.tokenOf(entry),
          );
    this.#entries[renaming]!.set(entry, made);
    return made;
  }

  stamp(stamp: number, renaming: number): number {
    if (renaming === 0) return stamp;
    return this.#receivers.renamed(stamp, (text) => this.text(text, renaming));
  }
}

/** Those that keep every guest in its group, the identity first. */
function permutations(groups: readonly number[]): number[][] {
  const count = groups.length;
  const found: number[][] = [];
  const place = (made: number[]): void => {
    const guest = made.length;
    if (guest === count) {
      found.push([...made]);
      return;
    }
    // The guest's own place first, so that the identity comes out first.
    const places = [
      guest,
      ...Array.from({ length: count }, (_, at) => at).filter((at) => at !== guest),
    ];
    for (const at of places) {
      if (made.includes(at) || groups[at] !== groups[guest]) continue;
      made.push(at);
      place(made);
      made.pop();
    }
  };
  place([]);
  return found;
}
