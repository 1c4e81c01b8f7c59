import { AsVm, type TransitionEvent } from "./as-vm.ts";
import { GoVm } from "./go-vm.ts";
import { Pass } from "./pass.ts";
import type { Row } from "./protocol.ts";
import { Terms } from "./terms.ts";
import { cellCount, kindNames, kindNumber, point, storeCell, vmCell } from "./state.ts";

const { kind, holder, age, byGo, wipesLeft, corruptionsLeft } = storeCell;
const { r0, seenKind, seenAge, leads, base, hasObservation, observationAge } = vmCell;
const { onProbation, probationAge } = vmCell;

/** What can happen next: time, a fault, or one step of one VM. */
export interface Choice {
  readonly what: "time" | "wipe" | "corruption" | "step" | "release" | "work";
  /** −1: nobody's. */
  readonly vm: number;
}

/** Called with each successor; the cells are only lent. */
export type Visit = (next: Uint8Array, choice: Choice, event: TransitionEvent) => void;

/** A row as a graph: its first state, and what follows each state. */
export class ModelWorld {
  readonly pass: Pass;
  readonly row: Row;
  readonly terms: Terms | null;
  readonly #as: AsVm | null;
  readonly #go: GoVm;
  readonly #next: Uint8Array;
  readonly #time: Choice = { what: "time", vm: -1 };
  readonly #wipe: Choice = { what: "wipe", vm: -1 };
  readonly #corruption: Choice = { what: "corruption", vm: -1 };
  readonly #own: Readonly<Record<"step" | "release" | "work", readonly Choice[]>>;
  readonly #expires: readonly boolean[];

  constructor(row: Row) {
    if (row.vms.includes("as") && row.protocol === undefined)
      throw new Error("a row with `as` VMs needs the protocol they follow");
    this.row = row;
    this.pass = new Pass(row);
    this.terms = row.terms === undefined ? null : new Terms(this.pass, row.terms);
    const { protocol } = row;
    this.#as = protocol === undefined ? null : new AsVm(this.pass, protocol, this.terms);
    this.#go = new GoVm(this.pass);
    this.#next = new Uint8Array(cellCount(row.vms.length));
    const choices = (what: Choice["what"]): Choice[] => row.vms.map((_, vm) => ({ what, vm }));
    this.#own = { step: choices("step"), release: choices("release"), work: choices("work") };
    const neverExpires = row.protocol?.mistakes?.flagNeverExpires === true;
    this.#expires = row.vms.map((vm) => vm === "as" && !neverExpires);
  }

  begin(): Uint8Array {
    const cells = new Uint8Array(cellCount(this.row.vms.length));
    const { start } = this.row;
    cells[kind] = kindNumber[start === "led" ? "held" : start];
    cells[wipesLeft] = this.row.wipes ?? 0;
    cells[corruptionsLeft] = this.row.corruptions ?? 0;
    if (start === "led") {
      cells[holder] = 1;
      cells[byGo] = this.row.vms[0] === "go" ? 1 : 0;
      cells[this.pass.cellsOf(0) + leads] = 1;
    }
    if (this.row.configures)
      for (let vm = 0; vm < this.row.vms.length; vm++)
        cells[this.pass.cellsOf(vm) + vmCell.point] = point.configureClock;
    return cells;
  }

