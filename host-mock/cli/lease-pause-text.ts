import {
  fencePolicies,
  formatDuration,
  type LeasePauseModel,
  type LeasePauseRow,
  type Proportion,
  type Quantile,
} from "../index.ts";

export interface LeasePauseTextOptions {
  readonly color: boolean;
  /** Only what is not as expected. */
  readonly isQuiet: boolean;
}

/** The model as three tables: the published one, the same beside what theory expects, and what a fence changes. */
export function leasePauseText(
  model: LeasePauseModel,
  { color, isQuiet }: LeasePauseTextOptions,
): string {
  const compared = model.rows.flatMap(comparisons);
  const style = { strong: escape(color, 1, 22), bad: escape(color, 31, 39) };
  const expectedTable = (lines: readonly Comparison[]): string[] =>
    columns(
      [
        ["lease", "", "found", "95 % interval", "expected", "±4 standard errors", ""],
        ...lines.map(({ cells, verdict }) => [...cells, verdict]),
      ],
      "<<>>>><",
    ).map((line, i) => (lines[i - 1]?.verdict === outside ? style.bad(line) : line));
  if (isQuiet) {
    const wrong = compared.filter(({ verdict }) => verdict === outside);
    return wrong.length === 0 ? "" : `${expectedTable(wrong).join("\n")}\n`;
  }
  const { trials, generator, seed } = model;
  const lines = [
    style.strong(
      `lease-pause: ${count(trials)} trials a lease, generator ${generator}, seed ${seed}`,
    ),
    "",
    ...columns([publishedHead, ...model.rows.map(publishedRow)], "<>>>>>>"),
    "",
    style.strong("beside what theory expects"),
    "",
    ...expectedTable(compared),
    "",
    style.strong("the old leader's write when it wakes, by when a fence learns the new term"),
    "",
    ...columns([fenceHead, ...model.rows.flatMap(fenceRows)], "<<>>>>>"),
  ];
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

const publishedHead = ["lease", "elections", "", "P50", "P99", "split after election", ""];

function publishedRow({ ttlMs, elections, split, latency }: LeasePauseRow): string[] {
  return [
    lease(ttlMs),
    percent(elections.rate),
    `(${count(elections.count)})`,
    latency === null ? none : seconds(latency.p50.valueMs),
    latency === null ? none : seconds(latency.p99.valueMs),
    percent(split.rate),
    `(${count(split.count)})`,
  ];
}

interface Comparison {
  readonly cells: readonly string[];
  readonly verdict: string;
}

const outside = "outside";

function comparisons(row: LeasePauseRow): Comparison[] {
  const share = (name: string, found: Proportion): Comparison => ({
    cells: [
      lease(row.ttlMs),
      name,
      percent(found.rate),
      found.interval === null ? none : span(found.interval, share2),
      percent(found.expected),
      found.band === null ? none : span(found.band, share2),
    ],
    verdict: verdictOf(found.isInside),
  });
  const time = (name: string, found: Quantile): Comparison => ({
    cells: [
      lease(row.ttlMs),
      name,
      seconds(found.valueMs),
      "",
      seconds(found.expectedMs),
      span(found.bandMs, (ms) => (ms / 1000).toFixed(2), "s"),
    ],
    verdict: verdictOf(found.isInside),
  });
  return [
    share("elections", row.elections),
    ...(row.latency === null ? [] : [time("P50", row.latency.p50), time("P99", row.latency.p99)]),
    share("split", row.split),
    share("woke before the election", row.early),
    share("slipped past a late fence", row.lateFence),
    share("outlived after asking", row.outlived),
  ];
}

function verdictOf(isInside: boolean | null): string {
  if (isInside === null) return "too few";
  return isInside ? "inside" : outside;
}

const fenceHead = [
  "lease",
  "fence",
  "taken",
  "",
  "over newer work",
  "refused",
  "before the election",
];

function fenceRows(row: LeasePauseRow): string[][] {
  return fencePolicies.map((policy) => {
    const { accepted, overwriting, refused, beforeElection } = row.fencing[policy];
    const of = row.elections.count;
    return [
      lease(row.ttlMs),
      fenceNames[policy],
      count(accepted),
      of === 0 ? none : `(${percent(accepted / of)})`,
      count(overwriting),
      count(refused),
      count(beforeElection),
    ];
  });
}

const fenceNames = {
  none: "none",
  lazy: "lazy: at the first write",
  eager: "eager: at the election",
};

const none = "–";

const lease = (ttlMs: number): string => formatDuration(ttlMs * 1e6);
const count = (number: number): string => number.toLocaleString("en-US");
const share2 = (share: number): string => (100 * share).toFixed(2);
const percent = (share: number | null): string => (share === null ? none : `${share2(share)} %`);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

function span(
  range: { readonly from: number; readonly until: number },
  text: (value: number) => string,
  unit = "%",
): string {
  return `${text(range.from)} – ${text(range.until)} ${unit}`;
}

/** Rows with their cells one under the other; `align` has a `<` or `>` for each. */
function columns(rows: readonly (readonly string[])[], align: string): string[] {
  const widths = [...align].map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, i) =>
        align[i] === "<" ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}

function escape(color: boolean, on: number, off: number): (text: string) => string {
  return (text) => (color ? `\u001b[${on}m${text}\u001b[${off}m` : text);
}
