import { MockHostError } from "../errors.ts";
import { choicesIn } from "./choice-mask.ts";
import type { World } from "./world.ts";

/** E_STATE for a choice that is none of those that can happen; the message says which step it was, and what could. */
export function requirePossible(
  world: World,
  choice: number,
  enabled: number,
  stepsBefore: number,
): void {
  const isChoice = Number.isInteger(choice) && choice >= 0 && choice < world.choiceCount;
  if (isChoice && (enabled & (1 << choice)) !== 0) return;
  const could = choicesIn(enabled).map((other) => world.wordOf(other));
  const what = isChoice ? `${world.wordOf(choice)} cannot happen` : `there is no choice ${choice}`;
  throw new MockHostError("E_STATE", what, {
    place: `step ${stepsBefore + 1} of the schedule`,
    remedy:
      could.length === 0
        ? "nothing can: a schedule ends there"
        : `possible there: ${could.join(", ")}`,
  });
}
