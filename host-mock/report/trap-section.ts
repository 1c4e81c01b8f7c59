import type { RunFacts } from "../properties/facts.ts";
import { trapLines, trapText } from "../properties/trap-words.ts";
import { clean, wrap, type Paint } from "./paint.ts";

/** More of them are seldom of another kind. */
const trapCountMax = 3;

/** Where guests trapped, and what they had called: the first traps that no fault made. */
export function trapSection(facts: RunFacts, width: number, paint: Paint): string[] {
  const told = facts.traps.filter((trap) => trapLines(trap).length > 0);
  const lines = told
    .slice(0, trapCountMax)
    .flatMap((trap) => [
      ...wrap(clean(trapText(trap)), width - 2).map((line) => `  ${paint.bad(line)}`),
      ...trapLines(trap).map((line) => paint.faint(`  ${clean(line, width - 2)}`)),
    ]);
  const leftCount = told.length - trapCountMax;
  return leftCount > 0 ? [...lines, paint.faint(`  ⋮ ${leftCount} more`)] : lines;
}
