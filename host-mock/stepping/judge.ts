import { LocalBreach, type LocalState } from "./local-state.ts";
import { readLeaseText, type LeaseText } from "./lease-text.ts";
import type { SteppedWorld } from "./stepped-world.ts";

/** Names of what is judged in each state or step; bit = index. */
export const propertyNames = [
  "single_winner",
  "terms_grow",
  "no_stale_effect",
  "no_trap",
  "callbacks_paired",
  "no_foreign_write",
] as const;

const Bit = {
  singleWinner: 1,
  termsGrow: 2,
  noStaleEffect: 4,
  noTrap: 8,
  callbacksPaired: 16,
  noForeignWrite: 32,
} as const;

/** A property of a user's own: whether it holds in a state. */
export interface StateProperty {
  readonly name: string;
  holds(world: SteppedWorld, state: Int32Array, at: number): boolean;
}

const wallLeaseMs = 60_000;

/** Says which properties a step breaks. */
export class Judge {
  readonly names: readonly string[];
  readonly goals: readonly string[] = ["somebody_led"];
  readonly #world: SteppedWorld;
  readonly #judged: number;
  readonly #own: readonly StateProperty[];
  /** Terms in the order in which they were met; a state's number is the index + 1. */
  readonly #terms: bigint[] = [];
  readonly #termNumbers = new Map<bigint, number>();
  readonly #leases = new Map<number, LeaseText | undefined>();
  #broken = 0;

  constructor(world: SteppedWorld, judged: readonly string[], own: readonly StateProperty[]) {
    this.#world = world;
    this.#own = own;
    this.names = [...propertyNames, ...own.map(({ name }) => name)];
    this.#judged = propertyNames.reduce(
      (mask, name, index) => (judged.includes(name) ? mask | (1 << index) : mask),
      0,
    );
  }

  /** What a guest has done wrong in the step that led to this local state. */
  local(local: LocalState, into: Int32Array, at: number): number {
    let broken = 0;
    if ((local.breaches & LocalBreach.trapped) !== 0) broken |= Bit.noTrap;
    if ((local.breaches & LocalBreach.unpaired) !== 0) broken |= Bit.callbacksPaired;
    if (local.claimed !== undefined && local.claimed !== null)
      broken |= this.#claim(local.claimed, into, at);
    return broken & this.#judged;
  }

  #claim(term: bigint, into: Int32Array, at: number): number {
    const slot = at + this.#world.layout.term;
    const last = into[slot]!;
    let number = this.#termNumbers.get(term);
    if (number === undefined) {
      number = this.#terms.push(term);
      this.#termNumbers.set(term, number);
    }
    if (last !== 0 && this.#terms[last - 1]! >= term) return Bit.termsGrow;
    into[slot] = number;
    return 0;
  }

  /** A call that a receiver has carried out though it was stale. */
  stale(): void {
    this.#broken |= Bit.noStaleEffect;
  }

  /** A set that was carried out; `before` is the entry it has replaced. */
  write(slot: number, before: number, value: number, nowMs: number): void {
    if (slot !== 0 || (this.#judged & Bit.noForeignWrite) === 0) return;
    const { entries } = this.#world.keys;
    const old = entries.textOf(before);
    if (old < 0) return;
    const held = this.#lease(old);
    if (held === undefined || held.holder === this.#lease(value)?.holder) return;
    if (this.#isRunning(held, nowMs)) this.#broken |= Bit.noForeignWrite;
  }

  #isRunning(held: LeaseText, nowMs: number): boolean {
    if (held.untilMonoMs !== undefined) return nowMs + startMonoMs < held.untilMonoMs;
    const wallMs = Number(this.#world.options.startWallNs / 1_000_000n) + nowMs;
    return wallMs - held.timestampS * 1000 <= wallLeaseMs;
  }

  #lease(text: number): LeaseText | undefined {
    if (!this.#leases.has(text))
      this.#leases.set(text, readLeaseText(this.#world.keys.texts.textOf(text)));
    return this.#leases.get(text);
  }

  /** What was noted while a call was carried out. */
  takeBroken(): number {
    const broken = this.#broken & this.#judged;
    this.#broken = 0;
    return broken;
  }

  /** What is wrong with a state as it stands. */
  state(state: Int32Array, at: number): number {
    let broken = 0;
    if ((this.#judged & Bit.singleWinner) !== 0 && this.leaderCount(state, at) > 1)
      broken |= Bit.singleWinner;
    for (let index = 0; index < this.#own.length; index++)
      if (!this.#own[index]!.holds(this.#world, state, at))
        broken |= 1 << (propertyNames.length + index);
    return broken;
  }

  reached(state: Int32Array, at: number): number {
    return this.leaderCount(state, at) > 0 ? 1 : 0;
  }

  leaderCount(state: Int32Array, at: number): number {
    const { layout } = this.#world;
    const now = state[at + layout.now]!;
    let count = 0;
    for (let guest = 0; guest < layout.guestCount; guest++) {
      const promised = this.#world.localAt(state, at, guest)?.promised;
      if (promised !== null && promised !== undefined && now < promised.untilMs) count++;
    }
    return count;
  }
}

/** Of a run's monotonic clock at its start. */
const startMonoMs = 3_600_000;
