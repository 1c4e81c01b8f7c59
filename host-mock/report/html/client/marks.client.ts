/** What was drawn where, so that a pointer finds it: an item, or one callback of an entry. */
interface Spot {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
  readonly item: number;
  readonly callback: number;
  readonly at: number;
}

const spots: Spot[] = [];

function addItemSpot(item: number, box: readonly [number, number, number, number]): void {
  const [x0, y0, x1, y1] = box;
  spots.push({ x0, x1, y0, y1, item, callback: -1, at: itemAt[item] ?? 0 });
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Labels of bars, which are drawn over what happens on the bars. */
const barLabels: { readonly box: Box; readonly tone: number; readonly label: string }[] = [];

/** A bar with the hatch of its term. */
function drawBar(box: Box, tone: number, label: string): void {
  const { x, y, width, height } = box;
  pen.fillStyle = tone < 0 ? look.line : (look.tones[tone % look.tones.length] ?? look.line);
  pen.fillRect(x, y, width, height);
  const hatch = tone < 0 ? null : look.hatches[tone % look.hatches.length];
  if (hatch !== null && hatch !== undefined) {
    pen.fillStyle = hatch;
    pen.fillRect(x, y, width, height);
  }
  if (label !== "") barLabels.push({ box, tone, label });
}

function drawBarLabels(): void {
  for (const { box, tone, label } of barLabels.splice(0)) drawBarLabel(box, tone, label);
}

/** A bar's label at its beginning, or at that of the screen, where there is room. */
function drawBarLabel({ x, y, width, height }: Box, tone: number, full: string): void {
  const left = Math.max(x, layout.gutter);
  const room = Math.min(x + width, layout.width) - left - 8;
  if (room < 10) return;
  pen.font = `600 11px ${fontFamily}`;
  const [first = full] = full.split(" ");
  const choices = tone < 0 ? [full] : [full, first];
  const label = choices.find((text) => pen.measureText(text).width <= room);
  if (label === undefined) return;
  const textWidth = pen.measureText(label).width;
  pen.fillStyle = tone < 0 ? look.line : (look.tones[tone % look.tones.length] ?? look.line);
  pen.fillRect(left + 1, y + 1, textWidth + 6, height - 2);
  pen.fillStyle = tone < 0 ? look.fg : tone % look.tones.length === 0 ? look.ink0 : look.ink;
  pen.fillText(label, left + 4, y + height / 2 + 4);
}

const fontFamily = 'system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif';

/** An instant's sign, about its middle. */
function drawSign(kind: ItemKind, x: number, y: number): void {
  pen.beginPath();
  pen.lineWidth = 2;
  switch (kind) {
    case "crash":
    case "missed":
      pen.moveTo(x - 4.5, y - 4.5);
      pen.lineTo(x + 4.5, y + 4.5);
      pen.moveTo(x + 4.5, y - 4.5);
      pen.lineTo(x - 4.5, y + 4.5);
      outlined(look.bad);
      return;
    case "trap":
      pen.moveTo(x - 5.5, y - 4);
      pen.lineTo(x + 5.5, y - 4);
      pen.lineTo(x, y + 5.5);
      pen.closePath();
      filled(look.bad);
      return;
    case "restart":
      pen.moveTo(x - 5, y + 4.5);
      pen.lineTo(x + 5, y + 4.5);
      pen.lineTo(x, y - 4.5);
      pen.closePath();
      pen.fillStyle = look.bg;
      pen.fill();
      pen.lineWidth = 1.5;
      pen.strokeStyle = look.fg;
      pen.stroke();
      return;
    case "refused":
      pen.arc(x, y, 4.5, 0, 7);
      pen.moveTo(x - 3, y + 3);
      pen.lineTo(x + 3, y - 3);
      outlined(look.bad);
      return;
    case "call":
      pen.arc(x, y, 3, 0, 7);
      filled(look.fg);
      return;
    case "request":
      pen.rect(x - 2.5, y - 2.5, 5, 5);
      filled(look.link);
      return;
    case "warning":
      pen.moveTo(x - 4, y + 3.5);
      pen.lineTo(x + 4, y + 3.5);
      pen.lineTo(x, y - 4);
      pen.closePath();
      filled(look.warn);
      return;
    case "log":
    case "config":
      pen.arc(x, y, 1.5, 0, 7);
      filled(look.dim);
      return;
    case "mismatch":
      pen.rect(x - 3, y - 3, 6, 6);
      outlined(look.bad);
      return;
    default:
      pen.moveTo(x, y - 5);
      pen.lineTo(x + 5, y);
      pen.lineTo(x, y + 5);
      pen.lineTo(x - 5, y);
      pen.closePath();
      filled(look.warn);
  }
}

/** With an edge in the page's colour, so that it stands out from the bar under it. */
function filled(color: string): void {
  pen.strokeStyle = look.bg;
  pen.lineWidth = 1.5;
  pen.stroke();
  pen.fillStyle = color;
  pen.fill();
}

function outlined(color: string): void {
  pen.strokeStyle = look.bg;
  pen.lineWidth = 4.5;
  pen.stroke();
  pen.strokeStyle = color;
  pen.lineWidth = 2;
  pen.stroke();
}
