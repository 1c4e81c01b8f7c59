import { MockHostError } from "../errors.ts";
import type { Profile } from "../profiles/profile.ts";
import type { StepView, World } from "../schedule/world.ts";
import type { SharedDataRules } from "../state/shared-data-rules.ts";
import { choicesOf, type Choice, type FaultCounts } from "./choices.ts";
import { describeStep } from "./describe.ts";
import { guestCountMax } from "./identities.ts";
import { independentOf } from "./independent.ts";
import { KeyTable } from "./key-table.ts";
import { Budget, budgetMax, crashed, Layout, left, spent, timePassed } from "./layout.ts";
import { begin, LocalStates } from "./local-states.ts";
import type { LocalState } from "./local-state.ts";
import { refusal, statusBits } from "./op.ts";
import { Judge, propertyNames, type StateProperty } from "./judge.ts";
import { Receivers, type ReceiverOptions } from "./receivers.ts";
import { Renamings } from "./renamings.ts";
import { SharedStore } from "./shared-store.ts";
import { SteppedGuest } from "./stepped-guest.ts";
import type { SteppedPlugin } from "./stepped-plugin.ts";
import { Symmetry } from "./symmetry.ts";

/** The VMs of one plugin. */
export interface SteppedFleet {
  readonly plugin: SteppedPlugin;
  readonly names: readonly string[];
}

export interface SteppedWorldOptions {
  readonly fleets: readonly SteppedFleet[];
  readonly profile: Profile;
  readonly rules: SharedDataRules;
  readonly receivers: readonly ReceiverOptions[];
  /** Ticks of each VM. */
  readonly ticks: number;
  /** How often time passes by itself, at any point, and by how much. */
  readonly faults: FaultCounts;
  readonly timeStepMs: number;
  readonly startWallNs: bigint;
  /** Keys of shared data that a state has room for. */
  readonly keyCountMax: number;
  /** Whether a VM is started and thrown away before the others, as Envoy does on its main thread. */
  readonly hasCanary: boolean;
  /** Names of what is judged; all when absent. */
  readonly properties?: readonly string[];
  readonly ownProperties?: readonly StateProperty[];
}

const mismatch = 8;
const internalFailure = 10;
const canaryGuest = 14;
const garbage = "not json";
const renamedGuestsMax = 6;

/**
 * VMs of real wasm over one map of shared data, as a `schedule/` world. A choice is a guest's next host call, time that
 * passes, or a fault.
 *
 * What a guest can tell of time is what it reads from a clock, which keeps the search small without losing an order
 * that anybody could tell from another:
 *
 * - time passes right before a reading, and readings that follow each other see one instant;
 * - a tick begins together with its first reading, and not before its timer is due: time passes up to there; the timer
 *   is due a period after the last reading;
 * - where no time can pass any more, a guest reads without a turn of its own.
 */
export class SteppedWorld implements World {
  readonly stateSize: number;
  readonly choiceCount: number;
  readonly agentCount: number;
  readonly properties: readonly string[];
  readonly goals: readonly string[];
  readonly renamingCount: number;
  readonly layout: Layout;
  readonly locals: LocalStates;
  readonly keys: KeyTable;
  readonly receivers: Receivers;
  readonly guests: readonly SteppedGuest[];
  readonly choiceList: readonly Choice[];
  readonly options: SteppedWorldOptions;
  readonly judge: Judge;
  readonly #begin: Int32Array;
  readonly #symmetry: Symmetry;
  readonly #store: SharedStore;
  readonly #garbage: number;
  readonly #isLease: boolean[];
  readonly #timeBit: number;

