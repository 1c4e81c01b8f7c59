import { time } from "../properties/wording.ts";
import type { HttpCall } from "../trace/http-calls.ts";
import type { Leadership } from "../trace/leadership.ts";
import { columnOf, columnsOf, type Scale } from "./axis.ts";
import type { Lane } from "./lanes.ts";
import type { Paint, PaintName } from "./paint.ts";

/** What a column can show; the legend explains those that were drawn. */
export const marks = {
  leads: { sign: "━", style: "good", meaning: "leads" },
  follows: { sign: "·", style: "faint", meaning: "follows" },
  paused: { sign: "░", style: "warn", meaning: "paused" },
  pausedLeader: { sign: "▒", style: "warn", meaning: "leads, paused" },
  call: { sign: "●", style: "accent", meaning: "call" },
  held: { sign: "○", style: "accent", meaning: "call sent, held back" },
  refused: { sign: "⊘", style: "bad", meaning: "refused by the fence" },
  restart: { sign: "▲", style: "plain", meaning: "fresh VM" },
  crash: { sign: "✖", style: "bad", meaning: "crash" },
  trap: { sign: "▼", style: "bad", meaning: "trap" },
  double: { sign: "!", style: "bad", meaning: "two lead" },
} as const satisfies Record<
  string,
  { readonly sign: string; readonly style: PaintName; readonly meaning: string }
>;

export type MarkName = keyof typeof marks;

interface Cell {
  sign: string;
  style: PaintName;
}

export interface DrawingOptions {
  readonly scale: Scale;
  readonly paint: Paint;
  /** Short names of terms. */
  readonly labelOf: (leadership: Leadership) => string;
  /** Calls are drawn one by one only where they leave the bars visible. */
  readonly drawsCalls: boolean;
  /** Collects what was drawn, for the legend. */
  readonly used: Set<MarkName>;
}

/** One lane as a line of text: later marks cover earlier ones, and what must not be missed comes last. */
export function drawLane(lane: Lane, options: DrawingOptions): string {
  const { scale } = options;
  const cells = Array.from({ length: scale.width }, (): Cell => ({ sign: " ", style: "plain" }));
  const put = (column: number, name: MarkName): void => {
    cells[column] = { sign: marks[name].sign, style: marks[name].style };
  };
  const fill = (fromNs: number, untilNs: number, name: MarkName): void => {
    const [from, last] = columnsOf(scale, fromNs, untilNs);
    for (let column = from; column <= last; column++) put(column, name);
  };
  for (const life of lane.alive) fill(life.fromNs, life.untilNs, "follows");
  for (const pause of lane.pauses) fill(pause.fromNs, pause.untilNs, "paused");
  for (const leadership of lane.leaderships) {
    fill(leadership.fromNs, leadership.untilNs, "leads");
    for (const pause of lane.pauses) {
      const fromNs = Math.max(pause.fromNs, leadership.fromNs);
      const untilNs = Math.min(pause.untilNs, leadership.untilNs);
      if (untilNs > fromNs) fill(fromNs, untilNs, "pausedLeader");
    }
  }
  for (const call of lane.calls) drawCall(call, options, put);
  for (const atNs of lane.restartsNs) put(columnOf(scale, atNs), "restart");
  for (const atNs of lane.crashesNs) put(columnOf(scale, atNs), "crash");
  for (const atNs of lane.trapsNs) put(columnOf(scale, atNs), "trap");
  for (const leadership of lane.leaderships) label(cells, leadership, options);
  for (const [name, mark] of Object.entries(marks)) {
    if (cells.some((cell) => cell.sign === mark.sign)) options.used.add(name as MarkName);
  }
  return joined(cells, options.paint);
}

function drawCall(
  call: HttpCall,
  options: DrawingOptions,
  put: (column: number, name: MarkName) => void,
): void {
  const { scale, drawsCalls } = options;
  const isHeld =
    call.arrivedNs !== null && columnOf(scale, call.arrivedNs) !== columnOf(scale, call.atNs);
  if (drawsCalls && isHeld) put(columnOf(scale, call.atNs), "held");
  if (call.isRefused) put(columnOf(scale, call.arrivedNs ?? call.atNs), "refused");
  else if (drawsCalls) put(columnOf(scale, call.arrivedNs ?? call.atNs), "call");
}

/** What a label may cover. */
const barSigns: ReadonlySet<string> = new Set([
  marks.leads.sign,
  marks.pausedLeader.sign,
  marks.call.sign,
]);

/** How far a label may move to the right to cover no more than its bar. */
const labelShiftMax = 3;

/** The term's short name at the bar's left end, where the bar is long enough to stay one. */
function label(cells: Cell[], leadership: Leadership, options: DrawingOptions): void {
  const text = options.labelOf(leadership);
  const [from, last] = columnsOf(options.scale, leadership.fromNs, leadership.untilNs);
  if (text === "") return;
  for (let at = from; at <= from + labelShiftMax && at + text.length <= last; at++) {
    if (!cells.slice(at, at + text.length).every((cell) => barSigns.has(cell.sign))) continue;
    for (const [offset, sign] of [...text].entries())
      cells[at + offset] = { sign, style: "strong" };
    return;
  }
}

/** The stretches in which two lead, as a line under the lanes; "" when there is none. */
export function drawDoubles(
  stretches: readonly { fromNs: number; untilNs: number }[],
  options: DrawingOptions,
): string {
  if (stretches.length === 0) return "";
  const cells = Array.from({ length: options.scale.width }, (): Cell => ({
    sign: " ",
    style: "plain",
  }));
  for (const stretch of stretches) {
    const [from, last] = columnsOf(options.scale, stretch.fromNs, stretch.untilNs);
    for (let column = from; column <= last; column++)
      cells[column] = { sign: marks.double.sign, style: "bad" };
  }
  options.used.add("double");
  return joined(cells, options.paint);
}

/** The stretches in which nobody leads, each with its length where there is room; "" when all are too short to see. */
export function drawVacancies(
  stretches: readonly { readonly fromNs: number; readonly untilNs: number }[],
  { scale, paint }: DrawingOptions,
): string {
  const cells = Array.from({ length: scale.width }, (): Cell => ({ sign: " ", style: "plain" }));
  let isVisible = false;
  for (const { fromNs, untilNs } of stretches) {
    const [from, last] = columnsOf(scale, fromNs, untilNs);
    const width = last - from + 1;
    if (width < 3) continue;
    isVisible = true;
    const text = ` ${time(rounded(untilNs - fromNs))} `;
    const bar = [..."╌".repeat(width)];
    if (text.length + 2 <= width) bar.splice((width - text.length) >> 1, text.length, ...text);
    for (const [offset, sign] of bar.entries()) cells[from + offset] = { sign, style: "warn" };
  }
  return isVisible ? joined(cells, paint) : "";
}

/** From ten seconds on a tenth is enough for a picture. */
function rounded(ns: number): number {
  return ns < 10e9 ? Math.round(ns / 1e6) * 1e6 : Math.round(ns / 1e8) * 1e8;
}

/** Equal styles are painted together: fewer escape codes, same picture. */
function joined(cells: readonly Cell[], paint: Paint): string {
  let line = "";
  let run = "";
  let style: PaintName = "plain";
  for (const cell of cells) {
    if (cell.style !== style) {
      line += paint[style](run);
      run = "";
      style = cell.style;
    }
    run += cell.sign;
  }
  return line + paint[style](run);
}
