const bandKinds: readonly ItemKind[] = ["draining", "pause", "band", "unset"];
const lowKinds: ReadonlySet<ItemKind> = new Set<ItemKind>(["log", "config", "request", "warning"]);
const pointKinds: readonly ItemKind[] = [
  ...(["mismatch", "log", "config", "request", "call", "refused"] as const),
  ...(["restart", "warning", "fault", "missed", "crash", "trap"] as const),
];

/** The whole picture: one mark a pixel and row, but every violation. */
function draw(): void {
  spots.length = 0;
  pen.fillStyle = look.bg;
  pen.fillRect(0, 0, layout.width, layout.height);
  pen.save();
  pen.beginPath();
  pen.rect(0, axisHeight, layout.width, layout.height - axisHeight);
  pen.clip();
  for (const [row] of report.rows.entries()) {
    const y = yOf(row);
    const height = layout.rows[row]?.height ?? 0;
    if (y + height < axisHeight || y > layout.height) continue;
    drawRow(row, y, height);
  }
  drawChosen();
  pen.restore();
  drawAxis();
  drawViolations();
  drawFinds();
}

function drawRow(row: number, top: number, full: number): void {
  const { kind, label } = report.rows[row] ?? { kind: "vm", label: "" };
  const y = top + (layout.isNarrow ? labelHeight : 0);
  const height = full - (layout.isNarrow ? labelHeight : 0);
  pen.fillStyle = look.lane;
  if (kind !== "leader")
    pen.fillRect(layout.gutter, y + 1, layout.width - layout.gutter, height - 3);
  pen.save();
  pen.beginPath();
  pen.rect(layout.gutter, top, layout.width - layout.gutter, full);
  pen.clip();
  drawGrid(y, height - 2);
  const barTop = y + 3;
  const barHeight = kind === "vm" ? height - 16 : height - 8;
  drawStretches(row, "life", { y: y + height / 2 - 6, height: 5 });
  if (kind === "vm") drawCallbacks(row, y + height - 4);
  for (const lead of ["set", "lead"] as const)
    drawStretches(row, lead, { y: barTop, height: barHeight });
  drawStretches(row, "gap", { y: barTop, height: barHeight });
  for (const band of bandKinds) drawStretches(row, band, { y: y + 1, height: height - 3 });
  for (const point of pointKinds) {
    const isLow = kind === "vm" && lowKinds.has(point);
    drawPoints(row, point, isLow ? y + height - 9 : barTop + barHeight / 2);
  }
  drawBarLabels();
  drawStretches(row, "double", { y: barTop + barHeight - 4, height: 6 });
  pen.restore();
  drawRowLabel(kind, label, top, full);
}

function drawRowLabel(kind: string, label: string, top: number, full: number): void {
  pen.font = `${kind === "leader" ? "600 " : ""}12px ${fontFamily}`;
  pen.fillStyle = kind === "vm" || kind === "leader" ? look.fg : look.dim;
  const room = layout.isNarrow ? layout.width - 12 : layout.gutter - 12;
  pen.fillText(fitted(label, room), 5, layout.isNarrow ? top + 12 : top + full / 2 + 3);
}

/** The end of a long text, which tells more than its beginning. */
function fitted(text: string, room: number): string {
  if (pen.measureText(text).width <= room) return text;
  let kept = text;
  while (kept.length > 1 && pen.measureText(`…${kept}`).width > room) kept = kept.slice(1);
  return `…${kept}`;
}

interface Strip {
  readonly y: number;
  readonly height: number;
}

/** Stretches of one kind: those of one colour that touch each other on the screen are one. */
function drawStretches(row: number, kind: ItemKind, strip: Strip): void {
  const list = itemsOf[row]?.[report.kinds.indexOf(kind)] ?? [];
  let open: { item: number; x0: number; x1: number; tone: number } | null = null;
  for (const item of list) {
    const at = itemAt[item] ?? 0;
    if (at > view.until) break;
    const until = itemUntil(item);
    if (until < view.from) continue;
    const x0 = Math.max(layout.gutter - 20, xOf(at));
    const x1 = Math.min(layout.width + 20, Math.max(x0 + 1, xOf(until)));
    const tone = report.items.tone[item] ?? -1;
    const isSmall = x1 - x0 < 3 || kind === "set";
    const isSame = open !== null && open.tone === tone && labelOf(open.item) === labelOf(item);
    if (
      open !== null &&
      (isSame || x1 - x0 < 3) &&
      open.tone === tone &&
      isSmall &&
      x0 - open.x1 < 1
    ) {
      open.x1 = Math.max(open.x1, x1);
    } else {
      if (open !== null) drawStretch(kind, open, strip);
      open = { item, x0, x1, tone };
    }
    if (x1 - x0 >= 3) addItemSpot(item, [x0, strip.y, x1, strip.y + strip.height]);
    if (kind === "set" && x1 - x0 > 6) {
      pen.fillStyle = look.fg;
      pen.fillRect(x0, strip.y + strip.height + 1, 1.5, 3);
    }
  }
  if (open !== null) drawStretch(kind, open, strip);
}

