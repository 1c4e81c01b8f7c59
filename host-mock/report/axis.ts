/** From instants to columns. */
export interface Scale {
  readonly durationNs: number;
  /** Columns of the drawing. */
  readonly width: number;
}

/** The column of an instant; the run's end falls into the last one. */
export function columnOf(scale: Scale, ns: number): number {
  const column = Math.floor((ns / Math.max(1, scale.durationNs)) * scale.width);
  return Math.max(0, Math.min(scale.width - 1, column));
}

/** The columns of a half-open stretch: at least one, and not the one in which it ends unless it has no other. */
export function columnsOf(
  scale: Scale,
  fromNs: number,
  untilNs: number,
): readonly [number, number] {
  const from = columnOf(scale, fromNs);
  const last = untilNs >= scale.durationNs ? scale.width - 1 : columnOf(scale, untilNs) - 1;
  return [from, Math.max(from, last)];
}

const second = 1e9;
const steps = [
  1e3,
  2e3,
  5e3,
  1e4,
  2e4,
  5e4,
  1e5,
  2e5,
  5e5,
  1e6,
  2e6,
  5e6,
  1e7,
  2e7,
  5e7,
  1e8,
  2e8,
  5e8,
  ...[
    1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
  ].map((seconds) => seconds * second),
];

/** Round instants of a run, at most so many as are asked for, each with its label. */
export function axisLabels(
  durationNs: number,
  countMax: number,
): readonly { readonly ns: number; readonly text: string }[] {
  const stepNs = steps.find((step) => durationNs / step <= countMax) ?? durationNs;
  const labels: { ns: number; text: string }[] = [];
  for (let ns = 0; ns < durationNs; ns += stepNs) labels.push({ ns, text: labelAt(ns, stepNs) });
  return labels;
}

/** Label line and ruler of the time axis: round instants, as many as the width takes. */
export function axis(scale: Scale): readonly [labels: string, ruler: string] {
  const fits = (stepNs: number): boolean =>
    (scale.width * stepNs) / scale.durationNs >= labelAt(scale.durationNs, stepNs).length + 3;
  const stepNs = steps.find(fits) ?? scale.durationNs;
  const labels = Array<string>(scale.width).fill(" ");
  const ruler = Array<string>(scale.width).fill("─");
  for (let ns = 0; ns < scale.durationNs; ns += stepNs) {
    const column = columnOf(scale, ns);
    ruler[column] = ns === 0 ? "├" : "┼";
    const label = labelAt(ns, stepNs);
    if (column + label.length <= scale.width) labels.splice(column, label.length, ...label);
  }
  ruler[scale.width - 1] = "┤";
  return [labels.join("").trimEnd(), ruler.join("")];
}

/** `90 s` while steps are seconds and the run is short, then `5 m`, `1 h 30`. */
function labelAt(ns: number, stepNs: number): string {
  if (stepNs < 1e6) return `${round(ns / 1e3)} µs`;
  if (stepNs < second) return ns < second ? `${round(ns / 1e6)} ms` : `${round(ns / 1e9)} s`;
  const seconds = Math.round(ns / second);
  if (stepNs < 60 * second) {
    if (seconds < 600) return `${seconds} s`;
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} m`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60}`;
}

function round(value: number): string {
  return value.toFixed(3).replace(/\.?0+$/, "");
}
