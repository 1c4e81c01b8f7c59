/** What is shown, in units of time. */
const view = { from: 0, until: report.duration };
/** The narrowest view: a microsecond, or ten units where a unit is longer. */
const narrowest = Math.max(1000 / report.unitNs, 10);

const axisHeight = 34;
const rowHeights = { run: 26, leader: 30, vm: 34, key: 26 } as const;
/** A screen without room for labels beside the lanes has them above. */
const narrowWidth = 640;
const labelHeight = 15;

/** The canvas in CSS pixels, and where its rows are. */
interface Layout {
  width: number;
  height: number;
  gutter: number;
  isNarrow: boolean;
  /** The row's top and height from the first row's top on. */
  rows: { y: number; height: number }[];
  rowsHeight: number;
}

const layout: Layout = {
  ...{ width: 0, height: 0, gutter: 0, isNarrow: false, rows: [], rowsHeight: 0 },
};
const scroller = element("scroller", HTMLDivElement);

/** Measures the page anew: the canvas is as high as its rows, or as the scroller where they are more. */
function measure(): void {
  layout.width = scroller.clientWidth;
  layout.isNarrow = layout.width < narrowWidth;
  layout.gutter = layout.isNarrow ? 0 : 158;
  let y = 0;
  layout.rows = report.rows.map(({ kind }) => {
    const height = rowHeights[kind] + (layout.isNarrow ? labelHeight : 0);
    const row = { y, height };
    y += height;
    return row;
  });
  layout.rowsHeight = y;
  const total = axisHeight + y + 4;
  const room = Math.max(240, Math.floor(window.innerHeight * 0.72));
  layout.height = Math.min(total, room);
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(layout.width * scale);
  canvas.height = Math.round(layout.height * scale);
  canvas.style.width = `${layout.width}px`;
  canvas.style.height = `${layout.height}px`;
  element("spacer", HTMLDivElement).style.height = `${total - layout.height}px`;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
}

function plotWidth(): number {
  return Math.max(1, layout.width - layout.gutter - 8);
}

function xOf(at: number): number {
  return layout.gutter + ((at - view.from) / (view.until - view.from)) * plotWidth();
}

function timeAt(x: number): number {
  return view.from + ((x - layout.gutter) / plotWidth()) * (view.until - view.from);
}

/** The row's top on the canvas. */
function yOf(row: number): number {
  return axisHeight + (layout.rows[row]?.y ?? 0) - scroller.scrollTop;
}

function setView(from: number, until: number): void {
  const length = Math.min(
    report.duration,
    Math.max(Math.min(narrowest, report.duration), until - from),
  );
  const start = Math.max(0, Math.min(report.duration - length, from));
  view.from = start;
  view.until = start + length;
  requestDraw();
}

/** Comes nearer (a factor below 1) or goes away, with one instant staying where it is. */
function zoom(factor: number, around = (view.from + view.until) / 2): void {
  const length = (view.until - view.from) * factor;
  const share = (around - view.from) / (view.until - view.from);
  setView(around - share * length, around + (1 - share) * length);
}

function pan(units: number): void {
  setView(view.from + units, view.until + units);
}

/** Moves an instant into the middle unless it is well inside; `length` is the widest view that shows it well. */
function reveal(at: number, length = view.until - view.from): void {
  const wanted = Math.min(view.until - view.from, length);
  const margin = (view.until - view.from) * 0.05;
  const isInside = at >= view.from + margin && at <= view.until - margin;
  if (isInside && wanted === view.until - view.from) return;
  setView(at - wanted / 2, at + wanted / 2);
}

/** Scrolls to a row that is not on the screen. */
function revealRow(row: number): void {
  const place = layout.rows[row];
  if (place === undefined) return;
  const room = layout.height - axisHeight;
  if (place.y < scroller.scrollTop) scroller.scrollTop = place.y;
  else if (place.y + place.height > scroller.scrollTop + room)
    scroller.scrollTop = place.y + place.height - room;
}

let isDrawDue = false;

function requestDraw(): void {
  if (isDrawDue) return;
  isDrawDue = true;
  requestAnimationFrame(() => {
    isDrawDue = false;
    draw();
  });
}