  constructor(options: SteppedWorldOptions) {
    this.options = options;
    const placed = options.fleets.flatMap(({ plugin, names }) =>
      names.map((name) => ({ plugin, name })),
    );
    requireBounds(options, placed.length);
    this.keys = new KeyTable(options.keyCountMax);
    this.receivers = new Receivers(options.receivers);
    this.#garbage = this.keys.texts.numberOf(garbage);
    this.layout = new Layout(placed.length, options.receivers.length, options.keyCountMax);
    this.stateSize = this.layout.size;
    this.agentCount = placed.length;
    this.choiceList = choicesOf(
      placed.map(({ name }) => name),
      options.faults,
    );
    this.choiceCount = this.choiceList.length;
    this.#timeBit = 1 << this.choiceList.findIndex(({ kind }) => kind === "time");
    const { keys, receivers } = this;
    const { profile, startWallNs } = options;
    const shared = { keys, receivers, profile, startWallNs };
    this.guests = placed.map(({ plugin, name }, guest) => {
      return new SteppedGuest({ ...shared, plugin, guest, name });
    });
    this.#isLease = placed.map(({ plugin }) => plugin.witness === "lease");
    this.locals = new LocalStates(this.guests, this.keys, options.ticks);
    this.#begin = new Int32Array(this.stateSize);
    this.#store = new SharedStore(keys, options.rules, this.#begin, this.layout.keys);
    this.#startAll(shared);
    const renamings = this.#renamings();
    this.locals.renamings = renamings;
    this.renamingCount = renamings.all.length;
    this.#symmetry = new Symmetry(this, renamings);
    this.judge = new Judge(this, options.properties ?? propertyNames, options.ownProperties ?? []);
    this.properties = this.judge.names;
    this.goals = this.judge.goals;
  }

  agentOf(choice: number): number {
    const { kind, guest } = this.choiceList[choice]!;
    return kind === "guest" ? guest : -1;
  }

  wordOf(choice: number): string {
    return this.choiceList[choice]!.word;
  }

