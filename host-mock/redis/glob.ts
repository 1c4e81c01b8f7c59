/**
 * Redis' glob patterns: `?`, `*`, `[a-z]`, `[^a]`, `\` before a character that means itself.
 *
 * Source: Redis `util.c` (stringmatchlen).
 */
export function globMatches(pattern: string, text: string): boolean {
  return compiled(pattern).test(text);
}

function compiled(pattern: string): RegExp {
  let source = "";
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!;
    if (char === "*") source += "[\\s\\S]*";
    else if (char === "?") source += "[\\s\\S]";
    else if (char === "[") {
      const end = classEnd(pattern, at + 1);
      source += classOf(pattern.slice(at + 1, end));
      at = end;
    } else source += quoted(char === "\\" && at + 1 < pattern.length ? pattern[++at]! : char);
  }
  return new RegExp(`^${source}$`);
}

/** Where the class that begins at `start` ends; an open one ends with the pattern. */
function classEnd(pattern: string, start: number): number {
  let at = start;
  while (at < pattern.length && pattern[at] !== "]") at += pattern[at] === "\\" ? 2 : 1;
  return Math.min(at, pattern.length);
}

function classOf(text: string): string {
  const isNegated = text.startsWith("^");
  let source = "";
  for (let at = isNegated ? 1 : 0; at < text.length; at++) {
    if (text[at] === "\\" && at + 1 < text.length) source += quoted(text[++at]!);
    else if (text[at + 1] === "-" && at + 2 < text.length) {
      const [low, high] = [text[at]!, text[at + 2]!].sort();
      source += `${quoted(low!)}-${quoted(high!)}`;
      at += 2;
    } else source += quoted(text[at]!);
  }
  if (source === "") return isNegated ? "[\\s\\S]" : "[]";
  return `[${isNegated ? "^" : ""}${source}]`;
}

function quoted(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
