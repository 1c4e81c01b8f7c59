interface Look {
  readonly bg: string;
  readonly fg: string;
  readonly dim: string;
  readonly line: string;
  readonly lane: string;
  readonly bad: string;
  readonly warn: string;
  readonly link: string;
  readonly ink: string;
  readonly ink0: string;
  readonly tones: readonly string[];
  /** Over a tone; the first is none. */
  readonly hatches: readonly (CanvasPattern | null)[];
  readonly pausing: CanvasPattern | null;
  readonly banding: CanvasPattern | null;
}

const canvas = element("canvas", HTMLCanvasElement);
const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
let look: Look = readLook();

/** The page's colours, which follow the system's light or dark. */
function readLook(): Look {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const hatch = color("hatch");
  return {
    ...{ bg: color("bg"), fg: color("fg"), dim: color("dim"), line: color("line") },
    ...{ lane: color("lane"), bad: color("bad"), warn: color("warn"), link: color("link") },
    ...{ ink: color("ink"), ink0: color("ink0") },
    tones: [0, 1, 2, 3, 4, 5].map((tone) => color(`tone${tone}`)),
    hatches: [
      null,
      pattern(hatch, 7, falling),
      pattern(hatch, 7, dotted),
      pattern(hatch, 7, rising),
    ],
    pausing: pattern(color("warn"), 5, upright),
    banding: pattern(color("dim"), 6, falling),
  };
}

type PatternPainter = (on: CanvasRenderingContext2D, size: number) => void;

function pattern(color: string, size: number, paint: PatternPainter): CanvasPattern | null {
  const tile = document.createElement("canvas");
  tile.width = tile.height = size;
  const on = tile.getContext("2d");
  if (on === null) return null;
  on.strokeStyle = on.fillStyle = color;
  on.lineWidth = 1.6;
  paint(on, size);
  return pen.createPattern(tile, "repeat");
}

function falling(on: CanvasRenderingContext2D, size: number): void {
  on.beginPath();
  for (const shift of [-size, 0, size]) {
    on.moveTo(shift - 1, size + 1);
    on.lineTo(shift + size + 1, -1);
  }
  on.stroke();
}

function rising(on: CanvasRenderingContext2D, size: number): void {
  on.beginPath();
  for (const shift of [-size, 0, size]) {
    on.moveTo(shift - 1, -1);
    on.lineTo(shift + size + 1, size + 1);
  }
  on.stroke();
}

function upright(on: CanvasRenderingContext2D, size: number): void {
  on.fillRect(size / 2 - 0.75, 0, 1.5, size);
}

function dotted(on: CanvasRenderingContext2D, size: number): void {
  on.beginPath();
  on.arc(size / 2, size / 2, 1.5, 0, 7);
  on.fill();
}
