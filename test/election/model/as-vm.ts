import type { Pass } from "./pass.ts";
import type { ClaimRule, Protocol } from "./protocol.ts";
import type { Terms } from "./terms.ts";
import { kindNames, kindNumber, pending, point, storeCell, vmCell } from "./state.ts";

const { kind, holder } = storeCell;
const { r0, seenKind, seenHolder, seenAge, seenByGo, isFresh, isSame, leads, base } = vmCell;
const { hasObservation, observationIsFresh, observationAge } = vmCell;
const { onProbation, probationAge, isRipe } = vmCell;
const { absent, held, placeholder, boot, released } = kindNumber;

/** What a transition shows of its own. */
export type TransitionEvent = "stale work" | "refused" | "repeated term" | null;

/**
 * One step of a VM that follows a protocol, in place:
 *
 *     idle ─clock─▶ get ─found─▶ decide ─▶ set ─▶ idle
 *                    └─absent──────────────▲
 *
 * With terms a claim reads and raises the term key before its set (or before its get), and may touch a fence after it.
 *
 * Where the counts depended on it, the reading that gives the published counts is this one:
 *
 * - What to do on an absent key is decided at the get: there is no second clock to read.
 * - An observation of an older version is kept until the pass ends, or until the decision replaces it. Forgetting it
 *   because the key is absent leaves its age standing, without growing, until the pass ends.
 * - A placeholder and a release carry the age of r0, like a held record.
 * - A pass is remembered as renewal if this VM led, or was on probation, when it decided.
 */
export class AsVm {
  readonly #pass: Pass;
  readonly #protocol: Protocol;
  readonly #terms: Terms | null;

  constructor(pass: Pass, protocol: Protocol, terms: Terms | null) {
    this.#pass = pass;
    this.#protocol = protocol;
    this.#terms = terms;
  }

  step(cells: Uint8Array, vm: number): TransitionEvent {
    const at = this.#pass.cellsOf(vm);
    switch (cells[at + vmCell.point]) {
      case point.set:
        return this.#set(cells, at, vm + 1);
      case point.touchFence:
        return this.#terms?.touch(cells, at) ? "refused" : null;
      case point.idle:
        this.#clock(cells, at);
        return null;
      case point.get:
        this.#get(cells, at);
        return null;
      case point.decide:
        this.#decide(cells, at, vm + 1);
        return null;
      case point.readTermKey:
        this.#terms?.readKey(cells, at);
        return null;
      case point.raiseTermKey:
        this.#raiseTermKey(cells, at);
        return null;
      case point.releaseGet:
        this.#releaseGet(cells, at, vm + 1);
        return null;
      case point.releaseSet:
        this.#releaseSet(cells, at);
        return null;
      case point.clockAfterSet:
        this.#pass.lead(cells, at, 0);
        this.#pass.end(cells, at);
        return null;
      default:
        this.#configure(cells, at);
        return null;
    }
  }

  /** The first step of a release: the VM leads no more, whatever becomes of the record. */
  beginRelease(cells: Uint8Array, vm: number): void {
    const at = this.#pass.cellsOf(vm);
    this.#pass.stepDown(cells, at);
    cells[at + vmCell.point] = point.releaseGet;
    cells[at + r0] = 0;
  }

