import { StateTable } from "./state-table.ts";

/** Writers of one fenced cell, each with a term it keeps and a number of writes to make. */
export interface FenceCellRow {
  readonly terms: readonly number[];
  /** The cell stands before anybody writes, with term 0. */
  readonly isEnsured: boolean;
  readonly checksTerm: boolean;
  /** Writes with the version it read; else whatever the version. */
  readonly comparesVersion: boolean;
  /** Of equal terms only the holder that wrote first may go on. */
  readonly hasHolderRule: boolean;
}

export interface FenceCellVerdict {
  readonly states: number;
  readonly transitions: number;
  /** Transitions that write over a newer term, or over an equal term of another holder. */
  readonly violations: number;
  /** Steps of the shortest way to one; 0 where there is none. */
  readonly firstViolationSteps: number;
}

const writesEach = 2;
const nobody = 0;

/** State of a row: the cell's term (−1: no cell) and holder, then of each writer whether it has read, what, and its rest. */
const cellTerm = 0;
const cellHolder = 1;
const writerCells = 4;
const hasRead = 0;
const readTerm = 1;
const isFresh = 2;
const writesLeft = 3;

/**
 * Every interleaving of the writers' gets and sets, breadth first. A writer that finds a newer term, or an equal one of
 * another holder, gives up this write at the get; after a version that has moved on it begins again.
 */
export function enumerateFenceCell(row: FenceCellRow): FenceCellVerdict {
  const words = 2 + writerCells * row.terms.length;
  const table = new StateTable(words);
  const first = new Int32Array(words);
  first[cellTerm] = row.isEnsured ? 0 : -1;
  row.terms.forEach((_, writer) => (first[2 + writerCells * writer + writesLeft] = writesEach));
  table.add(first);
  const depths = [0];
  let [transitions, violations, firstViolationSteps] = [0, 0, 0];
  for (let state = 0; state < table.count; state++) {
    const depth = depths[state] as number;
    for (let writer = 0; writer < row.terms.length; writer++) {
      const next = table.states.slice(state * words, (state + 1) * words);
      if (next[2 + writerCells * writer + writesLeft] === 0) continue;
      const isViolation = stepWriter(row, next, writer);
      transitions++;
      if (isViolation && violations++ === 0) firstViolationSteps = depth + 1;
      if (table.add(next) === depths.length) depths.push(depth + 1);
    }
  }
  return { states: table.count, transitions, violations, firstViolationSteps };
}

/** One host call of a writer, in place; whether it writes what must not be written. */
function stepWriter(row: FenceCellRow, state: Int32Array, writer: number): boolean {
  const at = 2 + writerCells * writer;
  const term = row.terms[writer] as number;
  if (state[at + hasRead] === 0) {
    if (isRefused(row, state, writer)) {
      state[at + writesLeft] = (state[at + writesLeft] as number) - 1;
      return false;
    }
    state[at + hasRead] = 1;
    state[at + readTerm] = state[cellTerm] as number;
    state[at + isFresh] = 1;
    return false;
  }
  const foundNothing = state[at + readTerm] === -1;
  const canSet =
    !row.comparesVersion || foundNothing || state[at + isFresh] === 1 || state[cellTerm] === -1;
  state[at + hasRead] = 0;
  state[at + readTerm] = 0;
  state[at + isFresh] = 0;
  if (!canSet) return false;
  const isOlder = term < (state[cellTerm] as number);
  const isTie = term === state[cellTerm] && isAnothers(state, writer);
  state[cellTerm] = term;
  state[cellHolder] = writer + 1;
  state[at + writesLeft] = (state[at + writesLeft] as number) - 1;
  row.terms.forEach((_, other) => (state[2 + writerCells * other + isFresh] = 0));
  return isOlder || isTie;
}

function isRefused(row: FenceCellRow, state: Int32Array, writer: number): boolean {
  if (!row.checksTerm) return false;
  const term = row.terms[writer] as number;
  if ((state[cellTerm] as number) > term) return true;
  return row.hasHolderRule && state[cellTerm] === term && isAnothers(state, writer);
}

function isAnothers(state: Int32Array, writer: number): boolean {
  return state[cellHolder] !== nobody && state[cellHolder] !== writer + 1;
}
