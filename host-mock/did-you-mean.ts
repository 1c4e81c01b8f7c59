/** Remedies for a mistyped name: the nearest known one, or all there are. */
import { MockHostError } from "./errors.ts";

/**
 * The remedy for an unknown name: the nearest known one when it is near enough to be a slip of the finger, else all
 * of them.
 */
export function didYouMean(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `did you mean ${nearest}?`;
  if (known.length === 0) return "none is declared";
  return known.length === 1 ? `there is ${known[0]}` : `there are ${known.join(", ")}`;
}

/** The known name at most a third of its letters away, or undefined. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let fewest = Infinity;
  for (const candidate of known) {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase());
    // With as many changes as letters any two words are alike.
    if (edits >= candidate.length) continue;
    if (edits < fewest && edits <= Math.max(1, Math.floor(candidate.length / 3))) {
      [nearest, fewest] = [candidate, edits];
    }
  }
  return nearest;
}

/** ` (did you mean X?)` for the known name nearest to a mistyped one, "" when none is near. */
export function nearest(name: string, known: readonly string[]): string {
  const found = nearestName(name, known);
  return found === undefined ? "" : ` (did you mean ${found}?)`;
}

/** E_UNKNOWN_NAME with the nearest name and all there are. */
export function unknownName(kind: string, name: string, known: readonly string[]): MockHostError {
  const shown = known.length > 12 ? [...known.slice(0, 11), `… ${known.length} in all`] : known;
  const remedy =
    known.length === 0 ? `there is no ${kind} at all` : `there are ${shown.join(", ")}`;
  const what = `there is no ${kind} ${JSON.stringify(name)}${nearest(name, known)}`;
  return new MockHostError("E_UNKNOWN_NAME", what, { remedy });
}

/** E_OPTION unless the value is an object that has no other keys than these. */
export function requireKeys(called: string, value: unknown, known: readonly string[]): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new MockHostError("E_OPTION", `${called} is given ${kindOf(value)} for its options`, {
      remedy: `give an object with ${known.join(", ")}`,
    });
  }
  const wrong = Object.keys(value).find((key) => !known.includes(key));
  if (wrong === undefined) return;
  const what = `${called} has no option ${JSON.stringify(wrong)}${nearest(wrong, known)}`;
  throw new MockHostError("E_OPTION", what, { remedy: `its options are ${known.join(", ")}` });
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return value === undefined || value === null ? "nothing" : `a ${typeof value}`;
}

/** Insertions, deletions, changes and swaps of neighbours that turn one text into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = from[i - 1] === to[j - 1] ? 0 : 1;
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + change);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        best = Math.min(best, at(beforeLast, j - 2) + 1);
      }
      row.push(best);
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
