import type { Budget } from "./budget.ts";
import { LuaError } from "./value.ts";

/** What a pattern found: the range in the text, and its captures; a number is a position. */
export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly captures: readonly (string | number)[];
}

const classes: Readonly<Record<string, RegExp>> = {
  a: /[A-Za-z]/,
  c: /[\x00-\x1f\x7f]/,
  d: /[0-9]/,
  l: /[a-z]/,
  p: /[!-/:-@[-`{-~]/,
  s: /[ \t\n\v\f\r]/,
  u: /[A-Z]/,
  w: /[A-Za-z0-9]/,
  x: /[0-9A-Fa-f]/,
  z: /\x00/,
};

const openCapture = -1;
const positionCapture = -2;
const capturesMax = 32;

/** The first match at or after a place; `^` ties it to that place. Source: Lua 5.1 `lstrlib.c`. */
export function findPattern(
  text: string,
  pattern: string,
  init: number,
  budget: Budget,
): PatternMatch | null {
  const isAnchored = pattern.startsWith("^");
  for (let start = init; start <= text.length; start++) {
    const found = matchAt(new Matcher(text, pattern, budget), start, isAnchored ? 1 : 0);
    if (found !== null) return found;
    if (isAnchored) return null;
  }
  return null;
}

function matchAt(matcher: Matcher, start: number, from: number): PatternMatch | null {
  const end = matcher.match(start, from);
  return end === null ? null : { start, end, captures: matcher.captures(start, end) };
}

class Matcher {
  readonly #text: string;
  readonly #pattern: string;
  readonly #captures: { start: number; length: number }[] = [];
  readonly #budget: Budget;

  constructor(text: string, pattern: string, budget: Budget) {
    this.#budget = budget;
    this.#text = text;
    this.#pattern = pattern;
  }

  /** The whole match where the pattern has no captures. */
  captures(start: number, end: number): (string | number)[] {
    if (this.#captures.length === 0) return [this.#text.slice(start, end)];
    return this.#captures.map(({ start: from, length }) => {
      if (length === openCapture) throw new LuaError("unfinished capture");
      return length === positionCapture ? from + 1 : this.#text.slice(from, from + length);
    });
  }

  /** Where the match of `pattern[p…]` at `text[s]` ends; null without one. */
  match(s: number, p: number): number | null {
    const pattern = this.#pattern;
    if (p >= pattern.length) return s;
    this.#budget.spend(1);
    switch (pattern[p]) {
      case "(":
        return pattern[p + 1] === ")"
          ? this.#open(s, p + 2, positionCapture)
          : this.#open(s, p + 1, openCapture);
      case ")":
        return this.#close(s, p + 1);
      case "$":
        if (p + 1 === pattern.length) return s === this.#text.length ? s : null;
        break;
      case "%":
        if (pattern[p + 1] === "b") return this.#balanced(s, p + 2);
        if (pattern[p + 1] === "f") return this.#frontier(s, p + 2);
        if (/\d/.test(pattern[p + 1] ?? "")) return this.#back(s, p);
        break;
      default:
    }
    return this.#single(s, p);
  }

  #single(s: number, p: number): number | null {
    const end = this.#itemEnd(p);
    switch (this.#pattern[end]) {
      case "?": {
        const taken = this.#fits(s, p, end) ? this.match(s + 1, end + 1) : null;
        return taken ?? this.match(s, end + 1);
      }
      case "*":
        return this.#longest(s, p, end, 0);
      case "+":
        return this.#longest(s, p, end, 1);
      case "-":
        for (let at = s; ; at++) {
          const found = this.match(at, end + 1);
          if (found !== null) return found;
          if (!this.#fits(at, p, end)) return null;
        }
      default:
        return this.#fits(s, p, end) ? this.match(s + 1, end) : null;
    }
  }

  #longest(s: number, p: number, end: number, min: number): number | null {
    let count = 0;
    while (this.#fits(s + count, p, end)) count++;
    for (; count >= min; count--) {
      const found = this.match(s + count, end + 1);
      if (found !== null) return found;
    }
    return null;
  }

  #open(s: number, p: number, length: number): number | null {
    if (this.#captures.length >= capturesMax) throw new LuaError("too many captures");
    this.#captures.push({ start: s, length });
    const found = this.match(s, p);
    if (found === null) this.#captures.pop();
    return found;
  }

  #close(s: number, p: number): number | null {
    const capture = this.#captures.findLast(({ length }) => length === openCapture);
    if (capture === undefined) throw new LuaError("invalid pattern capture");
    capture.length = s - capture.start;
    const found = this.match(s, p);
    if (found === null) capture.length = openCapture;
    return found;
  }

  #balanced(s: number, p: number): number | null {
    const [open, close] = [this.#pattern[p], this.#pattern[p + 1]];
    if (open === undefined || close === undefined) throw new LuaError("unbalanced pattern");
    if (this.#text[s] !== open) return null;
    let depth = 1;
    for (let at = s + 1; at < this.#text.length; at++) {
      if (this.#text[at] === close) {
        if (--depth === 0) return this.match(at + 1, p + 2);
      } else if (this.#text[at] === open) depth++;
    }
    return null;
  }

  /** Between a character outside of the set and one inside; behind both ends of the text are zero bytes. */
  #frontier(s: number, p: number): number | null {
    if (this.#pattern[p] !== "[") throw new LuaError("missing '[' after '%f' in pattern");
    const end = this.#itemEnd(p);
    const set = this.#pattern.slice(p + 1, end - 1);
    const isInside = (at: number): boolean => inSet(this.#text[at] ?? "\0", set);
    return !isInside(s - 1) && isInside(s) ? this.match(s, end) : null;
  }

  #back(s: number, p: number): number | null {
    const capture = this.#captures[Number(this.#pattern[p + 1]) - 1];
    if (capture === undefined || capture.length === openCapture)
      throw new LuaError("invalid capture index");
    const wanted = this.#text.slice(capture.start, capture.start + capture.length);
    return this.#text.startsWith(wanted, s) ? this.match(s + wanted.length, p + 2) : null;
  }

  #itemEnd(p: number): number {
    const pattern = this.#pattern;
    if (pattern[p] === "%") {
      if (p + 1 >= pattern.length) throw new LuaError("malformed pattern (ends with '%')");
      return p + 2;
    }
    if (pattern[p] !== "[") return p + 1;
    let at = pattern[p + 1] === "^" ? p + 2 : p + 1;
    do {
      if (at >= pattern.length) throw new LuaError("malformed pattern (missing ']')");
      at += pattern[at] === "%" ? 2 : 1;
    } while (pattern[at] !== "]");
    return at + 1;
  }

  #fits(s: number, p: number, end: number): boolean {
    const char = this.#text[s];
    if (char === undefined) return false;
    const item = this.#pattern.slice(p, end);
    if (item === ".") return true;
    if (item.length === 2 && item.startsWith("%")) return inClass(char, item[1]!);
    if (item.length > 1 && item.startsWith("[")) return inSet(char, item.slice(1, -1));
    return char === item;
  }
}

function inClass(char: string, letter: string): boolean {
  const found = classes[letter.toLowerCase()];
  if (found === undefined) return char === letter;
  return found.test(char) === (letter === letter.toLowerCase());
}

function inSet(char: string, set: string): boolean {
  const isNegated = set.startsWith("^");
  const items = isNegated ? set.slice(1) : set;
  for (let at = 0; at < items.length; at++) {
    if (items[at] === "%") {
      if (inClass(char, items[++at]!)) return !isNegated;
    } else if (items[at + 1] === "-" && at + 2 < items.length) {
      if (items[at]! <= char && char <= items[at + 2]!) return !isNegated;
      at += 2;
    } else if (items[at] === char) return !isNegated;
  }
  return isNegated;
}
