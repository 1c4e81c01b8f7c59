import type { RunFacts } from "../../properties/facts.ts";
import { count } from "../../properties/wording.ts";
import { factsOfRun, type JudgedRun } from "../run.ts";
import { CallDetail } from "./call-detail.ts";
import { itemColumns, itemKinds, unitOf, type Item } from "./items.ts";
import { dataItems, logItems } from "./kept-items.ts";
import type { CallbackColumns, ReportData } from "./report-data.ts";
import { Rows } from "./rows.ts";
import { runItems } from "./run-items.ts";
import { Texts } from "./texts.ts";
import { Tones } from "./tones.ts";

/** Lines beyond it make a page slow and say little. */
const logCountMax = 20_000;
/** Entries, each of which may stand for many callbacks. */
const callbackCountMax = 60_000;

export interface PageData {
  readonly data: ReportData;
  /** What the picture leaves out, in sentences. */
  readonly notes: readonly string[];
}

/** What there is to draw, before anything is left out. */
export interface Picture {
  readonly facts: RunFacts;
  readonly rows: Rows;
  readonly items: readonly Item[];
  readonly detail: CallDetail;
}

export function pictureOf(run: JudgedRun, given?: CallDetail): Picture {
  const facts = factsOfRun(run);
  const detail = given ?? CallDetail.of(run.events);
  const rows = new Rows(facts, detail.sets);
  const places = { facts, rows, tones: new Tones(facts) };
  const items = [
    ...runItems(places, run.verdicts),
    ...logItems(places, logCountMax),
    ...dataItems(places, detail.sets),
  ].map((item) => within(item, facts.durationNs));
  return { facts, rows, items, detail };
}

/** Everything that the page's script draws. */
export function pageData({ facts, rows, items, detail }: Picture): PageData {
  const runs = detail.runs
    .filter(({ startNs }) => startNs <= facts.durationNs)
    .slice(0, callbackCountMax);
  const unitNs = unitOf([
    facts.durationNs,
    ...items.flatMap(({ atNs, untilNs }) => [atNs, untilNs ?? atNs]),
    ...runs.flatMap(({ startNs, periodNs, lengthNs }) => [startNs, periodNs, lengthNs]),
  ]);
  const texts = new Texts();
  const data: ReportData = {
    unitNs,
    duration: facts.durationNs / unitNs,
    rows: rows.all,
    kinds: itemKinds,
    items: itemColumns(items, unitNs, texts),
    texts: texts.columns(),
    callbacks: runs.length === 0 ? null : callbackColumns({ ...detail, runs }, rows, unitNs),
  };
  return { data, notes: notesOf(facts, detail, { rows, runCount: runs.length }) };
}

/** What a last callback did after the end of the run is drawn at its end. */
function within(item: Item, durationNs: number): Item {
  const { atNs, untilNs } = item;
  if (atNs <= durationNs && (untilNs ?? 0) <= durationNs) return item;
  const until = untilNs === undefined ? {} : { untilNs: Math.min(untilNs, durationNs) };
  return { ...item, atNs: Math.min(atNs, durationNs), ...until };
}

function callbackColumns(
  detail: Pick<CallDetail, "runs" | "calls" | "sequences">,
  rows: Rows,
  unitNs: number,
): CallbackColumns {
  const names: string[] = [];
  const nameIndices = new Map<string, number>();
  const indexOf = (name: string): number => {
    const known = nameIndices.get(name);
    if (known !== undefined) return known;
    nameIndices.set(name, names.length);
    return names.push(name) - 1;
  };
  const sorted = [...detail.runs].sort((one, other) => one.startNs - other.startNs);
  return {
    at: sorted.map(({ startNs }, index) => (startNs - (sorted[index - 1]?.startNs ?? 0)) / unitNs),
    row: sorted.map((run) => rows.vm(run)),
    name: sorted.map(({ name }) => indexOf(name)),
    period: sorted.map(({ periodNs }) => periodNs / unitNs),
    count: sorted.map((run) => run.count),
    length: sorted.map(({ lengthNs }) => lengthNs / unitNs),
    sequence: sorted.map(({ sequence }) => sequence),
    names,
    calls: detail.calls,
    sequences: detail.sequences,
  };
}

function notesOf(
  facts: RunFacts,
  detail: CallDetail,
  { rows, runCount }: { readonly rows: Rows; readonly runCount: number },
): string[] {
  const notes: string[] = [];
  if (detail.runs.length === 0)
    notes.push("The trace has no callbacks and host calls: ticks and calls are not drawn.");
  if (detail.sets.length === 0)
    notes.push("The trace has no sets of shared data: what keys held is not drawn.");
  if (runCount < detail.runs.length)
    notes.push(`Of the callbacks the first ${runCount.toLocaleString("en-US")} kinds are drawn.`);
  if (detail.leftOutSetCount > 0)
    notes.push(`${count(detail.leftOutSetCount, "set")} of shared data at the end are left out.`);
  if (rows.leftOutKeyCount > 0)
    notes.push(`${count(rows.leftOutKeyCount, "key")} of shared data have no line.`);
  if (facts.logs.length > logCountMax)
    notes.push(
      `Of ${count(facts.logs.length, "log line")} ${logCountMax.toLocaleString("en-US")} are kept.`,
    );
  return notes;
}
