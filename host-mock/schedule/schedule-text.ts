import { nearest } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import type { World } from "./world.ts";

const repeatMax = 1_000_000;

/** A schedule as text: a word for each choice, equal neighbours joined: `main*3 worker_0*2 time crash:worker_0`. */
export function scheduleText(world: World, schedule: readonly number[]): string {
  const runs: { choice: number; count: number }[] = [];
  for (const choice of schedule) {
    const last = runs.at(-1);
    if (last?.choice === choice) last.count++;
    else runs.push({ choice, count: 1 });
  }
  return runs
    .map(({ choice, count }) => world.wordOf(choice) + (count === 1 ? "" : `*${count}`))
    .join(" ");
}

/**
 * The choices of a text that `scheduleText` could have written; commas may stand for spaces.
 *
 * E_UNKNOWN_NAME for a word that is no choice, E_OPTION for a wrong count; both name the word and its place.
 */
export function parseSchedule(world: World, text: string): number[] {
  const choiceOf = wordsOf(world);
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  return parts.flatMap((part, index) => {
    const place = `word ${index + 1} of the schedule`;
    const [word = "", count, ...more] = part.split("*");
    const choice = choiceOf.get(word);
    if (choice === undefined) {
      const known = [...choiceOf.keys()];
      const what = `there is no choice ${JSON.stringify(word)}${nearest(word, known)}`;
      throw new MockHostError("E_UNKNOWN_NAME", what, {
        place,
        remedy: `the choices are ${known.join(", ")}`,
      });
    }
    return Array.from({ length: countIn(part, more.length > 0 ? "" : count, place) }, () => choice);
  });
}

function countIn(part: string, count: string | undefined, place: string): number {
  if (count === undefined) return 1;
  const value = /^[1-9][0-9]*$/.test(count) ? Number(count) : 0;
  if (value >= 1 && value <= repeatMax) return value;
  throw new MockHostError("E_OPTION", `${JSON.stringify(part)} has a wrong count`, {
    place,
    remedy: `write WORD, or WORD*N with N from 1 to ${repeatMax}`,
  });
}

function wordsOf(world: World): Map<string, number> {
  const choices = Array.from({ length: world.choiceCount }, (_, choice) => choice);
  return new Map(choices.map((choice) => [world.wordOf(choice), choice]));
}
