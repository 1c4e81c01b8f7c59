import { electionShare, splitShare } from "./closed-forms.ts";
import { fencePolicies } from "./fencing.ts";
import type { LeasePauseModel, LeasePauseRow } from "./lease-pause.ts";
import { diamond, domainOf, Panel, px, type Domain, type Point } from "./plot-panel.ts";
import { bandOf, type Proportion } from "./proportion.ts";
import { published } from "./published.ts";

/**
 * The model's shares by length of lease, as one SVG picture that needs nothing else: what was counted with its 95 %
 * interval, what theory expects with four standard errors either way, the published table, and the writes that a
 * receiver takes from an old leader under each fence. Equal models give equal text.
 */
export function leasePausePlot(model: LeasePauseModel): string {
  const height = Math.max(heightMin, panelTop + model.rows.length * groupHeight + legendHeight);
  const about = `${count(model.trials)} trials a lease, generator ${model.generator}, seed ${model.seed}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>Leaders that pause: elections, split writes and fences by length of lease</title>`,
    `<desc>${about}. ${spoken(model)}</desc>`,
    style,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    `<text class="title" x="${margin}" y="30">A leader pauses while it holds the lease</text>`,
    `<text class="tick" x="${margin}" y="50">${about}</text>`,
    ...sharePanel(model, {
      title: "Trials with an election",
      left: 80,
      of: ({ elections }) => elections,
      theory: electionShare,
      cases: () => model.trials,
      known: ({ elections }) => elections,
    }),
    ...sharePanel(model, {
      title: "Elections with a split",
      left: 420,
      of: ({ split }) => split,
      theory: splitShare,
      cases: (ttl) => model.trials * electionShare(ttl),
      known: ({ split }) => split,
    }),
    ...fencePanel(model.rows),
    legend(height - 24),
    "</svg>\n",
  ].join("\n");
}

const width = 1060;
const margin = 24;
const panelTop = 104;
const panelWidth = 250;
const panelHeight = 210;
const heightMin = 420;
/** Of a lease's three bars, and of what stands below all of them. */
const groupHeight = 62;
const legendHeight = 60;
const seconds = { from: 1, until: 29 };

interface SharePanel {
  readonly title: string;
  readonly left: number;
  readonly of: (row: LeasePauseRow) => Proportion;
  readonly theory: (ttl: number) => number;
  /** How many cases the share of a lease is expected to be of. */
  readonly cases: (ttl: number) => number;
  readonly known: (row: (typeof published)[number]) => number;
}

function sharePanel(model: LeasePauseModel, what: SharePanel): string[] {
  const ttlMax = Math.max(...model.rows.map(({ ttlMs }) => ttlMs / 1000));
  const x: Domain = { from: 0, until: Math.min(30, Math.max(12, Math.ceil(ttlMax * 1.15))) };
  const places = Array.from(
    { length: 57 },
    (_, i) => seconds.from + ((Math.min(x.until, seconds.until) - seconds.from) * i) / 56,
  );
  const theory = places.map((ttl): Point => [ttl, 100 * what.theory(ttl)]);
  const bands = places.map((ttl) => bandOf(what.theory(ttl), what.cases(ttl)));
  const lower = bands.map(({ from }, i): Point => [places[i] ?? 0, 100 * from]);
  const upper = bands.map(({ until }, i): Point => [places[i] ?? 0, 100 * until]);
  const measured = model.rows.flatMap((row) => {
    const { rate, interval } = what.of(row);
    if (rate === null || interval === null) return [];
    return [{ ttl: row.ttlMs / 1000, rate: 100 * rate, interval }];
  });
  const known = published
    .map((row): Point => [row.ttlMs / 1000, what.known(row)])
    .filter(([ttl]) => ttl <= x.until);
  const y = domainOf(
    [
      ...[...lower, ...upper, ...known].map(([, share]) => share),
      ...measured.flatMap(({ interval }) => [100 * interval.from, 100 * interval.until]),
    ],
    { from: 0, until: 100 },
  );
  const panel = new Panel({
    title: what.title,
    left: what.left,
    top: panelTop,
    width: panelWidth,
    height: panelHeight,
    xLabel: "length of the lease, s",
    x,
    y,
  });
  return [
    panel.frame(" %"),
    panel.area(lower, upper, "band"),
    panel.line(theory, "theory"),
    ...known.map((point) => panel.diamond(point)),
    ...measured.map(({ ttl, rate, interval }) =>
      panel.measured([ttl, rate], 100 * interval.from, 100 * interval.until),
    ),
  ];
}

