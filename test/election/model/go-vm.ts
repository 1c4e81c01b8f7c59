import type { Pass } from "./pass.ts";
import { kindNumber, pending, point, storeCell, vmCell } from "./state.ts";

const { kind, holder, age } = storeCell;
const { absent, boot, held, released, corrupt } = kindNumber;

/** What a get says about the next set. `either`: the ages are capped, so their difference is unknown. */
type Judgement = "create" | "claim" | "follow" | "either";

/**
 * wasm-go's recipe, P0: clock, get and decision, set. It compares the record's time with the clock it read before the
 * get, creates without a condition, and its flag stays until a later pass clears it.
 */
export class GoVm {
  readonly #pass: Pass;

  constructor(pass: Pass) {
    this.#pass = pass;
  }

  /** Two outcomes are possible at a get whose ages are capped. */
  outcomes(cells: Uint8Array, vm: number): number {
    const at = this.#pass.cellsOf(vm);
    const isGet = cells[at + vmCell.point] === point.get;
    return isGet && this.#judge(cells, at, vm + 1) === "either" ? 2 : 1;
  }

  step(cells: Uint8Array, vm: number, outcome: number): void {
    const at = this.#pass.cellsOf(vm);
    switch (cells[at + vmCell.point]) {
      case point.idle:
        cells[at + vmCell.point] = point.get;
        cells[at + vmCell.r0] = 0;
        return;
      case point.get:
        return this.#get(cells, at, vm + 1, outcome);
      default:
        return this.#set(cells, at, vm + 1);
    }
  }

  #judge(cells: Uint8Array, at: number, me: number): Judgement {
    const found = cells[kind];
    if (found === absent) return "create";
    if (found === corrupt) return "follow";
    // No holder and time 0 in the record: expired for everybody.
    if (found === boot || found === released) return "claim";
    if (found === held && cells[holder] === me) return "claim";
    const { cap, lease } = this.#pass;
    const recordAge = cells[age] as number;
    const clockAge = cells[at + vmCell.r0] as number;
    if (recordAge < cap) return recordAge - clockAge > lease ? "claim" : "follow";
    return cap - clockAge > lease ? "claim" : "either";
  }

  #get(cells: Uint8Array, at: number, me: number, outcome: number): void {
    const judgement = this.#judge(cells, at, me);
    if (judgement === "follow" || (judgement === "either" && outcome === 1)) {
      this.#pass.stepDown(cells, at);
      this.#pass.end(cells, at);
      return;
    }
    cells[at + vmCell.point] = point.set;
    cells[at + vmCell.pending] = judgement === "create" ? pending.place : pending.claim;
    // Nothing of the record is needed any more but whether it is still the one that was read.
    cells[at + vmCell.isFresh] = judgement === "create" ? 0 : 1;
  }

  #set(cells: Uint8Array, at: number, me: number): void {
    const isCreation = cells[at + vmCell.pending] === pending.place;
    if (isCreation || this.#pass.canSet(cells, at)) {
      const early = cells[at + vmCell.r0] as number;
      this.#pass.write(cells, { kind: held, holder: me, age: early, byGo: 1 });
      this.#pass.lead(cells, at, early, false);
    } else {
      this.#pass.stepDown(cells, at);
    }
    this.#pass.end(cells, at);
  }
}
