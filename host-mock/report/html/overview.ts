import { axisLabels } from "../axis.ts";
import type { JudgedRun } from "../run.ts";
import { pictureOf, type Picture } from "./data.ts";
import { escape } from "./escape.ts";
import type { Item } from "./items.ts";
import { drawnLegend } from "./legend.ts";
import { drawMarks, lineHeight, marksOf, type Band } from "./overview-marks.ts";
import { drawingCss, drawingDefs, themeCss } from "./theme.ts";

/** More lanes than this are not taken in at a glance. */
const laneCountMax = 12;
/** A picture of more marks is slow to draw and says no more. */
const markCountMax = 500;
const width = 960;
const gutter = 150;
const axisHeight = 24;

/**
 * The whole run as one still picture of at most 500 marks: who led under which term, faults, calls, violations. The
 * markup of an `svg` element whose colours the page around it defines.
 */
export function overview(picture: Picture): string {
  const bands = bandsOf(picture);
  const floor = (bands.at(-1)?.y ?? 0) + (bands.at(-1)?.height ?? 0);
  const scale = { durationNs: picture.facts.durationNs, left: gutter, width: width - gutter - 8 };
  let marks = marksOf(picture.items, bands, { ...scale, step: 1 });
  for (let step = 2; marks.length > markCountMax; step *= 2)
    marks = marksOf(picture.items, bands, { ...scale, step });
  const lineCount = marks.filter(({ band }) => band === null).length;
  const height = floor + lineHeight * lineCount + 6;
  const grid = axisLabels(scale.durationNs, scale.width / 90).map(({ ns, text }) => {
    const x = round(scale.left + (ns / Math.max(1, scale.durationNs)) * scale.width);
    return `<path class="grid" d="M${x} ${axisHeight - 4}V${floor}"/><text class="dim" x="${x + 3}" y="14">${escape(text)}</text>`;
  });
  const labels = bands.map(
    ({ y, height: tall, label, kind }) =>
      `<text x="4" y="${y + tall / 2 + 4}"${kind === "leader" ? ' class="strong"' : ""}>${escape(fitted(label, 22))}</text>`,
  );
  const lanes = bands
    .filter(({ kind }) => kind !== "leader")
    .map(
      ({ y, height: tall }) =>
        `<rect class="lane" x="${gutter}" y="${y}" width="${scale.width}" height="${tall - 2}"/>`,
    );
  return (
    `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(aboutOf(picture))}" data-marks="${marks.length}">` +
    `${lanes.join("")}${grid.join("")}${labels.join("")}${drawMarks(marks, floor)}</svg>`
  );
}

/** The same as a file of its own, for pages that show it as an image. */
export function overviewSvg(run: JudgedRun): string {
  const picture = pictureOf(run);
  const body = overview(picture);
  const height = Number(/viewBox="0 0 \d+ ([\d.]+)"/.exec(body)?.[1] ?? 0);
  const below = drawnLegend(picture.items, { top: height, width });
  const total = height + below.height + 4;
  const style = `<style>${themeCss("svg")}${drawingCss}</style>`;
  const ground = '<rect width="100%" height="100%" fill="var(--bg)"/>';
  return `${body
    .replace(
      /<svg viewBox="[^"]*"/,
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${total}" width="${width}" height="${total}"`,
    )
    .replace(">", `>${style}${drawingDefs}${ground}`)
    .replace(/<\/svg>$/, () => `${below.markup}</svg>`)}\n`;
}

function aboutOf({ facts }: Picture): string {
  const all = [...facts.leaderships.values()].flat();
  return `Timeline: ${all.length} leaderships, ${facts.faults.length} faults, ${facts.calls.length} calls`;
}

/** The rows that are drawn, from top to bottom. */
function bandsOf({ rows, items }: Picture): Band[] {
  const weights = new Map<number, number>();
  for (const item of items)
    weights.set(item.row, (weights.get(item.row) ?? 0) + (weightOf[item.kind] ?? 0));
  const numbers = rows.all.map((row, index) => ({ ...row, index }));
  const vms = numbers.filter(({ kind }) => kind === "vm");
  const weight = ({ index }: { readonly index: number }): number => weights.get(index) ?? 0;
  const chosen = new Set(
    [...vms].sort((one, other) => weight(other) - weight(one)).slice(0, laneCountMax),
  );
  const [lease] = numbers.filter(({ kind }) => kind === "key");
  const shown = numbers.filter(
    (row) =>
      row.kind === "leader" ||
      (row.kind === "run" && items.some((item) => item.row === row.index)) ||
      chosen.has(row) ||
      row === lease,
  );
  let y = axisHeight;
  const bands = shown.map(({ kind, label, index }): Band => {
    const height = kind === "run" ? 20 : kind === "key" ? 18 : 24;
    const band = { kind, label, row: index, y, height };
    y += height + (kind === "leader" ? 4 : 0);
    return band;
  });
  const hiddenCount = vms.length - chosen.size;
  if (hiddenCount === 0) return bands;
  const label = `+ ${hiddenCount} lanes not drawn`;
  return [...bands, { kind: "vm", label, row: -2, y, height: 20 }];
}

const weightOf: Readonly<Partial<Record<Item["kind"], number>>> = {
  lead: 1e6,
  trap: 1e5,
  refused: 1e4,
  call: 10,
  crash: 1,
  pause: 1,
};

function fitted(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  // The end of a key tells more than its beginning.
  return `…${text.slice(1 - lengthMax)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
