/** From this many pixels between callbacks on, their host calls are drawn too. */
const callsDistance = 44;
const glyphStep = 7;

/** Ticks and other callbacks of a row, as lines under its bar; with room, the host calls of each after its line. */
function drawCallbacks(row: number, bottom: number): void {
  if (callbacks === null) return;
  const taken = new Uint8Array(Math.ceil(layout.width) + 2);
  const shown: { x: number; entry: number; at: number }[] = [];
  for (const entry of callbacksOf[row] ?? []) {
    const start = callbackAt[entry] ?? 0;
    if (start > view.until) break;
    const period = callbacks.period[entry] ?? 0;
    const last = (callbacks.count[entry] ?? 1) - 1;
    if (start + last * period < view.from) continue;
    const isTick = callbacks.name[entry] === tickName;
    const from = period === 0 ? 0 : Math.max(0, Math.ceil((view.from - start) / period));
    const until = period === 0 ? 0 : Math.min(last, Math.floor((view.until - start) / period));
    const pixelStep =
      period === 0 ? 1 : Math.max(1, Math.floor(1 / Math.max(1e-9, xOf(period) - xOf(0))));
    for (let index = from; index <= until; index += pixelStep) {
      const at = start + index * period;
      const x = xOf(at);
      if (x < layout.gutter) continue;
      const column = Math.floor(x);
      if (shown.length < 4000) shown.push({ x, entry, at });
      if (taken[column] === 1) continue;
      taken[column] = 1;
      pen.globalAlpha = isTick ? 0.6 : 1;
      pen.fillStyle = isTick ? look.dim : look.link;
      pen.fillRect(column, bottom - (isTick ? 5 : 8), 1, isTick ? 5 : 8);
      pen.globalAlpha = 1;
    }
  }
  shown.sort((one, other) => one.x - other.x || one.at - other.at);
  addCallbackSpots(shown, bottom);
}

const tickName = callbacks?.names.indexOf("proxy_on_tick") ?? -1;

function addCallbackSpots(
  shown: readonly { x: number; entry: number; at: number }[],
  bottom: number,
): void {
  if (callbacks === null || shown.length > plotWidth() / 4) return;
  for (const [index, { x, entry, at }] of shown.entries()) {
    const room = (shown[index + 1]?.x ?? layout.width) - x;
    const end = room < callsDistance ? x + 2 : drawCalls(entry, x + 4, { room: room - 8, bottom });
    spots.push({ x0: x - 2, x1: end, y0: bottom - 10, y1: bottom, item: -1, callback: entry, at });
  }
}

/** A sign for each host call, in order; where they end. */
function drawCalls(
  entry: number,
  left: number,
  { room, bottom }: { readonly room: number; readonly bottom: number },
): number {
  const calls = callbacks?.sequences[callbacks.sequence[entry] ?? 0] ?? [];
  const countMax = Math.floor(room / glyphStep);
  let x = left;
  for (const [index, call] of calls.entries()) {
    if (index >= countMax - 1 && calls.length > countMax) {
      pen.fillStyle = look.dim;
      pen.font = `10px ${fontFamily}`;
      pen.fillText("…", x, bottom);
      return x + glyphStep;
    }
    drawGlyph(callbacks?.calls[call] ?? "", x, bottom - 6);
    x += glyphStep;
  }
  return x;
}

/** Reads of shared data are open squares, writes full ones, refused calls red, calls to others round, the rest dots. */
function drawGlyph(call: string, x: number, y: number): void {
  const isBad = /: (?!NotFound)\w+$/.test(call);
  const color = isBad ? look.bad : look.link;
  pen.lineWidth = 1;
  pen.strokeStyle = pen.fillStyle = color;
  if (call.startsWith("proxy_set_shared_data")) pen.fillRect(x, y, 5, 5);
  else if (call.startsWith("proxy_get_shared_data")) pen.strokeRect(x + 0.5, y + 0.5, 4, 4);
  else if (/^proxy_(http|grpc|redis)/.test(call)) {
    pen.beginPath();
    pen.arc(x + 2.5, y + 2.5, 2.8, 0, 7);
    pen.fill();
  } else {
    pen.fillStyle = isBad ? look.bad : look.dim;
    pen.fillRect(x + 1.5, y + 1.5, 2, 2);
  }
}
