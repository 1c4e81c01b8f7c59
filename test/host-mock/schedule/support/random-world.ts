import fc from "fast-check";
import { ToyWorld } from "./toy-world.ts";

/** One instruction of an agent on variables of 0, 1 and 2. */
export interface Instruction {
  /** get: register := variable; set: variable := register + 1; cas: the same where both are equal; wait: until it is not 0. */
  readonly do: "get" | "set" | "add" | "cas" | "wait" | "again";
  readonly variable: 0 | 1;
}

export interface RandomProgram {
  /** One: all agents run it, and are alike. */
  readonly programs: readonly (readonly Instruction[])[];
  readonly agents: number;
  /** How often time may pass; it sets the first variable to 0. */
  readonly time: number;
  /** One state in so many violates a property. */
  readonly rarity: number;
  readonly salt: number;
  /** Whether `again` jumps to the beginning; else it does nothing. */
  readonly loops: boolean;
}

const timeLeft = 2;

/** A small system of agents that run random programs, and whose states are good or bad at random. */
export class RandomWorld extends ToyWorld {
  override readonly properties = ["state", "rare state", "stale set", "end"];
  override readonly goals = ["goal", "rare goal"];
  readonly #about: RandomProgram;

  constructor(about: RandomProgram) {
    super(about.agents, 3, 2, { others: ["time"], alike: about.programs.length === 1 });
    this.#about = about;
  }

  override begin(into: Int32Array, at: number): void {
    super.begin(into, at);
    into[at + timeLeft] = this.#about.time;
  }

  choices(state: Int32Array, at: number): number {
    let mask = state[at + timeLeft]! > 0 ? 1 << this.agentCount : 0;
    for (let agent = 0; agent < this.agentCount; agent++) {
      const instruction = this.#instruction(state, at, agent);
      if (instruction === undefined) continue;
      if (instruction.do === "wait" && state[at + instruction.variable] === 0) continue;
      mask |= 1 << agent;
    }
    return mask;
  }

  change(state: Int32Array, at: number, choice: number): number {
    const own = this.#act(state, at, choice);
    const hash = this.#hash(state, at);
    const { rarity } = this.#about;
    return own | (hash % rarity === 0 ? 1 : 0) | (hash % (5 * rarity) === 1 ? 2 : 0);
  }

  override judgeEnd(state: Int32Array, at: number): number {
    return this.#hash(state, at) % this.#about.rarity === 2 ? 8 : 0;
  }

  override reached(state: Int32Array, at: number): number {
    const hash = this.#hash(state, at);
    return (hash % 3 === 0 ? 1 : 0) | (hash % 11 === 3 ? 2 : 0);
  }

  /** By trying both orders: the same state, each still possible, and what each itself violates the same. */
  override independent(state: Int32Array, at: number, choice: number): number {
    let mask = 0;
    for (let other = 0; other < this.choiceCount; other++)
      if (other !== choice && this.#commute(state, at, choice, other)) mask |= 1 << other;
    return mask;
  }

  #commute(state: Int32Array, at: number, one: number, other: number): boolean {
    const both = (1 << one) | (1 << other);
    if ((this.choices(state, at) & both) !== both) return false;
    const run = (first: number, second: number): string | null => {
      const now = state.slice(at, at + this.stateSize);
      const firstOwn = this.#act(now, 0, first);
      if ((this.choices(now, 0) & (1 << second)) === 0) return null;
      const owns = { [first]: firstOwn, [second]: this.#act(now, 0, second) };
      return `${owns[one]} ${owns[other]} ${now.join()}`;
    };
    const made = run(one, other);
    return made !== null && made === run(other, one);
  }

  #act(state: Int32Array, at: number, choice: number): number {
    if (choice === this.agentCount) {
      state[at + timeLeft]!--;
      state[at] = 0;
      return 0;
    }
    const local = this.local(at, choice);
    const { do: what, variable } = this.#instruction(state, at, choice)!;
    state[local]!++;
    const value = state[at + variable]!;
    const register = state[local + 1]!;
    if (what === "again" && this.#about.loops) state[local] = 0;
    if (what === "get") state[local + 1] = value;
    if (what === "add") state[at + variable] = (value + 1) % 3;
    if (what === "set" || (what === "cas" && value === register))
      state[at + variable] = (register + 1) % 3;
    return what === "set" && register === 1 && value !== register ? 4 : 0;
  }

  #instruction(state: Int32Array, at: number, agent: number): Instruction | undefined {
    const { programs } = this.#about;
    return programs[agent % programs.length]![state[this.local(at, agent)]!];
  }

  /** The same whatever the agents are called, where they are alike. */
  #hash(state: Int32Array, at: number): number {
    const isAlike = this.renamingCount > 1;
    let sum = this.#about.salt;
    for (let i = 0; i < this.sharedSize; i++) sum = mixed(sum, state[at + i]! + 7 * i);
    let agents = 0;
    for (let agent = 0; agent < this.agentCount; agent++) {
      const local = this.local(at, agent);
      const name = isAlike ? 0 : agent;
      agents += mixed(mixed(name + 99, state[local]!), state[local + 1]!) >>> 3;
    }
    return mixed(sum, agents | 0) >>> 4;
  }
}

function mixed(hash: number, value: number): number {
  const sum = Math.imul(hash ^ value, 0x9e3779b1);
  return Math.imul(sum ^ (sum >>> 15), 0x85ebca6b) >>> 0;
}

const instruction = fc.record<Instruction>({
  do: fc.constantFrom("get", "get", "set", "set", "add", "cas", "wait", "again"),
  variable: fc.constantFrom(0, 1),
});

/** Programs whose schedules all end; `loops: true`: some may go round for ever. */
export function randomPrograms(loops: boolean): fc.Arbitrary<RandomProgram> {
  const program = fc.array(instruction, { minLength: 1, maxLength: loops ? 4 : 3 });
  return fc
    .record({
      agents: fc.constantFrom(2, 3),
      alike: fc.boolean(),
      programs: fc.tuple(program, program, program),
      time: fc.constantFrom(0, 0, 1),
      rarity: fc.constantFrom(4, 9, 30, 200),
      salt: fc.nat({ max: 1000 }),
    })
    .map(({ alike, programs, ...rest }) => {
      return { ...rest, loops, programs: alike ? [programs[0]] : programs };
    });
}