  #clock(cells: Uint8Array, at: number): void {
    const isTermFirst = this.#terms?.rules.order === "term key first";
    cells[at + vmCell.point] = isTermFirst ? point.readTermKey : point.get;
    cells[at + r0] = 0;
    const hasWaited = (cells[at + probationAge] as number) > this.#pass.lease;
    if (cells[at + onProbation] === 1 && hasWaited) cells[at + isRipe] = 1;
  }

  #get(cells: Uint8Array, at: number): void {
    const isKnown = cells[at + hasObservation] === 1 && cells[at + observationIsFresh] === 1;
    this.#pass.read(cells, at);
    if (cells[kind] !== absent) {
      cells[at + isSame] = isKnown ? 1 : 0;
      cells[at + vmCell.point] = point.decide;
      return;
    }
    this.#pass.stepDown(cells, at);
    if (this.#protocol.absent === "nothing") {
      this.#pass.end(cells, at);
      return;
    }
    cells[at + hasObservation] = 0;
    cells[at + vmCell.point] = point.set;
    cells[at + vmCell.pending] = this.#protocol.absent === "create" ? pending.claim : pending.place;
  }

  #decide(cells: Uint8Array, at: number, me: number): void {
    const isSameVersion = cells[at + isSame] === 1;
    const waitedFor = cells[at + observationAge] as number;
    const wait = this.#pass.lease - (this.#protocol.mistakes?.waitsOneLess ? 1 : 0);
    const hasWaited = isSameVersion && waitedFor > wait;
    if (this.#isOwn(cells, at, me)) {
      this.#pass.dropObservation(cells, at);
      if (this.#protocol.leads === "when read again") this.#leadBySight(cells, at);
      const isRenewal =
        cells[at + leads] === 1 ||
        cells[at + onProbation] === 1 ||
        this.#protocol.leads === "when read again";
      this.#prepare(cells, at, isRenewal ? pending.renew : pending.claim);
      return;
    }
    if (!isSameVersion) this.#observe(cells, at);
    this.#pass.stepDown(cells, at);
    if (this.#mayClaim(cells, at, hasWaited)) this.#prepare(cells, at, pending.claim);
    else this.#pass.end(cells, at);
  }

  #isOwn(cells: Uint8Array, at: number, me: number): boolean {
    return cells[at + seenKind] === held && cells[at + seenHolder] === me;
  }

  /** P2: a VM that reads its own record leads, on the promise this record carries; it goes on to renew it. */
  #leadBySight(cells: Uint8Array, at: number): void {
    if (cells[at + leads] === 0) this.#pass.lead(cells, at, cells[at + seenAge] as number);
  }

  #observe(cells: Uint8Array, at: number): void {
    cells[at + hasObservation] = 1;
    cells[at + observationIsFresh] = cells[at + isFresh] as number;
    const { mistakes } = this.#protocol;
    cells[at + observationAge] = mistakes?.observesFromR0 ? (cells[at + r0] as number) : 0;
  }

  #prepare(cells: Uint8Array, at: number, what: number): void {
    cells[at + vmCell.point] = point.set;
    cells[at + vmCell.pending] = what;
    if (this.#terms === null || what !== pending.claim) return;
    const { order } = this.#terms.rules;
    if (order === "record first") cells[at + vmCell.point] = point.readTermKey;
    if (order === "record only") this.#terms.proposeFromRecord(cells, at);
  }

  /** A raise that came too late ends the pass: a term it did not get is no term. */
  #raiseTermKey(cells: Uint8Array, at: number): void {
    const isRaised = this.#terms?.raiseKey(cells, at) ?? false;
    if (!isRaised) this.#pass.end(cells, at);
    else if (this.#terms?.rules.order === "term key first") cells[at + vmCell.point] = point.get;
    else cells[at + vmCell.point] = point.set;
  }

  #mayClaim(cells: Uint8Array, at: number, hasWaited: boolean): boolean {
    const isOlder = (cells[at + seenAge] as number) > this.#pass.lease;
    switch (this.#ruleFor(cells, at)) {
      case "at once":
        return true;
      case "older":
        return isOlder;
      case "waited":
        return hasWaited;
      case "fresh or waited":
        return !isOlder || hasWaited;
      case "never":
        return false;
    }
  }

  #ruleFor(cells: Uint8Array, at: number): ClaimRule {
    const name = kindNames[cells[at + seenKind] as number] ?? "absent";
    if (name === "absent") return "never";
    if (name === "held" && cells[at + seenByGo] === 1) return this.#protocol.claimsOfGo;
    return this.#protocol.claims[name];
  }

  #set(cells: Uint8Array, at: number, me: number): TransitionEvent {
    const early = cells[at + r0] as number;
    if (cells[at + vmCell.pending] === pending.place) {
      const isOwn = this.#protocol.absent === "own record";
      this.#pass.write(cells, {
        kind: isOwn ? held : placeholder,
        holder: isOwn ? me : 0,
        age: early,
      });
      this.#pass.end(cells, at);
      return null;
    }
    if (!this.#pass.canSet(cells, at)) {
      this.#pass.stepDown(cells, at);
      this.#pass.end(cells, at);
      return null;
    }
    const term = cells[at + vmCell.term] as number;
    this.#pass.write(cells, { kind: held, holder: me, age: early, term });
    const isClaim = cells[at + vmCell.pending] === pending.claim;
    const isRepeated = this.#terms !== null && isClaim && this.#terms.take(cells, at);
    if (isClaim && this.#terms?.rules.fence === "eager") this.#beginTouch(cells, at, early);
    else this.#grant(cells, at, early);
    return isRepeated ? "repeated term" : null;
  }

  /** The claim has succeeded, but nobody leads before the fence knows the term; the promise still counts from r0. */
  #beginTouch(cells: Uint8Array, at: number, early: number): void {
    const term = cells[at + vmCell.term] as number;
    this.#pass.stepDown(cells, at);
    this.#pass.end(cells, at);
    cells[at + vmCell.point] = point.touchFence;
    cells[at + r0] = early;
    cells[at + vmCell.term] = term;
  }

  #grant(cells: Uint8Array, at: number, early: number): void {
    const { mistakes } = this.#protocol;
    const isRenewal = cells[at + vmCell.pending] === pending.renew;
    if (mistakes?.promisesAfterSet) {
      // The promise that ran before stands until the clock is read.
      this.#pass.end(cells, at);
      cells[at + vmCell.point] = point.clockAfterSet;
      return;
    }
    if (this.#protocol.leads === "after probation") this.#grantOnProbation(cells, at, early);
    else if (this.#protocol.leads === "when read again" && !isRenewal)
      this.#pass.stepDown(cells, at);
    else this.#pass.lead(cells, at, early, !mistakes?.flagNeverExpires);
    this.#pass.end(cells, at);
  }

  /**
   * P6. A claim begins a probation, and so does a renewal that comes too late for its own promise. It ends with a
   * renewal whose r0 was read when it had lasted for more than T.
   */
  #grantOnProbation(cells: Uint8Array, at: number, early: number): void {
    const isClaim = cells[at + vmCell.pending] === pending.claim;
    const isTrying = cells[at + onProbation] === 1;
    const isLate = early > this.#pass.lease;
    const isRipeNow = cells[at + isRipe] === 1;
    if (isTrying && !isClaim && isLate && !isRipeNow && this.#protocol.mistakes?.ignoresLateRenewal)
      return;
    if (isClaim || isLate) {
      cells[at + leads] = 0;
      cells[at + base] = 0;
      cells[at + onProbation] = 1;
      cells[at + probationAge] = 0;
    } else if (!isTrying || isRipeNow) {
      this.#pass.lead(cells, at, early);
    }
  }

  #releaseGet(cells: Uint8Array, at: number, me: number): void {
    if (cells[kind] !== held || cells[holder] !== me) {
      this.#pass.end(cells, at);
      return;
    }
    this.#pass.read(cells, at);
    cells[at + vmCell.point] = point.releaseSet;
  }

  #releaseSet(cells: Uint8Array, at: number): void {
    const age = cells[at + r0] as number;
    const term = cells[at + vmCell.seenTerm] as number;
    if (this.#pass.canSet(cells, at))
      this.#pass.write(cells, { kind: released, holder: 0, age, term });
    this.#pass.end(cells, at);
  }

  #configure(cells: Uint8Array, at: number): void {
    const where = cells[at + vmCell.point];
    if (where === point.configureClock) {
      cells[at + vmCell.point] = point.configureGet;
      cells[at + r0] = 0;
    } else if (where === point.configureGet && cells[kind] === absent) {
      cells[at + vmCell.point] = point.configureSet;
    } else {
      if (where === point.configureSet)
        this.#pass.write(cells, { kind: boot, holder: 0, age: cells[at + r0] as number });
      this.#pass.end(cells, at);
    }
  }
}