const fenceNames = { none: "no fence", lazy: "fence, first write", eager: "fence, touched" };

/** For each lease a bar for each fence: of the writes that old leaders made after an election, the share taken. */
function fencePanel(rows: readonly LeasePauseRow[]): string[] {
  const left = 760;
  const barsLeft = left + 118;
  const barsWidth = 100;
  const lines: string[] = [
    `<text class="head" x="${left}" y="${panelTop - 14}">Stale writes taken, of elections</text>`,
  ];
  const thick = 11;
  for (const [index, row] of rows.entries()) {
    const top = panelTop + index * groupHeight;
    for (const [place, policy] of fencePolicies.entries()) {
      const of = row.split.of;
      const share = of === 0 ? 0 : row.fencing[policy].accepted / of;
      const middle = top + 8 + place * 16;
      const label = of === 0 ? "–" : `${(100 * share).toFixed(2)} %`;
      if (place === 0)
        lines.push(
          `<text class="tick" x="${left}" y="${px(middle)}" dy="4">${row.ttlMs / 1000} s</text>`,
        );
      lines.push(
        `<text class="small" x="${barsLeft - 6}" y="${px(middle)}" dy="3.5" text-anchor="end">${fenceNames[policy]}</text>`,
        `<rect class="${policy}" x="${barsLeft}" y="${px(middle - thick / 2)}" width="${px(barsWidth * share)}" height="${px(thick)}"/>`,
        `<text class="small" x="${px(barsLeft + barsWidth * share + 5)}" y="${px(middle)}" dy="3.5">${label}</text>`,
      );
    }
  }
  return lines;
}

function legend(y: number): string {
  const entry = (x: number, mark: string, text: string): string =>
    `${mark}<text class="tick" x="${x + 34}" y="${y}" dy="4">${text}</text>`;
  return [
    entry(
      80,
      `<path class="bar" d="M92 ${y - 8}v16m-4 -16h8m-8 16h8"/><circle class="dot" cx="92" cy="${y}" r="3.5"/>`,
      "counted, 95 % interval",
    ),
    entry(
      280,
      `<rect class="band" x="280" y="${y - 8}" width="26" height="16"/><path class="theory" d="M280 ${y}h26"/>`,
      "expected, four standard errors either way",
    ),
    entry(590, diamond(604, y), "published table"),
  ].join("\n");
}

/** The numbers in words, for who cannot see the picture. */
function spoken({ rows }: LeasePauseModel): string {
  const percent = ({ rate }: Proportion): string =>
    rate === null ? "none" : `${(100 * rate).toFixed(2)} %`;
  return rows
    .map(
      (row) =>
        `Lease of ${row.ttlMs / 1000} s: elections ${percent(row.elections)}, split ${percent(row.split)}.`,
    )
    .join(" ");
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}

/** Colours that colour-blind eyes tell apart, by day and by night. */
const style = `<style>
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:#1f2933}
.title{font-size:17px;font-weight:600}.head{font-size:13px;font-weight:600}
.tick{font-size:12px;fill:#52606d}.small{font-size:11px;fill:#52606d}
.paper{fill:#fff}.grid{stroke:#e4e7eb}.axis{stroke:#9aa5b1}
.band{fill:#0072b2;fill-opacity:.14}.theory{stroke:#0072b2;stroke-width:1.5;fill:none}
.bar{stroke:#d55e00;stroke-width:1.5;fill:none}.dot{fill:#d55e00}
.diamond{fill:none;stroke:#1f2933;stroke-width:1.2}
.none{fill:#d55e00}.lazy{fill:#e69f00}.eager{fill:#009e73}
@media (prefers-color-scheme:dark){
text{fill:#e4e7eb}.tick,.small{fill:#9aa5b1}.paper{fill:#14181d}.grid{stroke:#2b333c}.axis{stroke:#616e7c}
.band{fill:#56b4e9;fill-opacity:.18}.theory{stroke:#56b4e9}.diamond{stroke:#e4e7eb}
.bar{stroke:#ff8c42}.dot,.none{fill:#ff8c42}}
</style>`;
