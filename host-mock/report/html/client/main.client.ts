const stage = element("stage", HTMLDivElement);
const keyHelp = element("keys", HTMLDivElement);

const keyActions: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
  ArrowLeft: (event) => stepBy(-1, event.shiftKey),
  ArrowRight: (event) => stepBy(1, event.shiftKey),
  v: nextViolation,
  "+": () => zoom(0.5, aroundChosen()),
  "=": () => zoom(0.5, aroundChosen()),
  "-": () => zoom(2, aroundChosen()),
  "0": () => setView(0, report.duration),
  "?": toggleHelp,
  "/": () => searchBox.focus(),
  Escape: () => choose(null),
};

function aroundChosen(): number {
  const middle = (view.from + view.until) / 2;
  if (chosen === null || chosen.at < view.from || chosen.at > view.until) return middle;
  return chosen.at;
}

function toggleHelp(): void {
  keyHelp.hidden = !keyHelp.hidden;
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === searchBox) {
    if (event.key === "Enter") nextFind(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") stage.focus();
    else return;
    event.preventDefault();
    return;
  }
  const action = keyActions[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action(event);
}

/** Fingers and mice on the canvas: one drags, two pinch, a short one chooses. */
const pointers = new Map<number, { x: number; y: number }>();
let travelled = 0;

function placeOf(event: PointerEvent | WheelEvent): { x: number; y: number } {
  const box = canvas.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function onDown(event: PointerEvent): void {
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, placeOf(event));
  if (pointers.size === 1) travelled = 0;
  showTip(null, 0, 0);
}

function onMove(event: PointerEvent): void {
  const place = placeOf(event);
  const before = pointers.get(event.pointerId);
  if (before === undefined) {
    if (event.pointerType === "mouse") showTip(spotAt(place.x, place.y, 5), place.x, place.y);
    return;
  }
  const unitsPerPixel = (view.until - view.from) / plotWidth();
  if (pointers.size === 1) pan((before.x - place.x) * unitsPerPixel);
  else {
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1] ?? place;
    const spread = Math.abs(place.x - other.x);
    if (spread > 10) zoom(Math.abs(before.x - other.x) / spread, timeAt((place.x + other.x) / 2));
  }
  travelled += Math.abs(place.x - before.x) + Math.abs(place.y - before.y);
  pointers.set(event.pointerId, place);
}

function onUp(event: PointerEvent): void {
  const wasAlone = pointers.size === 1;
  pointers.delete(event.pointerId);
  if (!wasAlone || travelled > 6 || event.type === "pointercancel") return;
  const { x, y } = placeOf(event);
  choose(spotAt(x, y, event.pointerType === "touch" ? 14 : 6));
}

function onWheel(event: WheelEvent): void {
  const { x } = placeOf(event);
  const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
  // With more rows than fit, the wheel scrolls them, and zooms with Ctrl (a pinch on a touchpad comes so, too).
  const scrolls = layout.height < axisHeight + layout.rowsHeight;
  if (!isSideways && scrolls && !event.ctrlKey) return;
  event.preventDefault();
  if (isSideways) pan((event.deltaX * (view.until - view.from)) / plotWidth());
  else zoom(Math.exp(event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), timeAt(x));
}

function onClick(id: string, action: () => void): void {
  element(id, HTMLButtonElement).addEventListener("click", action);
}

function listen(): void {
  document.addEventListener("keydown", onKey);
  canvas.addEventListener("pointerdown", onDown);
  canvas.addEventListener("pointermove", onMove);
  for (const name of ["pointerup", "pointercancel"] as const) canvas.addEventListener(name, onUp);
  canvas.addEventListener("pointerleave", () => showTip(null, 0, 0));
  canvas.addEventListener("wheel", onWheel, { passive: false });
  scroller.addEventListener("scroll", requestDraw);
  searchBox.addEventListener("input", () => search(searchBox.value));
  onClick("previous", () => nextFind(-1));
  onClick("next", () => nextFind(1));
  onClick("farther", () => zoom(2, aroundChosen()));
  onClick("nearer", () => zoom(0.5, aroundChosen()));
  onClick("whole", () => setView(0, report.duration));
  onClick("violation", nextViolation);
  onClick("help", toggleHelp);
  new ResizeObserver(() => {
    if (scroller.clientWidth === layout.width) return;
    measure();
    draw();
  }).observe(scroller);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    look = readLook();
    requestDraw();
  });
}

document.documentElement.classList.add("scripted");
element("violation", HTMLButtonElement).hidden = violations.length === 0;
tellFinds();
measure();
draw();
listen();

/** For tests: when the picture stood, in milliseconds since the page was opened, and what it shows. */
Object.defineProperty(window, "proxyWasmAsReport", {
  value: {
    drawnMs: performance.now(),
    shown: () => [view.from * report.unitNs, view.until * report.unitNs],
    chosen: () => (chosen === null ? null : sentenceOf(chosen)),
    finds: () => finds.length,
    spots: () => spots.length,
    row: (label: string) => {
      const row = report.rows.findIndex((one) => one.label === label);
      const height = layout.rows[row]?.height ?? 0;
      return { y: yOf(row), height, left: layout.gutter, width: plotWidth() };
    },
    ticks: (label: string) =>
      spots
        .filter(({ callback }) => callback >= 0 && callbacks?.name[callback] === tickName)
        .filter(({ callback }) => report.rows[callbacks?.row[callback] ?? 0]?.label === label)
        .map(({ x0, x1, y0, y1 }) => ({ x: (x0 + x1) / 2, y: (y0 + y1) / 2, width: x1 - x0 })),
  },
});
