import type { RecordKind } from "./protocol.ts";

/**
 * A state in its working form is one small number a cell: the store's cells first, then each VM's.
 *
 *     ┌ kind holder age byGo wipes corruptions ┬ VM 0: step r0 … ┬ VM 1: step r0 … ┐
 *
 * Ages are in units of time, grow together and stop at the row's cap. `holder` is 0 for nobody, else VM + 1.
 */
export const storeCell = {
  kind: 0,
  holder: 1,
  age: 2,
  byGo: 3,
  wipesLeft: 4,
  corruptionsLeft: 5,
  /** Terms are ranks among all that are stored anywhere: `terms.ts`. Of nothing and of nobody: 0. */
  recordTerm: 6,
  termKey: 7,
  fenceTerm: 8,
  /** The highest term anybody ever led with. No VM reads it. */
  highestTerm: 9,
} as const;
export const storeCells = 10;

/** A VM's cells, from its first one on. */
export const vmCell = {
  /** Where in a pass it stands: `point`. */
  point: 0,
  /** Age of the clock value read at the beginning of the pass; of the step's beginning outside a pass. */
  r0: 1,
  /** Copy of the record at the last get, and whether nothing was written since. */
  seenKind: 2,
  seenHolder: 3,
  seenAge: 4,
  seenByGo: 5,
  isFresh: 6,
  /** The observation was of this very version when it was read. */
  isSame: 7,
  pending: 8,
  leads: 9,
  /** Age of the clock value the promise counts from. */
  base: 10,
  /** Since when this VM knows the present version, and whether it is still the present one. */
  hasObservation: 11,
  observationIsFresh: 12,
  observationAge: 13,
  onProbation: 14,
  probationAge: 15,
  /** Probation had lasted for more than T at this pass's r0. */
  isRipe: 16,
  /** The term it leads or works with, the one it will claim with, and the one in the record it read. */
  term: 17,
  proposedTerm: 18,
  seenTerm: 19,
} as const;
export const vmCells = 20;

export const kindNumber: Readonly<Record<RecordKind, number>> = {
  absent: 0,
  placeholder: 1,
  boot: 2,
  held: 3,
  released: 4,
  corrupt: 5,
};
export const kindNames = Object.keys(kindNumber) as readonly RecordKind[];

/** Where a VM stands: what its next step will be. */
export const point = {
  idle: 0,
  get: 1,
  decide: 2,
  set: 3,
  releaseGet: 4,
  releaseSet: 5,
  clockAfterSet: 6,
  effect: 7,
  configureClock: 8,
  configureGet: 9,
  configureSet: 10,
  readTermKey: 11,
  raiseTermKey: 12,
  touchFence: 13,
} as const;

/** What the set of a pass will do. */
export const pending = { none: 0, place: 1, claim: 2, renew: 3 } as const;

/** Bits of each cell in the packed form, a word a line; the last line only where there are terms. */
const storeBits = [
  [3, 2, 4, 1, 2, 1],
  [4, 4, 4, 4],
];
const vmBits = [
  [4, 4, 3, 2, 4, 1, 1, 1, 2],
  [1, 4, 1, 1, 4, 1, 4, 1],
  [4, 4, 4],
];
/** Where a packed word holds a VM's name. */
const storeHolder = { word: 0, shift: 3 };
const vmHolder = { word: 0, shift: 11 };

export function cellCount(vmCount: number): number {
  return storeCells + vmCells * vmCount;
}

/** Packs states, and names equal all states that differ only in the names of like VMs. */
export class StateCodec {
  readonly words: number;
  readonly #vmCount: number;
  readonly #storeBits: readonly (readonly number[])[];
  readonly #vmBits: readonly (readonly number[])[];
  readonly #renamings: readonly Uint8Array[];
  readonly #newNames: readonly Uint8Array[];
  readonly #plain: Int32Array;
  readonly #candidate: Int32Array;

