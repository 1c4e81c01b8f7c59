/** Remedies for a mistyped name or option: the nearest known one, or all there are; and what an option must be. */
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

/** The known name at most a third of its letters away, and at most so many, or undefined. */
export function nearestName(
  name: unknown,
  known: readonly string[],
  atMost = Infinity,
): string | undefined {
  if (typeof name !== "string") return undefined;
  let nearest: string | undefined;
  let fewest = Infinity;
  for (const candidate of known) {
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase());
    // With as many changes as letters any two words are alike.
    if (edits >= candidate.length) continue;
    if (edits > atMost) continue;
    if (edits < fewest && edits <= Math.max(1, Math.floor(candidate.length / 3))) {
      [nearest, fewest] = [candidate, edits];
    }
  }
  return nearest;
}

/** ` (did you mean X?)` for the known name nearest to a mistyped one, "" when none is near. */
export function nearest(name: unknown, known: readonly string[]): string {
  const found = nearestName(name, known);
  return found === undefined ? "" : ` (did you mean ${found}?)`;
}

/** E_UNKNOWN_NAME with the nearest name and all there are. */
export function unknownName(kind: string, name: unknown, known: readonly string[]): MockHostError {
  const some = known.length > 12 ? [...known.slice(0, 11), `… ${known.length} in all`] : known;
  const remedy = known.length === 0 ? `there is no ${kind} at all` : `there are ${some.join(", ")}`;
  const what = `there is no ${kind} ${shown(name)}${nearest(name, known)}`;
  return new MockHostError("E_UNKNOWN_NAME", what, { remedy });
}

/** E_OPTION unless the value is an object that has no other keys than these. */
export function requireKeys(called: string, value: unknown, known: readonly string[]): void {
  if (!isRecord(value)) {
    throw new MockHostError("E_OPTION", `${called} is given ${kindOf(value)} for its options`, {
      remedy: `give an object with ${known.join(", ")}`,
    });
  }
  let wrong: string | undefined;
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    wrong = key;
    break;
  }
  if (wrong === undefined) return;
  const what = `${called} has no option ${JSON.stringify(wrong)}${nearest(wrong, known)}`;
  throw new MockHostError("E_OPTION", what, { remedy: `its options are ${known.join(", ")}` });
}

/** E_OPTION unless it is an object, whose keys may be any names. */
export function requireRecord(called: string, value: unknown, remedy: string): void {
  if (isRecord(value)) return;
  throw new MockHostError("E_OPTION", `${called} is given ${kindOf(value)}`, { remedy });
}

/** E_OPTION unless it is true, false or absent. */
export function requireFlag(called: string, value: unknown): void {
  if (value === undefined || typeof value === "boolean") return;
  throw new MockHostError("E_OPTION", `${called} is ${shown(value)}`, {
    remedy: "write true or false",
  });
}

/** E_OPTION for what is none of these words, with the nearest one. */
export function requireWord<Word extends string>(
  called: string,
  value: unknown,
  words: readonly Word[],
  more = "",
): Word {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  const near = typeof value === "string" ? nearest(value, words) : "";
  throw new MockHostError("E_OPTION", `${called} is ${shown(value)}${near}`, {
    remedy: `write one of ${words.join(", ")}${more}`,
  });
}

/** E_OPTION unless it is a text or absent. */
export function requireText(called: string, value: unknown): void {
  if (value === undefined || typeof value === "string") return;
  throw new MockHostError("E_OPTION", `${called} is ${shown(value)}`, { remedy: "give a text" });
}

/** E_OPTION unless it is a function. */
export function requireFunction(called: string, value: unknown, remedy: string): void {
  if (typeof value === "function") return;
  throw new MockHostError("E_OPTION", `${called} is ${shown(value)}`, { remedy });
}

/** E_OPTION unless it is a list of texts that are not empty, or absent. */
export function requireNames(called: string, value: unknown, remedy: string): void {
  if (value === undefined) return;
  const wrong: unknown[] | undefined = Array.isArray(value)
    ? value.filter((name) => typeof name !== "string" || name === "").slice(0, 1)
    : undefined;
  if (wrong?.length === 0) return;
  const what = wrong === undefined ? `is ${shown(value)}` : `has ${shown(wrong[0])} in it`;
  throw new MockHostError("E_OPTION", `${called} ${what}`, { remedy });
}

/** A word or a number as it was given, else its kind. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  return ["number", "boolean"].includes(typeof value) ? String(value) : kindOf(value);
}

/** What a value is, in words: "a list", "nothing", "a number", "a Map". */
export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value === undefined || value === null) return "nothing";
  const kind = typeof value === "object" ? tagOf(value) : typeof value;
  return `${/^[AEIOaeio]/.test(kind) ? "an" : "a"} ${kind}`;
}

/** An object whose own keys say all: no list, no Map, no bytes, no promise. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  return ["object", "Module"].includes(tagOf(value));
}

/** "Map", "Promise", "Uint8Array"; "object" for what is nothing special. */
function tagOf(value: object): string {
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return tag === "Object" ? "object" : tag;
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
