import { ToyWorld } from "./toy-world.ts";

/** Agents that make so many steps each and touch nothing in common: everything about them has a closed form. */
export class Counters extends ToyWorld {
  readonly perAgent: number;

  constructor(agents: number, perAgent: number) {
    super(agents, 0, 1, { alike: true });
    this.perAgent = perAgent;
  }

  choices(state: Int32Array, at: number): number {
    let mask = 0;
    for (let agent = 0; agent < this.agentCount; agent++)
      if (state[at + agent]! < this.perAgent) mask |= 1 << agent;
    return mask;
  }

  change(state: Int32Array, at: number, choice: number): number {
    state[at + choice]!++;
    return 0;
  }

  override independent(state: Int32Array, at: number, choice: number): number {
    return this.choices(state, at) & ~(1 << choice);
  }
}

/** Each agent reads a shared counter, then writes one more: done at once, one of them is lost. */
export class LostUpdate extends ToyWorld {
  override readonly properties = ["all counted", "no stale write"];
  override readonly goals = ["counted right"];

  constructor(
    agents: number,
    /** Whether a stale write is a violation of its own, on the way. */
    readonly judgesWrites = false,
  ) {
    super(agents, 1, 2, { alike: true });
  }

  choices(state: Int32Array, at: number): number {
    let mask = 0;
    for (let agent = 0; agent < this.agentCount; agent++)
      if (state[this.local(at, agent)]! < 2) mask |= 1 << agent;
    return mask;
  }

  change(state: Int32Array, at: number, agent: number): number {
    const local = this.local(at, agent);
    const hasRead = state[local]!++ === 1;
    if (!hasRead) {
      state[local + 1] = state[at]!;
      return 0;
    }
    const isStale = state[at] !== state[local + 1];
    state[at] = state[local + 1]! + 1;
    return isStale && this.judgesWrites ? 2 : 0;
  }

  override judgeEnd(state: Int32Array, at: number): number {
    return state[at] === this.agentCount ? 0 : 1;
  }

  override reached(state: Int32Array, at: number): number {
    return state[at] === this.agentCount ? 1 : 0;
  }
}

/** Each takes the fork on the left, then the one on the right, then puts both down: all may wait for each other. */
export class Philosophers extends ToyWorld {
  override readonly properties = ["everybody eats"];

  constructor(
    count: number,
    /** Whether the last one takes the fork on the right first. */
    readonly hasLefty = false,
  ) {
    super(count, count, 1);
  }

  fork(agent: number, which: number): number {
    const isLefty = this.hasLefty && agent === this.agentCount - 1;
    return (agent + (isLefty ? 1 - which : which)) % this.agentCount;
  }

  choices(state: Int32Array, at: number): number {
    let mask = 0;
    for (let agent = 0; agent < this.agentCount; agent++) {
      const done = state[this.local(at, agent)]!;
      if (done === 2 || (done < 2 && state[at + this.fork(agent, done)] === 0)) mask |= 1 << agent;
    }
    return mask;
  }

  change(state: Int32Array, at: number, agent: number): number {
    const done = state[this.local(at, agent)]!++;
    if (done < 2) state[at + this.fork(agent, done)] = 1;
    else for (const which of [0, 1]) state[at + this.fork(agent, which)] = 0;
    return 0;
  }

  override judgeEnd(state: Int32Array, at: number): number {
    for (let agent = 0; agent < this.agentCount; agent++)
      if (state[this.local(at, agent)] !== 3) return 1;
    return 0;
  }
}

const [holder, expired, timeLeft, crashesLeft] = [0, 1, 2, 3];
const [looking, taking, leading, following, crashed] = [0, 1, 2, 3, 4];

/**
 * Agents that look whether a lease is free and then take it, with time that passes and crashes. They make both classic
 * mistakes: not comparing at the write (unless `isAtomic`), and leading on without looking at the clock.
 */
export class LeaseRace extends ToyWorld {
  override readonly properties = ["single winner"];
  override readonly goals = ["somebody led", "led after a crash"];
  readonly isAtomic: boolean;
  readonly budget: readonly [time: number, crashes: number];

  constructor(agents: number, options: { isAtomic: boolean; time: number; crashes: number }) {
    const names = "abcdefgh".slice(0, agents).split("");
    super(agents, 4, 1, { others: ["time", ...names.map((name) => `crash:${name}`)] });
    this.isAtomic = options.isAtomic;
    this.budget = [options.time, options.crashes];
  }

  override begin(into: Int32Array, at: number): void {
    super.begin(into, at);
    into[at + timeLeft] = this.budget[0];
    into[at + crashesLeft] = this.budget[1];
  }

  choices(state: Int32Array, at: number): number {
    let mask = state[at + timeLeft]! > 0 ? 1 << this.agentCount : 0;
    for (let agent = 0; agent < this.agentCount; agent++) {
      const now = state[this.local(at, agent)]!;
      if (now === looking || now === taking) mask |= 1 << agent;
      if (now !== crashed && state[at + crashesLeft]! > 0)
        mask |= 1 << (this.agentCount + 1 + agent);
    }
    return mask;
  }

  change(state: Int32Array, at: number, choice: number): number {
    if (choice === this.agentCount) {
      state[at + timeLeft]!--;
      state[at + expired] = 1;
      return 0;
    }
    if (choice > this.agentCount) {
      state[at + crashesLeft]!--;
      state[this.local(at, choice - this.agentCount - 1)] = crashed;
      return 0;
    }
    const local = this.local(at, choice);
    const isFree = state[at + holder] === 0 || state[at + expired] === 1;
    if (state[local] === looking) {
      state[local] = isFree ? taking : following;
      return 0;
    }
    state[local] = this.isAtomic && !isFree ? following : leading;
    if (state[local] === following) return 0;
    state[at + holder] = choice + 1;
    state[at + expired] = 0;
    return this.leaders(state, at) > 1 ? 1 : 0;
  }

  leaders(state: Int32Array, at: number): number {
    let count = 0;
    for (let agent = 0; agent < this.agentCount; agent++)
      if (state[this.local(at, agent)] === leading) count++;
    return count;
  }

  override reached(state: Int32Array, at: number): number {
    if (this.leaders(state, at) === 0) return 0;
    return state[at + crashesLeft]! < this.budget[1] ? 3 : 1;
  }
}
