import { escape } from "./escape.ts";
import { itemKinds, type Item } from "./items.ts";
import { hatchCount, toneCount } from "./theme.ts";
import type { RowData } from "./report-data.ts";

/** A row where it is drawn. */
export interface Band {
  readonly kind: RowData["kind"];
  readonly label: string;
  readonly row: number;
  readonly y: number;
  readonly height: number;
}

export interface MarkScale {
  readonly durationNs: number;
  readonly left: number;
  readonly width: number;
  /** Columns in which equal marks are one. */
  readonly step: number;
}

/** One drawn thing. */
export interface Mark {
  readonly item: Item;
  readonly band: Band | null;
  readonly x: number;
  width: number;
}

/** Stretches; all other kinds are instants. */
const stretches: ReadonlySet<Item["kind"]> = new Set([
  ...(["life", "draining", "pause", "band", "gap", "lead", "double", "set", "unset"] as const),
]);
const leftOut: ReadonlySet<Item["kind"]> = new Set(["log", "config", "mismatch", "request"]);

/** The items as marks: those of one kind that would touch each other are one. */
export function marksOf(
  items: readonly Item[],
  bands: readonly Band[],
  scale: MarkScale,
): readonly Mark[] {
  const byRow = new Map(bands.map((band) => [band.row, band]));
  const columnOf = (ns: number): number =>
    scale.left + (ns / Math.max(1, scale.durationNs)) * scale.width;
  const last = new Map<string, Mark>();
  const marks: Mark[] = [];
  for (const item of [...items].sort((one, other) => one.atNs - other.atNs)) {
    if (leftOut.has(item.kind)) continue;
    const band = item.row === -1 ? null : byRow.get(item.row);
    if (band === undefined) continue;
    const x = columnOf(item.atNs);
    const isStretch = stretches.has(item.kind);
    const untilX = columnOf(item.untilNs ?? item.atNs);
    const width = isStretch ? Math.max(1, untilX - x) : 0;
    const key = `${item.row} ${item.kind} ${item.tone ?? -1}`;
    const before = last.get(key);
    const room = isStretch ? scale.step : Math.max(pointWidth, scale.step);
    if (item.kind === "restart" && isUnder(last.get(`${item.row} crash -1`), x)) continue;
    const isOne = before !== undefined && x - (before.x + before.width) < room;
    if (isOne && (isStretch || item.kind !== "violation")) {
      if (isStretch) before.width = Math.max(before.width, x + width - before.x);
      continue;
    }
    // A call that was held back is drawn to its arrival.
    const held = isStretch || untilX - x < 4 ? 0 : untilX - x;
    const mark = { item, band, x, width: isStretch ? width : held };
    last.set(key, mark);
    marks.push(mark);
  }
  return marks;
}

/** A fresh VM right after its crash: the crash says more. */
function isUnder(crash: Mark | undefined, x: number): boolean {
  return crash !== undefined && x - crash.x < 8;
}

/** Instants nearer than this cover each other. */
const pointWidth = 3;

/** The markup of marks; what must not be missed comes last. */
export function drawMarks(marks: readonly Mark[], floor: number): string {
  const drawn: string[] = [];
  let lineCount = 0;
  for (const kind of itemKinds) {
    for (const mark of marks) {
      if (mark.item.kind !== kind) continue;
      if (mark.band !== null) drawn.push(markup(mark, mark.band));
      else drawn.push(line(mark.item, round(mark.x), floor + lineHeight * lineCount++));
    }
  }
  for (const mark of marks) if (mark.band !== null) drawn.push(barLabel(mark, mark.band));
  return drawn.join("");
}

/** What a violation's name needs below the rows. */
export const lineHeight = 15;

