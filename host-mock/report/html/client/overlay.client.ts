const stepsNs: readonly number[] = (() => {
  const powers = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
  const seconds = [
    1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200,
  ];
  return [
    ...powers.flatMap((ns) => [ns, 2 * ns, 5 * ns]),
    ...seconds.map((one) => one * 1e9),
    864e11,
  ];
})();

/** Nanoseconds between two labels of the axis. */
function axisStepNs(): number {
  const nsPerPixel = ((view.until - view.from) * report.unitNs) / plotWidth();
  const distance = layout.isNarrow ? 78 : 96;
  return stepsNs.find((step) => step / nsPerPixel >= distance) ?? 864e11;
}

/** The instants of the axis as lines through a row. */
function drawGrid(y: number, height: number): void {
  const step = axisStepNs() / report.unitNs;
  pen.fillStyle = look.line;
  for (let at = Math.ceil(view.from / step) * step; at <= view.until; at += step)
    pen.fillRect(Math.round(xOf(at)), y, 1, height);
}

/** Instants above the rows, and below them a strip that tells which part of the run is shown. */
function drawAxis(): void {
  pen.fillStyle = look.bg;
  pen.fillRect(0, 0, layout.width, axisHeight);
  const stepNs = axisStepNs();
  const step = stepNs / report.unitNs;
  pen.font = `12px ${fontFamily}`;
  let free = 0;
  for (let at = Math.ceil(view.from / step) * step; at <= view.until; at += step) {
    const x = xOf(at);
    pen.fillStyle = look.line;
    pen.fillRect(Math.round(x), 18, 1, 7);
    const text = timeText(at, stepNs);
    const textWidth = pen.measureText(text).width;
    const left = Math.max(2, Math.min(x + 3, layout.width - textWidth - 2));
    if (left < free) continue;
    free = left + textWidth + 6;
    pen.fillStyle = look.dim;
    pen.fillText(text, left, 15);
  }
  const share = plotWidth() / report.duration;
  pen.fillStyle = look.lane;
  pen.fillRect(layout.gutter, 27, plotWidth(), 4);
  pen.fillStyle = look.dim;
  const shown = Math.max(3, (view.until - view.from) * share);
  pen.fillRect(layout.gutter + view.from * share, 27, shown, 4);
  for (const item of violations) {
    pen.fillStyle = kindOf(item) === "violation" ? look.bad : look.warn;
    pen.fillRect(layout.gutter + (itemAt[item] ?? 0) * share - 1, 25, 3, 8);
  }
}

/** What was not as expected first. */
const violations: readonly number[] = [
  ...(itemsOf.at(-1)?.[report.kinds.indexOf("violation")] ?? []),
  ...(itemsOf.at(-1)?.[report.kinds.indexOf("expected")] ?? []),
];

function drawViolations(): void {
  let line = 0;
  for (const item of violations) {
    const at = itemAt[item] ?? 0;
    if (at < view.from || at > view.until) continue;
    const x = Math.max(layout.gutter + 1, Math.min(layout.width - 1, xOf(at)));
    const isBad = kindOf(item) === "violation";
    pen.strokeStyle = isBad ? look.bad : look.warn;
    pen.lineWidth = 2;
    pen.setLineDash(isBad ? [] : [5, 3]);
    pen.beginPath();
    pen.moveTo(x, 24);
    pen.lineTo(x, layout.height);
    pen.stroke();
    pen.setLineDash([]);
    pen.font = `600 11px ${fontFamily}`;
    const label = labelOf(item);
    const width = pen.measureText(label).width + 8;
    const left = x + width > layout.width ? x - width : x;
    const top = axisHeight + 2 + 16 * (line++ % 4);
    pen.fillStyle = isBad ? look.bad : look.warn;
    pen.fillRect(left, top, width, 15);
    pen.fillStyle = look.bg;
    pen.fillText(label, left + 4, top + 11);
    addItemSpot(item, [left, top, left + width, top + 15]);
    addItemSpot(item, [x - 2, axisHeight, x + 2, layout.height]);
  }
}

/** A frame around what is chosen. */
function drawChosen(): void {
  if (chosen === null || chosen.at > view.until) return;
  const item = chosen.item;
  const until = item < 0 ? chosen.at : itemUntil(item);
  if (until < view.from) return;
  const row = item < 0 ? (callbacks?.row[chosen.callback] ?? 0) : (itemRow[item] ?? -1);
  if (row < 0) return;
  const x0 = Math.max(layout.gutter, xOf(chosen.at)) - 6;
  const x1 = Math.min(layout.width, Math.max(xOf(chosen.at), xOf(until))) + 6;
  pen.strokeStyle = look.link;
  pen.lineWidth = 2;
  pen.strokeRect(x0, yOf(row) + 1, x1 - x0, (layout.rows[row]?.height ?? 0) - 3);
}

/** Where the search found something, as ticks above the rows. */
function drawFinds(): void {
  let lastX = -1;
  for (const [index, item] of finds.entries()) {
    const x = Math.round(xOf(itemAt[item] ?? 0));
    const isCurrent = index === currentFind;
    if (x < layout.gutter || x > layout.width || (x === lastX && !isCurrent)) continue;
    lastX = x;
    pen.fillStyle = look.link;
    if (isCurrent) pen.fillRect(x - 2, 18, 5, 8);
    else pen.fillRect(x, 20, 2, 5);
  }
}
