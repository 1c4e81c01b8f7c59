import type { Renamings } from "./renamings.ts";
import { crashed } from "./layout.ts";
import type { SteppedWorld } from "./stepped-world.ts";

/**
 * States that are equal up to the names of guests have one representative: guests that are alike stand in the order of
 * their kin numbers; where kin are equal, the order that gives the smallest numbers counts.
 */
export class Symmetry {
  readonly #world: SteppedWorld;
  readonly #renamings: Renamings;
  readonly #made: Int32Array;
  readonly #best: Int32Array;
  readonly #kins: number[] = [];

  constructor(world: SteppedWorld, renamings: Renamings) {
    this.#world = world;
    this.#renamings = renamings;
    this.#made = new Int32Array(world.stateSize);
    this.#best = new Int32Array(world.stateSize);
  }

  canonicalize(state: Int32Array, at: number): number {
    const { all } = this.#renamings;
    if (all.length === 1) return 0;
    const kins = this.#kins;
    const { guestCount } = this.#world.layout;
    for (let guest = 0; guest < guestCount; guest++)
      kins[guest] = this.#world.localAt(state, at, guest)?.kin ?? crashed;
    let best = -1;
    for (let renaming = 0; renaming < all.length; renaming++) {
      if (!this.#isSorted(all[renaming]!)) continue;
      if (best < 0) {
        best = renaming;
        this.#rename(state, at, renaming, this.#best);
        continue;
      }
      this.#rename(state, at, renaming, this.#made);
      if (!isBelow(this.#made, this.#best)) continue;
      this.#best.set(this.#made);
      best = renaming;
    }
    if (best > 0) state.set(this.#best, at);
    return best;
  }

  renamedChoices(mask: number, renaming: number): number {
    if (renaming === 0) return mask;
    const { choiceList } = this.#world;
    const permutation = this.#renamings.all[renaming]!;
    let made = 0;
    choiceList.forEach((choice, number) => {
      if ((mask & (1 << number)) === 0) return;
      if (choice.guest < 0) made |= 1 << number;
      else
        made |=
          1 <<
          choiceList.findIndex(
            ({ kind, guest }) => kind === choice.kind && guest === permutation[choice.guest],
          );
    });
    return made;
  }

  /** Whether kin numbers grow from place to place within each group. */
  #isSorted(permutation: readonly number[]): boolean {
    const kins = this.#kins;
    const { groups } = this.#renamings;
    for (let one = 0; one < permutation.length; one++) {
      for (let other = 0; other < permutation.length; other++) {
        if (groups[one] !== groups[other] || permutation[one]! >= permutation[other]!) continue;
        if (kins[one]! > kins[other]!) return false;
      }
    }
    return true;
  }

  #rename(state: Int32Array, at: number, renaming: number, into: Int32Array): void {
    const world = this.#world;
    const { layout, locals, keys } = world;
    for (let i = 0; i < world.stateSize; i++) into[i] = state[at + i]!;
    if (renaming === 0) return;
    const permutation = this.#renamings.all[renaming]!;
    for (let guest = 0; guest < layout.guestCount; guest++) {
      const local = world.localAt(state, at, guest);
      into[permutation[guest]!] = local === null ? crashed : locals.twin(local, renaming).number;
    }
    for (let slot = layout.receivers; slot < layout.keys; slot++)
      into[slot] = this.#renamings.stamp(state[at + slot]!, renaming);
    for (let slot = 0; slot < keys.keyCount; slot++)
      into[layout.keys + slot] = this.#renamings.entry(state[at + layout.keys + slot]!, renaming);
  }
}

function isBelow(one: Int32Array, other: Int32Array): boolean {
  for (let i = 0; i < one.length; i++) {
    if (one[i]! !== other[i]!) return one[i]! < other[i]!;
  }
  return false;
}
