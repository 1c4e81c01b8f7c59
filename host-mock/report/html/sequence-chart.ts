import { clean } from "../paint.ts";
import { escape } from "./escape.ts";
import type { ExplorationStep } from "./exploration.ts";
import { hatchCount, toneCount } from "./theme.ts";

const numberWidth = 34;
const columnWidth = 210;
const stepHeight = 34;
const headHeight = 34;
/** A longer chart is no picture; the table has all steps. */
const stepCountMax = 120;

/**
 * A schedule as a sequence chart: a lifeline per VM and one for shared data, a numbered arrow per step, and who leads
 * as a broad coloured stretch of its lifeline. Two of them side by side are the violation.
 */
export function sequenceChart(steps: readonly ExplorationStep[], vms: readonly string[]): string {
  const shown = steps.slice(0, stepCountMax);
  const columns = [...vms, "shared data"];
  const width = numberWidth + columns.length * columnWidth;
  const height = headHeight + shown.length * stepHeight + 14;
  const xOf = (column: number): number => numberWidth + (column + 0.5) * columnWidth;
  const yOf = (step: number): number => headHeight + (step + 0.5) * stepHeight;
  const lifelines = columns.map(
    (name, column) =>
      `<path class="grid" d="M${xOf(column)} ${headHeight - 8}V${height - 6}"/>` +
      `<text class="strong" text-anchor="middle" x="${xOf(column)}" y="18">${escape(clean(name, 26))}</text>`,
  );
  const leads = vms.flatMap((vm, column) =>
    stretches(shown, vm).map(({ from, until, label }) => {
      const top = yOf(from) + 8;
      const bottom = until === null ? height - 6 : yOf(until);
      const size = `x="${xOf(column) - 8}" y="${top}" width="16" height="${Math.max(6, bottom - top)}"`;
      const hatch = column % hatchCount;
      const over = hatch === 0 ? "" : `<rect fill="url(#hatch${hatch})" ${size}/>`;
      const title = `<title>${escape(label)}</title>`;
      return `<rect class="tone${column % toneCount}" ${size}>${title}</rect>${over}`;
    }),
  );
  const arrows = shown.map((step, index) => arrow(step, index, { vms, xOf, y: yOf(index), width }));
  const label = `Sequence chart of ${steps.length} steps`;
  return (
    `<svg class="chart" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="${label}">` +
    `${lifelines.join("")}${leads.join("")}${arrows.join("")}</svg>`
  );
}

interface ArrowPlace {
  readonly vms: readonly string[];
  readonly xOf: (column: number) => number;
  readonly y: number;
  readonly width: number;
}

function arrow(step: ExplorationStep, index: number, place: ArrowPlace): string {
  const { vms, xOf, y, width } = place;
  const leaders = leading(step, vms);
  const isDouble = leaders.length > 1;
  const warning = isDouble
    ? `<text class="violationText" x="${xOf(vms.length) + 14}" y="${y + 4}">${leaders.length} lead</text>`
    : "";
  const number = `${warning}<text class="${isDouble ? "violationText" : "dim"}" text-anchor="end" x="${numberWidth - 8}" y="${y + 4}">${index + 1}</text>`;
  const column = vms.indexOf(step.vm);
  const words = clean(wordsOf(step), Math.floor(columnWidth / 5.5));
  if (column < 0 || !step.call.startsWith("proxy_")) {
    const left = column < 0 ? numberWidth : xOf(column) - columnWidth / 2 + 10;
    const wide = column < 0 ? width - numberWidth - 6 : columnWidth - 20;
    return (
      `${number}<rect class="band" x="${left}" y="${y - 11}" width="${wide}" height="22"/>` +
      boxed(words, left + wide / 2, y + 4)
    );
  }
  const from = xOf(column) + 9;
  const to = xOf(vms.length) - 3;
  const isRead = step.call.includes("get");
  const isRefused = step.status !== null && step.status !== "Ok" && step.status !== "NotFound";
  const kind = isRefused ? "arrow wrong" : "arrow";
  // The head points to where the value goes.
  const head = isRead ? `M${from + 8} ${y - 5}l-8 5l8 5` : `M${to - 8} ${y - 5}l8 5l-8 5`;
  return (
    `${number}<path class="${kind}${isRead ? " read" : ""}" d="M${from} ${y}H${to}"/><path class="${kind}" d="${head}"/>` +
    boxed(words, from + Math.min(columnWidth - 24, to - from) / 2 + 6, y + 4, isRefused)
  );
}

/** Text on a ground of the page's colour, so that lines do not run through it. */
function boxed(text: string, x: number, y: number, isWrong = false): string {
  const width = text.length * 6 + 8;
  return (
    `<rect class="ground" x="${Math.round(x - width / 2)}" y="${y - 12}" width="${width}" height="16"/>` +
    `<text class="step${isWrong ? " violationText" : ""}" text-anchor="middle" x="${Math.round(x)}" y="${y}">${escape(text)}</text>`
  );
}

/** `set lease cas 3: CasMismatch` */
function wordsOf({ call, args, status }: ExplorationStep): string {
  const verb = call
    .replace(/^proxy_(get|set)_shared_data$/, "$1")
    .replace(/^proxy_/, "")
    .replace(/_shared_queue$/, "");
  const key = typeof args["key"] === "string" ? ` ${shortKey(args["key"])}` : "";
  const cas = typeof args["cas"] === "number" ? ` cas ${args["cas"]}` : "";
  if (!call.startsWith("proxy_")) {
    const about = Object.values(args).filter((value) => typeof value !== "object");
    return [call, ...about.map(String)].join(" ");
  }
  return `${verb}${key}${cas}${status === null || status === "Ok" ? "" : `: ${status}`}`;
}

/** The end tells more than the beginning, which all keys share. */
function shortKey(key: string): string {
  const last = key.split(":").slice(-1)[0] ?? key;
  return last.length > 12 ? `…${last.slice(-11)}` : last;
}

/** The VMs that lead after a step. */
function leading({ leaders }: ExplorationStep, vms: readonly string[]): string[] {
  return vms.filter((vm) => leaders.some((leader) => isOf(leader, vm)));
}

/** `worker_1 (term 3)` is worker_1's and not worker_10's. */
function isOf(leader: string, vm: string): boolean {
  return leader.startsWith(vm) && !/^[\w]/.test(leader.slice(vm.length));
}

/** From which step to which a VM leads; null: to the end. */
function stretches(
  steps: readonly ExplorationStep[],
  vm: string,
): { from: number; until: number | null; label: string }[] {
  const found: { from: number; until: number | null; label: string }[] = [];
  let open: { from: number; until: number | null; label: string } | null = null;
  for (const [index, step] of steps.entries()) {
    const leader = step.leaders.find((name) => isOf(name, vm));
    if (leader !== undefined && open === null) {
      open = { from: index, until: null, label: `${leader} leads` };
      found.push(open);
    } else if (leader === undefined && open !== null) {
      open.until = index;
      open = null;
    }
  }
  return found;
}
