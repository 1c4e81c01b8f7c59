import { escape } from "./escape.ts";

const width = 640;
const height = 150;
const left = 64;
const floor = height - 24;
/** More bars are joined. */
const barCountMax = 120;

/** How many states were first met at each depth, as bars. */
export function depthBars(statesByDepth: readonly number[]): string {
  const span = Math.max(1, Math.ceil(statesByDepth.length / barCountMax));
  const sums: number[] = [];
  for (const [depth, count] of statesByDepth.entries()) {
    const bar = Math.floor(depth / span);
    sums[bar] = (sums[bar] ?? 0) + count;
  }
  const most = Math.max(1, ...sums);
  const step = (width - left - 8) / Math.max(1, sums.length);
  const bars = sums.map((count, bar) => {
    const tall = Math.max(count > 0 ? 1 : 0, (count / most) * (floor - 16));
    const from = bar * span;
    const depths = span === 1 ? `depth ${from}` : `depths ${from} to ${from + span - 1}`;
    const title = `${depths}: ${count.toLocaleString("en-US")} states`;
    return `<rect class="tone0" x="${round(left + bar * step)}" y="${round(floor - tall)}" width="${round(Math.max(0.5, step - 1))}" height="${round(tall)}"><title>${title}</title></rect>`;
  });
  const end = statesByDepth.length - 1;
  const label = `States per depth, at most ${most.toLocaleString("en-US")}`;
  return (
    `<svg class="bars" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(label)}">` +
    `<path class="grid" d="M${left} ${floor}H${width - 4}M${left} 16H${width - 4}"/>` +
    `<text class="dim" text-anchor="end" x="${left - 6}" y="20">${most.toLocaleString("en-US")}</text>` +
    `<text class="dim" text-anchor="end" x="${left - 6}" y="${floor + 4}">0</text>` +
    `<text class="dim" x="${left}" y="${height - 6}">depth 0</text>` +
    `<text class="dim" text-anchor="end" x="${width - 4}" y="${height - 6}">${end}</text>${bars.join("")}</svg>`
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