  begin(into: Int32Array, at: number): void {
    into.set(this.#begin, at);
  }

  choices(state: Int32Array, at: number): number {
    const { layout } = this;
    const budget = state[at + layout.budget]!;
    let mask = 0;
    let calling = 0;
    for (let guest = 0; guest < layout.guestCount; guest++) {
      const local = this.localAt(state, at, guest);
      if (local === null || !this.canGoOn(local)) continue;
      mask |= 1 << guest;
      if (local.op !== null && local.op.kind !== "clock") calling |= 1 << guest;
    }
    if (mask === 0) return 0;
    const reading = mask & ~calling;
    const time = left(budget, "time") > 0 && reading !== 0 ? this.#timeBit : 0;
    if ((budget & timePassed) !== 0) return reading | time;
    mask |= time;
    for (let choice = layout.guestCount; choice < this.choiceCount; choice++) {
      const { kind, guest } = this.choiceList[choice]!;
      if (kind === "guest" || kind === "time" || left(budget, kind) === 0) continue;
      const isPossible =
        (kind === "crash" && (mask & (1 << guest)) !== 0) ||
        (kind === "refuse" && (calling & (1 << guest)) !== 0) ||
        ((kind === "wipe" || kind === "corrupt") && this.#hasData(state, at));
      if (isPossible) mask |= 1 << choice;
    }
    return mask;
  }

  step(state: Int32Array, at: number, choice: number, into: Int32Array, intoAt: number): number {
    const { layout } = this;
    for (let i = 0; i < this.stateSize; i++) into[intoAt + i] = state[at + i]!;
    const { kind, guest } = this.choiceList[choice]!;
    let broken = 0;
    into[intoAt + layout.budget]! &= ~timePassed;
    if (kind === "guest") broken = this.#guestStep(guest, into, intoAt, undefined);
    else {
      into[intoAt + layout.budget] = spent(into[intoAt + layout.budget]!, kind);
      if (kind === "time") {
        into[intoAt + layout.now]! += this.options.timeStepMs;
        into[intoAt + layout.budget]! |= timePassed;
      } else if (kind === "crash") into[intoAt + guest] = crashed;
      else if (kind === "refuse")
        broken = this.#guestStep(guest, into, intoAt, refusal(internalFailure));
      else this.#loseData(kind, into, intoAt);
    }
    this.#readClocks(into, intoAt);
    return broken | this.judge.state(into, intoAt);
  }

  judgeEnd(): number {
    return 0;
  }

  reached(state: Int32Array, at: number): number {
    return this.judge.reached(state, at);
  }

  independent(state: Int32Array, at: number, choice: number): number {
    return independentOf(this, state, at, choice);
  }

  canonicalize(state: Int32Array, at: number): number {
    return this.#symmetry.canonicalize(state, at);
  }

  renamedChoices(mask: number, renaming: number): number {
    return this.#symmetry.renamedChoices(mask, renaming);
  }

  describe(state: Int32Array, at: number, choice: number): StepView {
    return describeStep(this, state, at, choice);
  }

  /** Where a guest stands; null when it has crashed. */
  localAt(state: Int32Array, at: number, guest: number): LocalState | null {
    const number = state[at + guest]!;
    return number === crashed ? null : this.locals.all[number]!;
  }

  /** Whether it has a host call to make or a tick left. */
  canGoOn(local: LocalState): boolean {
    if (local.kind === "calling") return true;
    if (local.kind !== "waiting") return false;
    return local.tickCount < this.options.ticks && local.dueMs !== Infinity;
  }

  /** The store over the keys of a state. */
  storeOf(state: Int32Array, at: number): SharedStore {
    this.#store.data = state;
    this.#store.at = at + this.layout.keys;
    return this.#store;
  }

  #guestStep(guest: number, into: Int32Array, at: number, refused: number | undefined): number {
    const { layout } = this;
    let local = this.locals.all[into[at + guest]!]!;
    let broken = 0;
    let isReading: boolean;
    if (local.kind === "waiting") {
      into[at + layout.now] = Math.max(into[at + layout.now]!, local.dueMs);
      local = this.locals.next(local, begin);
      broken |= this.judge.local(local, into, at);
      isReading = true;
    } else {
      isReading = local.op!.kind === "clock";
      const answer = refused ?? this.#answer(local, guest, into, at);
      local = this.locals.next(local, answer);
      broken |= this.judge.takeBroken() | this.judge.local(local, into, at);
    }
    while (isReading && local.op?.kind === "clock") {
      local = this.locals.next(local, into[at + layout.now]!);
      broken |= this.judge.local(local, into, at);
    }
    into[at + guest] = local.number;
    return broken;
  }

  /** Carries the call out and answers what the guest is told. */
  #answer(local: LocalState, guest: number, into: Int32Array, at: number): number {
    const op = local.op!;
    const { layout } = this;
    switch (op.kind) {
      case "get":
        return into[at + layout.keys + op.key]!;
      case "set": {
        const store = this.storeOf(into, at);
        const before = store.get(op.key);
        const isDone = store.set(op.key, op.value, op.cas);
        if (isDone) this.judge.write(op.key, before, op.value, into[at + layout.now]!);
        const status = isDone ? 0 : mismatch;
        return this.#isLease[guest]! ? status | (into[at + layout.now]! << statusBits) : status;
      }
      case "clock":
        return into[at + layout.now]!;
      case "call": {
        const slot = at + layout.receivers + op.receiver;
        const reception = this.receivers.receive(op.receiver, into[slot]!, op.stamp);
        if (reception === "accepted") into[slot] = op.stamp;
        else if (reception === "stale") this.judge.stale();
        return 0;
      }
    }
  }

  /** Where no time can pass any more, reading a clock commutes with everything: it needs no turn of its own. */
  #readClocks(into: Int32Array, at: number): void {
    if (this.#canTimePass(into, at)) return;
    const { layout } = this;
    const now = into[at + layout.now]!;
    for (let guest = 0; guest < layout.guestCount; guest++) {
      let local = this.localAt(into, at, guest);
      if (local === null || local.op?.kind !== "clock") continue;
      // Somebody has read the clock, so the others may go on.
      into[at + layout.budget]! &= ~timePassed;
      while (local.op?.kind === "clock") local = this.locals.next(local, now);
      into[at + guest] = local.number;
    }
  }

