// The page's script, as plain scripts that share their names: the files of this folder are joined in one function.

type ReportData = import("../report-data.ts").ReportData;
type ItemKind = import("../report-data.ts").ItemKind;
type CallbackColumns = import("../report-data.ts").CallbackColumns;

function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

const report = JSON.parse(
  document.getElementById("report-data")?.textContent ?? "null",
) as ReportData;

/** Sums of the entries so far: what a column of differences stands for. */
function summed(differences: readonly number[]): Float64Array {
  const values = new Float64Array(differences.length);
  let value = 0;
  for (const [index, difference] of differences.entries()) values[index] = value += difference;
  return values;
}

const itemAt = summed(report.items.at);
const itemRow = report.items.row;
const itemCount = itemAt.length;

function itemUntil(item: number): number {
  return (itemAt[item] ?? 0) + (report.items.length[item] ?? 0);
}

function kindOf(item: number): ItemKind {
  return report.kinds[report.items.kind[item] ?? 0] ?? "life";
}

/** The texts of the page, put together from patterns and numbers. */
const texts = ((): string[] => {
  const { patterns, of, numbers } = report.texts;
  const pieces = patterns.map((pattern) => pattern.split("\u0001"));
  const last = patterns.map((): number[] => []);
  let next = 0;
  return of.map((pattern) => {
    const parts = pieces[pattern] ?? [""];
    const before = last[pattern] ?? [];
    let text = parts[0] ?? "";
    for (let place = 0; place < parts.length - 1; place++) {
      const value = (before[place] ?? 0) + (numbers[next++] ?? 0);
      before[place] = value;
      text += String(value) + (parts[place + 1] ?? "");
    }
    return text;
  });
})();

function textOf(item: number): string {
  return texts[report.items.text[item] ?? -1] ?? "";
}

function labelOf(item: number): string {
  return texts[report.items.label[item] ?? -1] ?? "";
}

/** Items by row and kind, each list in the order of time: `itemsOf[row][kind]`. Row −1 is the last list. */
const itemsOf = ((): number[][][] => {
  const lists = [...report.rows, null].map(() => report.kinds.map((): number[] => []));
  for (let item = 0; item < itemCount; item++) {
    const row = itemRow[item] ?? 0;
    lists.at(row)?.[report.items.kind[item] ?? 0]?.push(item);
  }
  return lists;
})();

const callbacks: CallbackColumns | null = report.callbacks;
const callbackAt = summed(callbacks?.at ?? []);
/** Entries of `callbacks` by row. */
const callbacksOf = ((): number[][] => {
  const lists = report.rows.map((): number[] => []);
  for (const [entry, row] of (callbacks?.row ?? []).entries()) lists[row]?.push(entry);
  return lists;
})();

/** Kinds that are no main events: the arrow keys pass them over. */
const minorKinds: ReadonlySet<ItemKind> = new Set<ItemKind>([
  ...([
    "life",
    "draining",
    "call",
    "request",
    "config",
    "log",
    "set",
    "unset",
    "mismatch",
  ] as const),
]);

/** `12.345 s`, `3 m 04.5 s`, `1 h 02 m 03 s`, with as many digits as `stepNs` needs. */
function timeText(units: number, stepNs = 1e6): string {
  const ns = units * report.unitNs;
  if (stepNs < 1e3) return grouped((ns / 1e9).toFixed(9));
  if (stepNs < 1e6) return grouped((ns / 1e9).toFixed(6));
  const digits = stepNs < 1e7 ? 3 : stepNs < 1e8 ? 2 : stepNs < 1e9 ? 1 : 0;
  const seconds = ns / 1e9;
  if (seconds < 600) return `${trimZeros(seconds.toFixed(digits))} s`;
  const rest = trimZeros((seconds % 60).toFixed(digits));
  const tail = stepNs >= 6e10 && Number(rest) === 0 ? "" : ` ${rest.padStart(2, "0")} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m${tail}`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} m${tail}`;
}

function grouped(seconds: string): string {
  return `${trimZeros(seconds)} s`;
}

function trimZeros(number: string): string {
  return number.includes(".") ? number.replace(/\.?0+$/, "") : number;
}
