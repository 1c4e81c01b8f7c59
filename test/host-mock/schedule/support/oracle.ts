import type { World } from "../../../../host-mock/schedule/world.ts";

/** What there is to find, found in the plainest way: text keys, recursion, nothing of the searches under test. */
export interface Truth {
  /** Distinct states, up to names where the world's agents are alike. */
  readonly states: number;
  readonly classes: number;
  /** How many states violate each property, by name. */
  readonly violations: Readonly<Record<string, number>>;
  /** Steps of the shortest violating schedule; null: there is none. */
  readonly shortest: number | null;
  readonly goals: readonly string[];
}

/** Level by level; from a violating state only when told to go beyond. */
export function truthOf(world: World, goesBeyond: boolean): Truth {
  const violated = new Map<string, number>();
  const expanded = new Set<string>();
  const classes = new Set<string>();
  let goals = 0;
  let shortest: number | null = null;
  const see = (state: Int32Array, mask: number, length: number): void => {
    const key = state.join();
    violated.set(key, (violated.get(key) ?? 0) | mask);
    goals |= world.reached(state, 0);
    const canonical = state.slice();
    world.canonicalize(canonical, 0);
    classes.add(canonical.join());
    if (mask !== 0) shortest = Math.min(shortest ?? Infinity, length);
  };
  const first = new Int32Array(world.stateSize);
  world.begin(first, 0);
  see(first, 0, 0);
  let level = [first];
  for (let length = 0; level.length > 0; length++) {
    const next: (typeof first)[] = [];
    for (const state of level) {
      if (expanded.has(state.join())) continue;
      expanded.add(state.join());
      const enabled = world.choices(state, 0);
      if (enabled === 0) see(state, world.judgeEnd(state, 0), length);
      for (let choice = 0; choice < world.choiceCount; choice++) {
        if ((enabled & (1 << choice)) === 0) continue;
        const after = new Int32Array(world.stateSize);
        const mask = world.step(state, 0, choice, after, 0);
        see(after, mask, length + 1);
        if (mask === 0 || goesBeyond) next.push(after);
      }
    }
    level = next;
  }
  return {
    states: violated.size,
    classes: classes.size,
    violations: countByName(world.properties, [...violated.values()]),
    shortest,
    goals: world.goals.filter((_, bit) => (goals & (1 << bit)) !== 0),
  };
}

/** All schedules as text, to their end or to their first violation, and the masks found. */
export function schedulesOf(
  world: World,
  preemptionsMax = Infinity,
): { texts: string[]; masks: number[] } {
  const texts: string[] = [];
  const masks: number[] = [];
  const goOn = (state: Int32Array, text: string, last: number, preemptions: number): void => {
    const enabled = world.choices(state, 0);
    if (enabled === 0) {
      texts.push(text);
      masks.push(world.judgeEnd(state, 0));
    }
    for (let choice = 0; choice < world.choiceCount; choice++) {
      if ((enabled & (1 << choice)) === 0) continue;
      const agent = world.agentOf(choice);
      const isPreempting =
        agent >= 0 && last >= 0 && agent !== last && (enabled & (1 << last)) !== 0;
      const count = preemptions + (isPreempting ? 1 : 0);
      if (count > preemptionsMax) continue;
      const after = new Int32Array(world.stateSize);
      const mask = world.step(state, 0, choice, after, 0);
      const longer = text + world.wordOf(choice);
      if (mask === 0) goOn(after, longer, agent < 0 ? last : agent, count);
      else {
        texts.push(longer);
        masks.push(mask);
      }
    }
  };
  const first = new Int32Array(world.stateSize);
  world.begin(first, 0);
  goOn(first, "", -1, 0);
  return { texts, masks };
}

export function countByName(
  names: readonly string[],
  masks: readonly number[],
): Record<string, number> {
  const counts = names.map((_, bit) => masks.filter((mask) => (mask & (1 << bit)) !== 0).length);
  const entries = names.map((name, bit) => [name, counts[bit]!] as const);
  return Object.fromEntries(entries.filter(([, count]) => count > 0));
}
