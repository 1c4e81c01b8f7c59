import { lowestChoice } from "./choice-mask.ts";
import type { World } from "./world.ts";

/**
 * The schedule of the agents themselves for a path through representatives. Each state on such a path was renamed, so
 * its choices are names in a state that is renamed again and again:
 *
 *     real state   r0 ──d1──▶ r1 ──d2──▶ r2        dN: what is answered
 *                  │σ0        │σ1        │σ2        σN = πN ∘ σN−1, as what it does to choices
 *     path         s0 ──c1──▶ · ─π1▶ s1 ──c2──▶ · ─π2▶ s2
 *
 * It is run forward once, each πN is what `canonicalize` answers, and dN = σN−1⁻¹(cN).
 */
export function realSchedule(world: World, path: readonly number[]): number[] {
  let state = new Int32Array(world.stateSize);
  let next = new Int32Array(world.stateSize);
  world.begin(state, 0);
  const first = world.canonicalize(state, 0);
  let named = Array.from({ length: world.choiceCount }, (_, choice) => choice);
  named = named.map((choice) => renamedChoice(world, choice, first));
  return path.map((choice) => {
    const real = named.indexOf(choice);
    world.step(state, 0, choice, next, 0);
    const renaming = world.canonicalize(next, 0);
    named = named.map((name) => renamedChoice(world, name, renaming));
    [state, next] = [next, state];
    return real;
  });
}

function renamedChoice(world: World, choice: number, renaming: number): number {
  return renaming === 0 ? choice : lowestChoice(world.renamedChoices(1 << choice, renaming));
}
