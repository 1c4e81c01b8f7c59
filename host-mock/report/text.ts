import type { RunFacts } from "../properties/facts.ts";
import { vacancies } from "../properties/leader-within.ts";
import { overlaps } from "../properties/single-winner.ts";
import { count, time } from "../properties/wording.ts";
import { axis, type Scale } from "./axis.ts";
import { callSection } from "./call-section.ts";
import {
  drawDoubles,
  drawLane,
  drawVacancies,
  marks,
  type DrawingOptions,
  type MarkName,
} from "./lane-drawing.ts";
import { choose, lanesOf, type Lane, type Lanes } from "./lanes.ts";
import { clean, paint as paintOf, wrap, type Paint } from "./paint.ts";
import { factsOfRun, isOk, type JudgedRun } from "./run.ts";
import { story, type Entry } from "./story.ts";
import { TermNames } from "./term-names.ts";
import { trapSection } from "./trap-section.ts";
import { verdictTable } from "./verdict-table.ts";

export interface TimelineOptions {
  /** Colours, as the terminal or the user wants them; the picture reads the same without. */
  readonly color: boolean;
  /** Columns of the terminal; 40 … 160 are used. */
  readonly width: number;
}

/** More lanes than this are not taken in at a glance. */
const laneCountMax = 12;
/** More lines than this are not read. */
const storyLengthMax = 24;
/** From this width on, numbers stand beside the lanes. */
const numbersWidthMin = 78;
const numbersWidth = 17;

/**
 * A run as a person reads it: a lane per VM with who led and under which term, faults and effects; then the main events in
 * words, the verdicts, and the totals.
 */