function drawStretch(
  kind: ItemKind,
  { item, x0, x1, tone }: { item: number; x0: number; x1: number; tone: number },
  { y, height }: Strip,
): void {
  const width = x1 - x0;
  if (width < 3) addItemSpot(item, [x0, y, x1, y + height]);
  switch (kind) {
    case "lead":
    case "set":
      drawBar({ x: x0, y, width: Math.max(1, width - 0.5), height }, tone, labelOf(item));
      return;
    case "life":
      pen.fillStyle = look.line;
      pen.fillRect(x0, y, Math.max(1, width - 1), height);
      return;
    case "gap":
      pen.strokeStyle = look.warn;
      pen.setLineDash([3, 3]);
      pen.lineWidth = 1.5;
      pen.strokeRect(x0, y + height / 2 + 3, width, 0);
      pen.setLineDash([]);
      drawMiddleLabel(labelOf(item), { x0, x1, y: y + height / 2 - 2 }, look.warn);
      return;
    case "double":
      pen.fillStyle = look.bad;
      pen.fillRect(x0, y, Math.max(2, width), height);
      return;
    case "draining":
      pen.fillStyle = look.dim;
      pen.fillRect(x0, y + height - 13, width, 2);
      return;
    default:
      drawBand(kind, item, { x0, x1, y, height });
  }
}

function drawBand(
  kind: ItemKind,
  item: number,
  { x0, x1, y, height }: Strip & { readonly x0: number; readonly x1: number },
): void {
  const color = kind === "pause" ? look.warn : look.dim;
  const fill = kind === "pause" ? look.pausing : kind === "band" ? look.banding : null;
  pen.globalAlpha = 0.75;
  if (fill !== null) {
    pen.fillStyle = fill;
    pen.fillRect(x0, y, x1 - x0, height);
  }
  pen.globalAlpha = 1;
  pen.strokeStyle = color;
  pen.lineWidth = 1;
  pen.setLineDash(kind === "pause" ? [] : [3, 3]);
  pen.strokeRect(x0 + 0.5, y + 0.5, Math.max(1, x1 - x0 - 1), height - 1);
  pen.setLineDash([]);
  const label = labelOf(item);
  if (label === "") return;
  pen.font = `11px ${fontFamily}`;
  const left = Math.max(x0, layout.gutter) + 4;
  const textWidth = pen.measureText(label).width;
  if (left + textWidth + 6 > x1) return;
  pen.fillStyle = look.bg;
  pen.fillRect(left - 2, y + height - 14, textWidth + 4, 12);
  pen.fillStyle = color;
  pen.fillText(label, left, y + height - 4);
}

function drawMiddleLabel(
  label: string,
  { x0, x1, y }: { readonly x0: number; readonly x1: number; readonly y: number },
  color: string,
): void {
  const left = Math.max(x0, layout.gutter);
  const right = Math.min(x1, layout.width);
  pen.font = `11px ${fontFamily}`;
  const textWidth = pen.measureText(label).width;
  if (label === "" || textWidth + 6 > right - left) return;
  pen.fillStyle = color;
  pen.fillText(label, (left + right - textWidth) / 2, y);
}

/** Signs nearer than this hide what is under them. */
const signDistance = 9;

/** Whether a list has more instants on the screen than their signs have room. */
function isDense(list: readonly number[]): boolean {
  const shown = list.filter(
    (item) => itemUntil(item) >= view.from && (itemAt[item] ?? 0) <= view.until,
  );
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined) return false;
  return xOf(itemAt[last] ?? 0) - xOf(itemAt[first] ?? 0) < (shown.length - 1) * signDistance;
}

/** Instants of one kind: one for each two pixels; calls and requests too close together are strokes. */
function drawPoints(row: number, kind: ItemKind, y: number): void {
  const list = itemsOf[row]?.[report.kinds.indexOf(kind)] ?? [];
  const areStrokes = (kind === "call" || kind === "request") && isDense(list);
  let lastX = -1e9;
  for (const item of list) {
    const at = itemAt[item] ?? 0;
    if (at > view.until) break;
    const until = itemUntil(item);
    if (until < view.from) continue;
    const x = xOf(at);
    const arrivalX = xOf(until);
    const isHeld = until > at && arrivalX - x > 3;
    if (x - lastX < 2 && !isHeld) continue;
    lastX = x;
    if (isHeld) {
      pen.strokeStyle = kind === "refused" ? look.bad : look.fg;
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(arrivalX, y);
      pen.stroke();
      drawSign("call", x, y);
      addItemSpot(item, [x - 4, y - 5, x + 4, y + 5]);
    }
    const signX = isHeld ? arrivalX : x;
    if (areStrokes && !isHeld) {
      pen.fillStyle = kind === "call" ? look.fg : look.link;
      pen.fillRect(Math.floor(x), y + 2, 1, 6);
    } else drawSign(kind, signX, y);
    addItemSpot(item, [signX - 4, y - 5, signX + 4, y + 5]);
  }
}
