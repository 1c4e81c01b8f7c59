import type { RunFacts } from "../properties/facts.ts";
import { hasLastCalls, lastCalls } from "../properties/last-calls.ts";
import type { Verdict } from "../properties/property.ts";
import { clean, wrap, type Paint } from "./paint.ts";

/**
 * The last host calls before each unexpected violation, of the VMs that it names; else how to have them. A trap's own stand
 * with the trap.
 */
export function callSection(
  facts: RunFacts,
  verdicts: readonly Verdict[],
  width: number,
  paint: Paint,
): string[] {
  const asking = verdicts.filter(
    (verdict) => !verdict.ok && verdict.property !== "no_trap" && hasLastCalls(verdict),
  );
  if (asking.length === 0) return [];
  const lines = asking.flatMap((verdict) => {
    const calls = lastCalls(facts, verdict);
    return calls.length === 0
      ? []
      : [`  ${paint.strong(verdict.property)}`, ...calls.map((line) => `  ${clean(line, width)}`)];
  });
  if (lines.length > 0) return lines;
  const hint = "host calls were not kept: --trace FILE writes each of them as a line";
  return wrap(hint, width - 2).map((line) => `  ${paint.faint(line)}`);
}