  #canTimePass(state: Int32Array, at: number): boolean {
    const { layout } = this;
    if (left(state[at + layout.budget]!, "time") > 0) return true;
    const now = state[at + layout.now]!;
    for (let guest = 0; guest < layout.guestCount; guest++) {
      const local = this.localAt(state, at, guest);
      if (local === null) continue;
      if (local.kind === "calling" && local.tickCount < this.options.ticks) return true;
      if (local.kind === "waiting" && this.canGoOn(local) && local.dueMs > now) return true;
    }
    return false;
  }

  #hasData(state: Int32Array, at: number): boolean {
    const { entries } = this.keys;
    for (let slot = 0; slot < this.keys.keyCount; slot++)
      if (entries.textOf(state[at + this.layout.keys + slot]!) >= 0) return true;
    return false;
  }

  #loseData(kind: "wipe" | "corrupt", into: Int32Array, at: number): void {
    const store = this.storeOf(into, at);
    if (kind === "corrupt") {
      // The lease is the first key that an election names.
      store.force(0, this.#garbage);
      return;
    }
    for (let slot = 0; slot < this.keys.keyCount; slot++) store.remove(slot);
  }

  /** In Envoy's order: the canary, then the VMs; each start-up to its end before the next. */
  #startAll(
    shared: Omit<ConstructorParameters<typeof SteppedGuest>[0], "plugin" | "guest" | "name">,
  ) {
    const { options, layout } = this;
    const { faults } = options;
    let budget = 0;
    for (const kind of ["time", "crash", "wipe", "refuse", "corrupt"] as const)
      budget |= faults[kind] << Budget[kind];
    this.#begin[layout.budget] = budget;
    const store = this.storeOf(this.#begin, 0);
    let guest = 0;
    for (const { plugin, names } of options.fleets) {
      if (options.hasCanary) {
        const canary = new SteppedGuest({ ...shared, plugin, guest: canaryGuest, name: "canary" });
        canary.start(store);
      }
      for (let index = 0; index < names.length; index++, guest++) {
        const history = this.guests[guest]!.start(store);
        const local = this.locals.begun(guest, this.guests[guest]!.started, history);
        this.#begin[guest] = local.number;
      }
    }
  }

  /** Guests are alike when their start-ups went alike. */
  #renamings(): Renamings {
    const { guestCount } = this.layout;
    const kins = Array.from({ length: guestCount }, (_, guest) => this.locals.all[guest]!.kin);
    const isNamed = this.guests.every(({ hasOddNames }) => !hasOddNames);
    const isAlike = isNamed && guestCount <= renamedGuestsMax;
    const groups = isAlike ? kins : kins.map((_, guest) => guest);
    return new Renamings(groups, this.keys, this.receivers);
  }
}

function requireBounds(options: SteppedWorldOptions, guestCount: number): void {
  const { faults, ticks, timeStepMs } = options;
  const refuse = (what: string, remedy: string): never => {
    throw new MockHostError("E_OPTION", what, { remedy });
  };
  if (guestCount < 1 || guestCount > guestCountMax)
    refuse(`${guestCount} VMs cannot be explored`, `give 1 to ${guestCountMax}`);
  for (const [kind, count] of Object.entries(faults) as [string, number][])
    if (count > budgetMax) refuse(`${count} choices of ${kind}`, `give at most ${budgetMax}`);
  if (!Number.isInteger(timeStepMs) || timeStepMs < 1)
    refuse(`a time step of ${timeStepMs} ms`, "give whole milliseconds");
  if (ticks < 1) refuse(`${ticks} ticks`, "give at least one");
}
