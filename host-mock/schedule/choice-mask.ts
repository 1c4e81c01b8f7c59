/** Masks of choices: bit `choice` is set when the choice is in it. */

/** The lowest choice of a mask that is not empty. */
export function lowestChoice(mask: number): number {
  return 31 - Math.clz32(mask & -mask);
}

export function countOfChoices(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** The choice that has `skipped` others of the mask below it. */
export function nthChoice(mask: number, skipped: number): number {
  let rest = mask;
  for (let i = 0; i < skipped; i++) rest &= rest - 1;
  return lowestChoice(rest);
}

export function choicesIn(mask: number): number[] {
  const choices: number[] = [];
  for (let rest = mask; rest !== 0; rest &= rest - 1) choices.push(lowestChoice(rest));
  return choices;
}
