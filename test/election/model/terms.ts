import type { Pass } from "./pass.ts";
import type { TermRules } from "./protocol.ts";
import { point, storeCell, vmCell } from "./state.ts";

const { recordTerm, termKey, fenceTerm, highestTerm } = storeCell;
const { term, proposedTerm, seenTerm, leads, r0 } = vmCell;

/**
 * Terms as ranks. Only their order matters, as a new one is above everything that is stored; so before a state is
 * packed, its terms become 1, 2, 3 … in their order, and 0 stays nothing.
 */
export class Terms {
  readonly rules: TermRules;
  readonly #pass: Pass;
  readonly #places: readonly number[];
  readonly #ranks = new Uint8Array(256);

  constructor(pass: Pass, rules: TermRules) {
    this.#pass = pass;
    this.rules = rules;
    const ofVms = Array.from({ length: pass.vmCount }, (_, vm) => pass.cellsOf(vm)).flatMap(
      (at) => [at + term, at + proposedTerm, at + seenTerm],
    );
    this.#places = [recordTerm, termKey, fenceTerm, highestTerm, ...ofVms];
  }

  rank(cells: Uint8Array): void {
    const ranks = this.#ranks.fill(0);
    for (const place of this.#places) ranks[cells[place] as number] = 1;
    ranks[0] = 0;
    for (let value = 1, rank = 0; value < ranks.length; value++)
      if (ranks[value] === 1) ranks[value] = ++rank;
    for (const place of this.#places) cells[place] = ranks[cells[place] as number] as number;
  }

  /** The key as it is; a raise succeeds only while it still is that. */
  readKey(cells: Uint8Array, at: number): void {
    cells[at + proposedTerm] = cells[termKey] as number;
    cells[at + vmCell.point] = point.raiseTermKey;
  }

  /** Whether the key was raised: then the proposal is above everything. */
  raiseKey(cells: Uint8Array, at: number): boolean {
    if (cells[at + proposedTerm] !== cells[termKey]) return false;
    const raised = Math.max(...this.#places.map((place) => cells[place] as number)) + 1;
    cells[termKey] = raised;
    cells[at + proposedTerm] = raised;
    return true;
  }

  /** `record only`: one above what the record says. */
  proposeFromRecord(cells: Uint8Array, at: number): void {
    cells[at + proposedTerm] = (cells[at + seenTerm] as number) + 1;
  }

  /** A claim has succeeded; whether its term is not above all before it. */
  take(cells: Uint8Array, at: number): boolean {
    const taken = cells[at + proposedTerm] as number;
    const isRepeated = taken <= (cells[highestTerm] as number);
    cells[at + term] = taken;
    cells[at + proposedTerm] = 0;
    cells[recordTerm] = taken;
    cells[highestTerm] = Math.max(taken, cells[highestTerm] as number);
    return isRepeated;
  }

  /** The touch of a new leader, at which it begins to lead; whether it was refused. */
  touch(cells: Uint8Array, at: number): boolean {
    const isRefused = !this.admit(cells, at);
    if (isRefused) this.#pass.stepDown(cells, at);
    else this.#pass.lead(cells, at, cells[at + r0] as number);
    this.#pass.end(cells, at);
    return isRefused;
  }

  /** The fence: takes no smaller term than the highest it has seen. */
  admit(cells: Uint8Array, at: number): boolean {
    if ((cells[at + term] as number) < (cells[fenceTerm] as number)) return false;
    cells[fenceTerm] = cells[at + term] as number;
    return true;
  }

  /** A term is forgotten with the leadership, unless a pass or an effect still needs it. */
  forget(cells: Uint8Array, at: number): void {
    if (cells[at + leads] === 0 && cells[at + vmCell.point] === point.idle) cells[at + term] = 0;
  }
}