  successors(cells: Uint8Array, visit: Visit): void {
    this.#next.set(cells);
    this.#letTimePass(this.#next);
    visit(this.#next, this.#time, null);
    this.#faults(cells, visit);
    for (let vm = 0; vm < this.row.vms.length; vm++) this.#stepsOf(cells, vm, visit);
  }

  /** How many VMs lead on a promise that still runs, of which kind; and how many think they lead. */
  count(cells: Uint8Array): { valid: number; validAs: number; flags: number } {
    let [valid, validAs, flags] = [0, 0, 0];
    for (let vm = 0; vm < this.row.vms.length; vm++) {
      const at = this.pass.cellsOf(vm);
      if (cells[at + leads] === 0) continue;
      flags++;
      if (!this.pass.isValid(cells, at)) continue;
      valid++;
      if (this.row.vms[vm] === "as") validAs++;
    }
    return { valid, validAs, flags };
  }

  /** A choice in words, for a counterexample. */
  describe(cells: Uint8Array, choice: Choice): string {
    if (choice.vm < 0) return choice.what;
    const name = String.fromCharCode(65 + choice.vm);
    if (choice.what === "release") return `${name}: begin release`;
    const step = cells[this.pass.cellsOf(choice.vm) + vmCell.point] as number;
    if (choice.what === "work")
      return `${name}: ${step === point.effect ? "effect" : "self-check"}`;
    const word = Object.keys(point)[step] ?? "";
    const isGet = step === point.get || step === point.releaseGet || step === point.configureGet;
    const record = kindNames[cells[kind] as number] ?? "";
    if (isGet) return `${name}: get → ${record}`;
    return `${name}: ${step === point.idle ? "clock" : word}`;
  }

  #letTimePass(cells: Uint8Array): void {
    const { pass } = this;
    if (cells[kind] !== kindNumber.absent) cells[age] = pass.older(cells[age] as number);
    for (let vm = 0; vm < pass.vmCount; vm++) {
      const at = pass.cellsOf(vm);
      const step = cells[at + vmCell.point];
      if (step !== point.idle && step !== point.configureClock)
        cells[at + r0] = pass.older(cells[at + r0] as number);
      if (cells[at + seenKind] !== kindNumber.absent)
        cells[at + seenAge] = pass.older(cells[at + seenAge] as number);
      if (cells[at + leads] === 1) {
        cells[at + base] = pass.older(cells[at + base] as number);
        if (this.#expires[vm] && (cells[at + base] as number) > pass.lease) {
          cells[at + leads] = 0;
          cells[at + base] = 0;
          this.terms?.forget(cells, at);
        }
      }
      if (cells[at + hasObservation] === 1)
        cells[at + observationAge] = pass.older(cells[at + observationAge] as number);
      if (cells[at + onProbation] === 1)
        cells[at + probationAge] = pass.older(cells[at + probationAge] as number);
    }
  }

  /** A wipe leaves nothing; a corruption leaves a held record's age and makes everything else unreadable. */
  #faults(cells: Uint8Array, visit: Visit): void {
    const next = this.#next;
    if ((cells[wipesLeft] as number) > 0 && cells[kind] !== kindNumber.absent) {
      next.set(cells);
      next[wipesLeft] = (cells[wipesLeft] as number) - 1;
      this.pass.write(next, { kind: kindNumber.absent, holder: 0, age: 0 });
      visit(next, this.#wipe, null);
    }
    if ((cells[corruptionsLeft] as number) > 0 && cells[kind] === kindNumber.held) {
      next.set(cells);
      next[corruptionsLeft] = (cells[corruptionsLeft] as number) - 1;
      const unchanged = cells[age] as number;
      this.pass.write(next, { kind: kindNumber.corrupt, holder: 0, age: unchanged });
      visit(next, this.#corruption, null);
    }
  }

  #stepsOf(cells: Uint8Array, vm: number, visit: Visit): void {
    const next = this.#next;
    const at = this.pass.cellsOf(vm);
    const isIdleLeader = cells[at + vmCell.point] === point.idle && cells[at + leads] === 1;
    if (cells[at + vmCell.point] === point.effect) {
      next.set(cells);
      visit(next, this.#own.work[vm] as Choice, this.#effect(next, vm));
      return;
    }
    if (this.row.work && isIdleLeader) {
      next.set(cells);
      next[at + vmCell.point] = point.effect;
      visit(next, this.#own.work[vm] as Choice, null);
    }
    if (this.row.release && isIdleLeader && this.#as !== null) {
      next.set(cells);
      this.#as.beginRelease(next, vm);
      visit(next, this.#own.release[vm] as Choice, null);
    }
    const isGo = this.row.vms[vm] === "go";
    const outcomes = isGo ? this.#go.outcomes(cells, vm) : 1;
    for (let outcome = 0; outcome < outcomes; outcome++) {
      next.set(cells);
      let event: TransitionEvent = null;
      if (isGo) this.#go.step(next, vm, outcome);
      else event = this.#as?.step(next, vm) ?? null;
      visit(next, this.#own.step[vm] as Choice, event);
    }
  }

  /** The effect after a self-check, however long ago: refused by the fence, or done and perhaps stale. */
  #effect(cells: Uint8Array, vm: number): TransitionEvent {
    const at = this.pass.cellsOf(vm);
    const hasFence = this.terms !== null && this.terms.rules.fence !== "none";
    const isRefused = hasFence && this.terms?.admit(cells, at) === false;
    if (isRefused) this.pass.stepDown(cells, at);
    this.pass.end(cells, at);
    if (isRefused) return "refused";
    return this.#anotherIsValid(cells, vm) ? "stale work" : null;
  }

  #anotherIsValid(cells: Uint8Array, vm: number): boolean {
    for (let other = 0; other < this.row.vms.length; other++)
      if (other !== vm && this.pass.isValid(cells, this.pass.cellsOf(other))) return true;
    return false;
  }
}