function markup({ item, x, width }: Mark, band: Band): string {
  const at = round(x);
  const { y } = band;
  const tall = band.height - 2;
  const middle = y + tall / 2;
  const title = `<title>${escape(item.text)}</title>`;
  const box = (top: number, high: number): string =>
    `x="${at}" y="${round(top)}" width="${round(width)}" height="${round(high)}"`;
  switch (item.kind) {
    case "life":
      return `<rect class="life" ${box(middle - 2, 4)}/>`;
    case "draining":
      return `<rect class="life" ${box(middle + 4, 2)}/>`;
    case "lead":
    case "set":
      return bar(item, { ...barPlace({ item, x, width }, band), title });
    case "gap": {
      const label = item.label ?? "";
      const text =
        width > label.length * 6.5 + 10
          ? `<text class="gapText" text-anchor="middle" x="${round(x + width / 2)}" y="${round(middle - 3)}">${escape(label)}</text>`
          : "";
      return `<path class="gap" d="M${at} ${round(middle + 2)}h${round(width)}"/>${text}`;
    }
    case "pause":
    case "band":
    case "unset":
      return `<rect class="${item.kind}" ${box(y, tall)}>${title}</rect>`;
    case "double":
      return `<rect class="double" ${box(y + tall - 5, 5)}>${title}</rect>`;
    default: {
      if (width === 0) return point(item, at, middle, title);
      const line = `<path class="held ${item.kind}" d="M${at} ${middle}h${round(width)}"/>`;
      const sent = `<circle class="call" cx="${at}" cy="${middle}" r="2.5"/>`;
      return line + sent + point(item, round(x + width), middle, title);
    }
  }
}

interface BarPlace {
  readonly at: number;
  readonly width: number;
  readonly y: number;
  readonly tall: number;
}

function barPlace({ item, x, width }: Omit<Mark, "band">, { y, height }: Band): BarPlace {
  return { at: round(x), width, y: y + (item.kind === "lead" ? 1 : 3), tall: height - 5 };
}

/** A bar's label on a ground of the bar's colour, over what happens on the bar. */
function barLabel(mark: Mark, band: Band): string {
  const { item } = mark;
  const label = item.label ?? "";
  const { at, width, y, tall } = barPlace(mark, band);
  const wide = label.length * 6.6 + 6;
  if ((item.kind !== "lead" && item.kind !== "set") || label === "" || width < wide + 4) return "";
  const color = toneClass(item);
  const ink = color === "tone0" ? "on on0" : "on";
  return (
    `<rect class="${color}" x="${round(at + 1)}" y="${y + 1}" width="${round(wide)}" height="${tall - 2}"/>` +
    `<text class="${ink}" x="${round(at + 4)}" y="${y + tall / 2 + 4}">${escape(label)}</text>`
  );
}

function toneClass({ tone = -1 }: Item): string {
  return tone < 0 ? "toneNone" : `tone${tone % toneCount}`;
}

function bar(item: Item, place: BarPlace & { readonly title: string }): string {
  const { at, width, y, tall, title } = place;
  const tone = item.tone ?? -1;
  const size = `x="${at}" y="${y}" width="${round(width)}" height="${tall}"`;
  const hatch = tone < 0 ? 0 : tone % hatchCount;
  const over = hatch === 0 ? "" : `<rect fill="url(#hatch${hatch})" ${size}/>`;
  return `<rect class="${toneClass(item)}" ${size}>${title}</rect>${over}`;
}

function line(item: Item, at: number, floor: number): string {
  const label = item.label ?? "";
  const isLate = at > 700;
  const anchor = isLate ? ` text-anchor="end" x="${at - 5}"` : ` x="${at + 5}"`;
  return (
    `<path class="${item.kind}" d="M${at} 18V${floor + lineHeight}"><title>${escape(item.text)}</title></path>` +
    `<text class="${item.kind}Text"${anchor} y="${floor + lineHeight - 3}">${escape(label)}</text>`
  );
}

function point(item: Item, x: number, y: number, title: string): string {
  const path = (d: string): string => `<path class="${item.kind}" d="${d}">${title}</path>`;
  switch (item.kind) {
    case "call":
      return `<circle class="call" cx="${x}" cy="${y + 5}" r="2.5"/>`;
    case "refused":
      return path(`M${x - 4} ${y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0M${x - 3} ${y + 3}l6 -6`);
    case "crash":
    case "missed":
      return path(`M${x - 4} ${y - 4}l8 8m0 -8l-8 8`);
    case "trap":
      return path(`M${x - 5} ${y - 4}h10l-5 9z`);
    case "restart":
      return path(`M${x - 4} ${y + 4}h8l-4 -8z`);
    case "warning":
      return path(`M${x - 3} ${y + 8}h6l-3 -6z`);
    default:
      return path(`M${x} ${y - 5}l5 5l-5 5l-5 -5z`);
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
