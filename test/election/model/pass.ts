import type { Row } from "./protocol.ts";
import { kindNumber, point, storeCell, storeCells, vmCell, vmCells } from "./state.ts";

const { kind, holder, age, byGo } = storeCell;
const { seenKind, seenHolder, seenAge, seenByGo, isFresh, isSame, observationIsFresh } = vmCell;
const { hasObservation, observationAge, leads, base, onProbation, probationAge } = vmCell;
const { absent } = kindNumber;

/** A record as it is set; the term is 0 where none is said. */
export interface WrittenRecord {
  readonly kind: number;
  readonly holder: number;
  readonly age: number;
  readonly byGo?: 1;
  readonly term?: number;
}

/** What the steps of all electors share: the store's rules, and the bookkeeping at the end of a pass. */
export class Pass {
  readonly vmCount: number;
  readonly lease: number;
  /** Where ages stop: just above T; wasm-go compares with its own early clock, which needs twice as much. */
  readonly cap: number;

  constructor(row: Row) {
    this.vmCount = row.vms.length;
    this.lease = row.lease;
    this.cap = row.vms.includes("go") ? 2 * row.lease + 2 : row.lease + 1;
  }

  /** The first cell of a VM. */
  cellsOf(vm: number): number {
    return storeCells + vm * vmCells;
  }

  older(value: number): number {
    return value < this.cap ? value + 1 : value;
  }

  isValid(cells: Uint8Array, at: number): boolean {
    return cells[at + leads] === 1 && (cells[at + base] as number) <= this.lease;
  }

  /** The record as it is now. Nothing has no version: a copy of it is never fresh, only the store's absence counts. */
  read(cells: Uint8Array, at: number): void {
    cells[at + seenKind] = cells[kind] as number;
    cells[at + seenHolder] = cells[holder] as number;
    cells[at + seenAge] = cells[age] as number;
    cells[at + seenByGo] = cells[byGo] as number;
    cells[at + isFresh] = cells[kind] === absent ? 0 : 1;
    cells[at + vmCell.seenTerm] = cells[storeCell.recordTerm] as number;
  }

  /** A set with a version succeeds on that version, and on an absent key whatever the version. */
  canSet(cells: Uint8Array, at: number): boolean {
    return cells[at + isFresh] === 1 || cells[kind] === absent;
  }

  /** What a successful set leaves: a new version, which nobody has seen. */
  write(cells: Uint8Array, record: WrittenRecord): void {
    cells[kind] = record.kind;
    cells[holder] = record.holder;
    cells[age] = record.age;
    cells[byGo] = record.byGo ?? 0;
    cells[storeCell.recordTerm] = record.term ?? 0;
    this.outdate(cells);
  }

  outdate(cells: Uint8Array): void {
    for (let vm = 0; vm < this.vmCount; vm++) {
      const at = this.cellsOf(vm);
      cells[at + isFresh] = 0;
      cells[at + observationIsFresh] = 0;
    }
  }

  stepDown(cells: Uint8Array, at: number): void {
    cells[at + leads] = 0;
    cells[at + base] = 0;
    cells[at + onProbation] = 0;
    cells[at + probationAge] = 0;
  }

  /** A promise that has run out before it was made makes no leader. */
  lead(cells: Uint8Array, at: number, baseAge: number, expires = true): void {
    this.stepDown(cells, at);
    if (expires && baseAge > this.lease) return;
    cells[at + leads] = 1;
    cells[at + base] = baseAge;
  }

  dropObservation(cells: Uint8Array, at: number): void {
    cells[at + hasObservation] = 0;
    cells[at + observationIsFresh] = 0;
    cells[at + observationAge] = 0;
  }

  /** Forgets what only the pass needed, and an observation that is no longer of the present version. */
  end(cells: Uint8Array, at: number): void {
    cells[at + vmCell.point] = point.idle;
    cells[at + vmCell.r0] = 0;
    cells[at + seenKind] = 0;
    cells[at + seenHolder] = 0;
    cells[at + seenAge] = 0;
    cells[at + seenByGo] = 0;
    cells[at + isFresh] = 0;
    cells[at + isSame] = 0;
    cells[at + vmCell.pending] = 0;
    cells[at + vmCell.isRipe] = 0;
    cells[at + vmCell.proposedTerm] = 0;
    cells[at + vmCell.seenTerm] = 0;
    if (cells[at + leads] === 0) cells[at + vmCell.term] = 0;
    if (cells[at + observationIsFresh] === 0) this.dropObservation(cells, at);
  }
}