export function timeline(run: JudgedRun, options: TimelineOptions): string {
  const width = Math.max(40, Math.min(160, options.width));
  const paint = paintOf(options.color);
  const facts = factsOfRun(run);
  const threadCount = new Set(facts.life.contexts.map((life) => life.thread)).size;
  const about = [
    `${time(run.durationNs)} of virtual time`,
    count(threadCount, "VM"),
    `seed ${run.seed}`,
    `profile ${run.profile}`,
  ].join(" · ");
  const sections = [
    [paint.strong(clean(run.name)), ...wrap(about, width).map(paint.faint)],
    picture(facts, width, paint),
    storyLines(story(facts), width, paint),
    trapSection(facts, width, paint),
    verdictTable(run.verdicts, { width, paint }),
    callSection(facts, run.verdicts, width, paint),
    totals(run, facts, width, paint),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function picture(facts: RunFacts, width: number, paint: Paint): string[] {
  const electing = [...facts.leaderships]
    .filter(([, all]) => all.length > 0)
    .map(([plugin]) => plugin);
  const plugins: readonly (string | null)[] = electing.length === 0 ? [null] : electing;
  const blocks = plugins.map((plugin) => ({
    plugin,
    lanes: choose(lanesOf(facts, plugin), laneCountMax),
  }));
  const names = blocks.flatMap(({ lanes }) => lanes.shown.map((lane) => lane.thread));
  if (names.length === 0) return [];
  const hasNumbers = width >= numbersWidthMin;
  const labelWidth = Math.max(9, ...names.map((name) => name.length)) + 2;
  const scale: Scale = {
    durationNs: facts.durationNs,
    width: width - 2 - labelWidth - (hasNumbers ? numbersWidth : 0),
  };
  const used = new Set<MarkName>();
  const indent = " ".repeat(2 + labelWidth);
  const [labels, ruler] = axis(scale);
  const heads = hasNumbers ? `${"led".padStart(10)}${"calls".padStart(7)}` : "";
  const lines = [
    `${indent}${paint.faint(`${hasNumbers ? labels.padEnd(scale.width) : labels}${heads}`)}`,
    `${indent}${paint.faint(ruler)}`,
  ];
  for (const { plugin, lanes } of blocks) {
    if (blocks.length > 1 && plugin !== null) lines.push(`  ${paint.strong(clean(plugin))}`);
    lines.push(...blockLines(facts, plugin, lanes, { scale, paint, used, labelWidth, hasNumbers }));
  }
  return [...lines, "", ...legend(used, { width, paint, hasElection: electing.length > 0 })];
}

interface BlockOptions {
  readonly scale: Scale;
  readonly paint: Paint;
  readonly used: Set<MarkName>;
  readonly labelWidth: number;
  readonly hasNumbers: boolean;
}

function blockLines(
  facts: RunFacts,
  plugin: string | null,
  lanes: Lanes,
  options: BlockOptions,
): string[] {
  const { paint, scale, labelWidth, used } = options;
  const all = plugin === null ? [] : (facts.leaderships.get(plugin) ?? []);
  const terms = new TermNames(all);
  const every = [...lanes.shown, ...lanes.hidden];
  const drawing: DrawingOptions = {
    scale,
    paint,
    used,
    labelOf: (leadership) => terms.of(leadership),
    drawsCalls: areCallsSparse(every, scale),
  };
  const label = (text: string): string => `  ${text.padEnd(labelWidth)}`;
  const lines: string[] = [];
  if (lanes.hidden.length > 0)
    lines.push(label("leader") + drawLane(leaderLane(every), drawing), "");
  for (const lane of lanes.shown) {
    lines.push(
      `${label(lane.thread)}${drawLane(lane, drawing)}${numbers(lane, options)}`.trimEnd(),
    );
  }
  const doubles = drawDoubles(overlaps(all), drawing);
  if (doubles !== "") lines.push(`${paint.bad(label("two lead"))}${doubles}`.trimEnd());
  const gaps =
    plugin === null ? "" : drawVacancies(vacancies(all, { endNs: scale.durationNs }), drawing);
  if (gaps !== "") lines.push(`${paint.warn(label("nobody"))}${gaps}`.trimEnd());
  if (lanes.hidden.length > 0)
    lines.push(
      ...wrap(hiddenWords(lanes.hidden), labelWidth + scale.width).map(
        (line) => `  ${paint.faint(line)}`,
      ),
    );
  return lines;
}

/** Beads that touch each other hide the bar and count nothing; the number beside the lane does. */
function areCallsSparse(lanes: readonly Lane[], scale: Scale): boolean {
  const callCount = lanes.reduce((sum, lane) => sum + lane.calls.length, 0);
  const ledNs = lanes.reduce((sum, lane) => sum + lane.ledNs, 0);
  const columns = ledNs === 0 ? scale.width : (ledNs / Math.max(1, scale.durationNs)) * scale.width;
  return callCount <= Math.max(8, columns * 0.6);
}

/** All leaderships in one lane, with the losses of leaders only. */
function leaderLane(lanes: readonly Lane[]): Lane {
  const leaderships = lanes.flatMap((lane) => lane.leaderships);
  const lost = (end: "crashed" | "trapped"): number[] =>
    leaderships
      .filter((leadership) => leadership.end === end)
      .map((leadership) => leadership.untilNs);
  return {
    thread: "leader",
    alive: [],
    pauses: [],
    leaderships,
    calls: [],
    crashesNs: lost("crashed"),
    restartsNs: [],
    trapsNs: lost("trapped"),
    ledNs: 0,
  };
}

function hiddenWords(hidden: readonly Lane[]): string {
  const sum = (of: (lane: Lane) => number): number =>
    hidden.reduce((total, lane) => total + of(lane), 0);
  const parts = [
    [sum((lane) => lane.crashesNs.length), "crash"],
    [sum((lane) => lane.leaderships.length), "leadership"],
    [sum((lane) => lane.calls.length), "call"],
  ] as const;
  const words = parts
    .filter(([amount]) => amount > 0)
    .map(([amount, noun]) =>
      noun === "crash" && amount !== 1 ? `${amount} crashes` : count(amount, noun),
    );
  const what = words.length === 0 ? "nothing happened there" : words.join(", ");
  return `+ ${count(hidden.length, "lane")} not drawn: ${what}`;
}

function numbers(lane: Lane, { hasNumbers }: BlockOptions): string {
  if (!hasNumbers) return "";
  const led = lane.ledNs === 0 ? "" : shortTime(lane.ledNs);
  const calls = lane.calls.length === 0 ? "" : String(lane.calls.length);
  return `${led.padStart(10)}${calls.padStart(7)}`;
}

/** At most nine columns: `7 s`, `29.7 s`, `12 m 03 s`, `1 h 02 m`. */
function shortTime(ns: number): string {
  if (ns < 1e9) return time(Math.round(ns / 1e6) * 1e6);
  if (ns < 600e9) return time(Math.round(ns / 1e8) * 1e8);
  const seconds = Math.round(ns / 1e9);
  if (seconds < 3600)
    return `${Math.floor(seconds / 60)} m ${String(seconds % 60).padStart(2, "0")} s`;
  return `${Math.floor(seconds / 3600)} h ${String(Math.floor((seconds % 3600) / 60)).padStart(2, "0")} m`;
}

function legend(
  used: ReadonlySet<MarkName>,
  { width, paint, hasElection }: { width: number; paint: Paint; hasElection: boolean },
): string[] {
  const items = (Object.keys(marks) as MarkName[])
    .filter((name) => used.has(name))
    .map((name) =>
      name === "follows" && !hasElection ? { ...marks[name], meaning: "alive" } : marks[name],
    );
  const lines: string[] = [];
  let plainLength = 0;
  for (const { sign, style, meaning } of items) {
    const length = sign.length + 1 + meaning.length;
    const painted = `${paint[style](sign)} ${paint.faint(meaning)}`;
    const last = lines.length - 1;
    if (last >= 0 && plainLength + 3 + length <= width - 2) {
      lines[last] += `   ${painted}`;
      plainLength += 3 + length;
    } else {
      lines.push(`  ${painted}`);
      plainLength = length;
    }
  }
  return lines;
}

function storyLines(entries: readonly Entry[], width: number, paint: Paint): string[] {
  const { kept, minorCount, cutCount } = shorten(entries);
  const times = kept.map((one) => (one === null ? "" : time(one.atNs)));
  const timeWidth = Math.max(8, ...times.map((text) => text.length));
  const lines: string[] = [];
  for (const [index, one] of kept.entries()) {
    const at = (times[index] ?? "").padStart(timeWidth);
    if (one === null) {
      lines.push(
        paint.faint(`  ${"⋮".padStart(timeWidth)}    ${cutCount.toLocaleString("en-US")} more`),
      );
      continue;
    }
    const [first, ...more] = wrap(one.text, width - timeWidth - 6);
    lines.push(`  ${paint.faint(at)}  ${paint[one.style](one.sign)} ${first ?? ""}`);
    for (const line of more) lines.push(`${" ".repeat(timeWidth + 6)}${line}`);
  }
  if (minorCount > 0) {
    const words = `${count(minorCount, "event")} of VMs that did not lead, not listed`;
    for (const line of wrap(words, width - timeWidth - 6))
      lines.push(paint.faint(" ".repeat(timeWidth + 6) + line));
  }
  return lines;
}

/** A long story loses what touched no leader, then its middle (null marks the gap). */
function shorten(entries: readonly Entry[]): {
  kept: (Entry | null)[];
  minorCount: number;
  cutCount: number;
} {
  if (entries.length <= storyLengthMax) return { kept: [...entries], minorCount: 0, cutCount: 0 };
  const major = entries.filter((one) => !one.isMinor);
  const minorCount = entries.length - major.length;
  if (major.length <= storyLengthMax) return { kept: major, minorCount, cutCount: 0 };
  const tail = 6;
  const head = storyLengthMax - tail;
  return {
    kept: [...major.slice(0, head), null, ...major.slice(-tail)],
    minorCount,
    cutCount: major.length - head - tail,
  };
}

function totals(run: JudgedRun, facts: RunFacts, width: number, paint: Paint): string[] {
  const leaderships = [...facts.leaderships.values()].flat();
  const refusedCount = facts.calls.filter((call) => call.isRefused).length;
  const hostCalls = facts.ended?.args["host_calls"];
  const parts = [
    ...(leaderships.length > 0 ? [count(leaderships.length, "leadership")] : []),
    `${count(facts.calls.length, "call")} sent${refusedCount > 0 ? `, ${refusedCount} refused` : ""}`,
    ...(facts.exchanges.length > 0 ? [count(facts.exchanges.length, "request")] : []),
    ...(facts.connections.length > 0 ? [count(facts.connections.length, "connection")] : []),
    ...(facts.traps.length > 0 ? [count(facts.traps.length, "trap")] : []),
    count(facts.logs.length, "log line"),
    ...(typeof hostCalls === "number" ? [count(hostCalls, "host call")] : []),
  ];
  const missed = run.verdicts.filter((verdict) => !verdict.ok).length;
  const all = run.verdicts.length;
  const verdict = isOk(run)
    ? paint.good(`✔ ${all === 1 ? "the verdict is" : `all ${all} verdicts are`} as expected`)
    : paint.bad(`✘ ${missed} of ${count(all, "verdict")} not as expected`);
  return [
    ...wrap(parts.join(" · "), width - 2).map((line) => paint.faint(`  ${line}`)),
    ...(all > 0 ? [`  ${verdict}`] : []),
  ];
}
