import { count, time } from "../../properties/wording.ts";
import type { RunFacts } from "../../properties/facts.ts";
import { trapLines, trapText } from "../../properties/trap-words.ts";
import type { Verdict } from "../../properties/property.ts";
import { clean } from "../paint.ts";
import { story } from "../story.ts";
import { TermNames } from "../term-names.ts";
import { sentence } from "../verdict-table.ts";
import { escape } from "./escape.ts";

/** Longer tables are not read, and make a page heavy. */
const rowCountMax = 400;

/** A table in a box that scrolls by itself, so that no page is wider than its screen. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  options: {
    readonly bad?: ReadonlySet<number>;
    readonly stacks?: boolean;
    readonly wraps?: boolean;
  } = {},
): string {
  const head = heads.map((text) => `<th scope="col">${escape(text)}</th>`).join("");
  const body = rows
    .slice(0, rowCountMax)
    .map((cells, index) => {
      const mark = options.bad?.has(index) === true ? ' class="bad"' : "";
      return `<tr${mark}>${cells.map((text) => `<td>${escape(text)}</td>`).join("")}</tr>`;
    })
    .join("");
  const more =
    rows.length > rowCountMax
      ? `<p class="dim">${count(rows.length - rowCountMax, "row")} more, not listed</p>`
      : "";
  const kind = options.stacks === true ? "stack" : options.wraps === true ? "wraps" : "";
  const stack = kind === "" ? "" : ` class="${kind}"`;
  return `<div class="table"><table${stack}><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>${more}`;
}

export function verdictsTable(verdicts: readonly Verdict[]): string {
  const bad = new Set(verdicts.flatMap(({ ok }, index) => (ok ? [] : [index])));
  const rows = verdicts.map((verdict) => [
    `${verdict.ok ? "✔" : "✘"} ${verdict.property}`,
    clean(verdict.subject),
    verdict.holds ? "holds" : "violated",
    verdict.atMs === null ? "" : time(Math.round(verdict.atMs * 1e6)),
    `${sentence(verdict)}${verdict.implied ? `${sentence(verdict) === "" ? "" : " "}(implied)` : ""}`,
  ]);
  return table(["check", "of", "verdict", "at", "detail"], rows, { bad, stacks: true });
}

export function leadershipsTable(facts: RunFacts): string {
  const rows = [...facts.leaderships].flatMap(([plugin, all]) => {
    const names = new TermNames(all);
    return all.map((one) => [
      time(one.fromNs),
      one.vm,
      ...(facts.leaderships.size > 1 ? [plugin] : []),
      one.term === null ? "–" : `${one.term} (${names.of(one)})`,
      time(one.untilNs),
      time(one.untilNs - one.fromNs),
      one.end,
    ]);
  });
  if (rows.length === 0) return "<p>Nobody led.</p>";
  const plugin = facts.leaderships.size > 1 ? ["plugin"] : [];
  return table(["from", "VM", ...plugin, "term", "until", "led for", "end"], rows);
}

/** Faults and what else happened, in words; of a long story first what touched no leader goes. */
export function storyTable(facts: RunFacts): string {
  const all = story(facts);
  const kept = all.length > rowCountMax ? all.filter(({ isMinor }) => !isMinor) : all;
  const bad = new Set(kept.flatMap(({ style }, index) => (style === "bad" ? [index] : [])));
  const rows = kept.map(({ atNs, sign, text }) => [time(atNs), `${sign} ${text}`.trim()]);
  const minor = all.length - kept.length;
  const note =
    minor > 0
      ? `<p class="dim">${count(minor, "event")} of VMs that did not lead, not listed</p>`
      : "";
  return table(["at", "what"], rows, { bad }) + note;
}

/** Where guests trapped by themselves; "" when none did. */
export function trapsSection(facts: RunFacts): string {
  const told = facts.traps.filter((trap) => trapLines(trap).length > 0).slice(0, 10);
  if (told.length === 0) return "";
  const parts = told.map((trap) => {
    const lines = [clean(trapText(trap)), ...trapLines(trap).map((line) => clean(line))];
    return `<pre>${escape(lines.join("\n"))}</pre>`;
  });
  return `<section><h2>Traps</h2>${parts.join("")}</section>`;
}
