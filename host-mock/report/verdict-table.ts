import type { Verdict } from "../properties/property.ts";
import { clean, wrap, type Paint } from "./paint.ts";

/** A line per verdict, with its detail; implied ones that held share one line at the end. */
export function verdictTable(
  verdicts: readonly Verdict[],
  options: { width: number; paint: Paint },
): string[] {
  const isQuiet = (verdict: Verdict): boolean => verdict.implied && verdict.ok;
  const told = verdicts.filter((verdict) => !isQuiet(verdict));
  const widths = {
    property: Math.max(0, ...told.map((verdict) => verdict.property.length)),
    subject: Math.max(0, ...told.map((verdict) => clean(verdict.subject).length)),
  };
  const lines = told.flatMap((verdict) => row(verdict, widths, options));
  const quiet = [...new Set(verdicts.filter(isQuiet).map((verdict) => verdict.property))];
  if (quiet.length > 0) {
    const [first, ...more] = wrap(`implied: ${quiet.join(", ")}`, options.width - 4);
    lines.push(`  ${options.paint.good("✔")} ${options.paint.faint(first ?? "")}`);
    for (const line of more) lines.push(`    ${options.paint.faint(line)}`);
  }
  return lines;
}

/** Details need this much room beside the names; else they stand below. */
const detailWidthMin = 44;

function row(
  verdict: Verdict,
  widths: { property: number; subject: number },
  { width, paint }: { width: number; paint: Paint },
): string[] {
  const mark = verdict.ok ? paint.good("✔") : paint.bad("✘");
  const property = verdict.property.padEnd(widths.property);
  const subject = clean(verdict.subject).padEnd(widths.subject);
  const head = `  ${mark} ${verdict.ok ? property : paint.bad(property)}  ${subject}`;
  const detail = sentence(verdict);
  if (detail === "") return [head.trimEnd()];
  const indent = 4 + widths.property + 2 + widths.subject + 2;
  const color = verdict.ok ? paint.faint : paint.plain;
  if (width - indent >= detailWidthMin) {
    const [first, ...more] = wrap(detail, width - indent);
    return [
      `${head}  ${color(first ?? "")}`,
      ...more.map((line) => " ".repeat(indent) + color(line)),
    ];
  }
  return [head.trimEnd(), ...wrap(detail, width - 6).map((line) => `      ${color(line)}`)];
}

/** What there is to say of a verdict. */
export function sentence(verdict: Verdict): string {
  const detail = clean(verdict.detail);
  if (verdict.expected === "holds") return detail;
  if (verdict.holds)
    return `holds, but was expected to be violated${detail === "" ? "" : `: ${detail}`}`;
  return `violated, as expected${detail === "" ? "" : `: ${detail}`}`;
}