  /** `like[i]` is equal for VMs that may be exchanged. */
  constructor(like: readonly string[], hasTerms: boolean) {
    this.#vmCount = like.length;
    this.#storeBits = hasTerms ? storeBits : storeBits.slice(0, -1);
    this.#vmBits = hasTerms ? vmBits : vmBits.slice(0, -1);
    this.words = this.#storeBits.length + this.#vmBits.length * like.length;
    this.#plain = new Int32Array(this.words);
    this.#candidate = new Int32Array(this.words);
    this.#renamings = permutations(like.length)
      .filter((old) => old.every((vm, i) => like[vm] === like[i]))
      .map((old) => Uint8Array.from(old));
    this.#newNames = this.#renamings.map((old) => {
      const names = new Uint8Array(like.length + 1);
      old.forEach((vm, i) => (names[vm + 1] = i + 1));
      return names;
    });
  }

  /** Writes the representative of a state and of all its renamings: the smallest of their packed forms. */
  pack(cells: Uint8Array, into: Int32Array): void {
    packWords(cells, 0, this.#storeBits, this.#plain, 0);
    for (let vm = 0; vm < this.#vmCount; vm++)
      packWords(cells, storeCells + vm * vmCells, this.#vmBits, this.#plain, this.#wordOf(vm));
    for (let i = 0; i < this.#renamings.length; i++) {
      this.#rename(i);
      if (i === 0 || this.#isSmaller(into)) into.set(this.#candidate);
    }
  }

  unpack(words: Int32Array, at: number, cells: Uint8Array): void {
    unpackWords(words, at, this.#storeBits, cells, 0);
    for (let vm = 0; vm < this.#vmCount; vm++)
      unpackWords(words, at + this.#wordOf(vm), this.#vmBits, cells, storeCells + vm * vmCells);
  }

  #wordOf(vm: number): number {
    return this.#storeBits.length + vm * this.#vmBits.length;
  }

  #rename(renaming: number): void {
    const old = this.#renamings[renaming] as Uint8Array;
    const names = this.#newNames[renaming] as Uint8Array;
    const plain = this.#plain;
    const candidate = this.#candidate;
    for (let i = 0; i < this.#storeBits.length; i++) candidate[i] = plain[i] as number;
    renameIn(candidate, storeHolder.word, storeHolder.shift, names);
    for (let vm = 0; vm < old.length; vm++) {
      const from = this.#wordOf(old[vm] as number);
      const to = this.#wordOf(vm);
      for (let i = 0; i < this.#vmBits.length; i++) candidate[to + i] = plain[from + i] as number;
      renameIn(candidate, to + vmHolder.word, vmHolder.shift, names);
    }
  }

  #isSmaller(than: Int32Array): boolean {
    const candidate = this.#candidate;
    for (let i = 0; i < candidate.length; i++) {
      const difference = (candidate[i] as number) - (than[i] as number);
      if (difference !== 0) return difference < 0;
    }
    return false;
  }
}

function packWords(
  cells: Uint8Array,
  at: number,
  bits: readonly (readonly number[])[],
  into: Int32Array,
  intoAt: number,
): void {
  let cell = at;
  for (let word = 0; word < bits.length; word++) {
    const widths = bits[word] as readonly number[];
    let packed = 0;
    let shift = 0;
    for (let i = 0; i < widths.length; i++) {
      packed |= (cells[cell++] as number) << shift;
      shift += widths[i] as number;
    }
    into[intoAt + word] = packed;
  }
}

function unpackWords(
  words: Int32Array,
  at: number,
  bits: readonly (readonly number[])[],
  cells: Uint8Array,
  cellsAt: number,
): void {
  let cell = cellsAt;
  for (let word = 0; word < bits.length; word++) {
    const widths = bits[word] as readonly number[];
    let rest = words[at + word] as number;
    for (let i = 0; i < widths.length; i++) {
      const width = widths[i] as number;
      cells[cell++] = rest & ((1 << width) - 1);
      rest >>>= width;
    }
  }
}

/** Replaces the name of two bits at a place of a packed word by its new one. */
function renameIn(words: Int32Array, at: number, shift: number, names: Uint8Array): void {
  const word = words[at] as number;
  const name = names[(word >>> shift) & 3] as number;
  words[at] = (word & ~(3 << shift)) | (name << shift);
}

function permutations(count: number): number[][] {
  const all: number[][] = [];
  const extend = (chosen: number[]): void => {
    if (chosen.length === count) all.push(chosen);
    for (let i = 0; i < count; i++) if (!chosen.includes(i)) extend([...chosen, i]);
  };
  extend([]);
  return all;
}
