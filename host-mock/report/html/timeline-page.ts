import { count, time } from "../../properties/wording.ts";
import { clean } from "../paint.ts";
import { isOk, type JudgedRun } from "../run.ts";
import { sentence } from "../verdict-table.ts";
import type { CallDetail } from "./call-detail.ts";
import { clientScript } from "./client-script.ts";
import { pageData, pictureOf } from "./data.ts";
import { document } from "./document.ts";
import { escape, inlineJson } from "./escape.ts";
import { legend } from "./legend.ts";
import { overview } from "./overview.ts";
import { timelineCss } from "./page-css.ts";
import { patterns } from "./theme.ts";
import { leadershipsTable, storyTable, trapsSection, verdictsTable } from "./tables.ts";

export interface HtmlOptions {
  /** What was gathered of a full trace while it ran; default: what the run's own events tell. */
  readonly detail?: CallDetail;
  /** The line that runs it again. */
  readonly again?: string;
}

/**
 * A run as one HTML file that needs no network and, for its pictures and tables, no script. Equal runs give equal
 * bytes.
 *
 *     const detail = new CallDetail();
 *     const run = prepareScenario(scenario, { trace: "full" }).run((event) => detail.feed(event));
 *     writeFileSync("report.html", toHtml(run, { detail }));
 */
export function toHtml(run: JudgedRun, options: HtmlOptions = {}): string {
  const picture = pictureOf(run, options.detail);
  const { data, notes } = pageData(picture);
  const { facts } = picture;
  const name = clean(run.name);
  const again =
    options.again === undefined
      ? ""
      : `<section><h2>Again</h2><pre>${escape(clean(options.again))}</pre></section>`;
  const body = [
    patterns,
    head(run, picture.rows.all.filter(({ kind }) => kind === "vm").length),
    failures(run),
    `<section><h2>Timeline</h2>\n${app}\n<div class="figure" id="overview">${overview(picture)}</div>`,
    legend(picture.items, { hasCallbacks: data.callbacks !== null }),
    notes.length === 0
      ? ""
      : `<ul class="notes">${notes.map((note) => `<li>${escape(note)}</li>`).join("")}</ul>`,
    "</section>",
    `<section><h2>Verdicts</h2>${verdictsTable(run.verdicts)}</section>`,
    `<section><h2>Leaderships</h2>${leadershipsTable(facts)}</section>`,
    `<section><h2>What happened</h2>${storyTable(facts)}</section>`,
    trapsSection(facts),
    again,
  ];
  return document({
    title: `${isOk(run) ? "✔" : "✘"} ${name}`,
    css: timelineCss,
    body: body.filter((part) => part !== "").join("\n"),
    data: inlineJson(data),
    script: clientScript(),
  });
}

function head(run: JudgedRun, laneCount: number): string {
  const missed = run.verdicts.filter(({ ok }) => !ok).length;
  const all = run.verdicts.length;
  const verdict = isOk(run)
    ? `<p class="ok">✔ ${all === 1 ? "the verdict is" : `all ${all} verdicts are`} as expected</p>`
    : `<p class="bad">✘ ${missed} of ${count(all, "verdict")} not as expected</p>`;
  const about = [
    `${time(run.durationNs)} of virtual time`,
    count(laneCount, "VM"),
    `seed ${run.seed}`,
    `profile ${clean(run.profile)}`,
  ];
  return `<header><h1>${escape(clean(run.name))}</h1>${verdict}<p class="about">${escape(about.join(" · "))}</p></header>`;
}

function failures(run: JudgedRun): string {
  const failed = run.verdicts.filter(({ ok }) => !ok);
  if (failed.length === 0) return "";
  const lines = failed.map((verdict) => {
    const of = verdict.subject === "" ? "" : ` of ${escape(clean(verdict.subject))}`;
    const at = verdict.atMs === null ? "" : ` at ${time(Math.round(verdict.atMs * 1e6))}`;
    return `<li><b>✘ ${escape(verdict.property)}</b>${of}${at}: ${escape(sentence(verdict))}</li>`;
  });
  return `<ul class="failures">${lines.join("")}</ul>`;
}

const keys = [
  ["← →", "the event before, the next one; with Shift also calls, logs and sets of shared data"],
  ["v", "the violation, and the next one"],
  ["+ −", "nearer, farther"],
  ["0", "the whole run"],
  ["/", "search: a VM, a term, a message, a key; Enter and Shift+Enter go on"],
  ["Esc", "nothing chosen"],
  ["?", "this list"],
] as const;

const app = `<div id="app" class="screen"><div class="tools" role="toolbar" aria-label="Timeline">
<input type="search" id="search" placeholder="VM, term, message, key" aria-label="Search"><button id="previous" title="the find before">‹</button><button id="next" title="the next find">›</button><output id="found" for="search"></output>
<button id="farther" title="farther (−)">−</button><button id="nearer" title="nearer (+)">+</button><button id="whole" title="the whole run (0)">whole run</button><button id="violation" class="wrong" title="the violation (v)">violation</button><button id="help" title="keys (?)">?</button></div>
<div class="keys" id="keys" hidden><dl>${keys.map(([key, what]) => `<dt>${key}</dt><dd>${what}</dd>`).join("")}</dl><p class="dim">Drag or swipe to move, wheel or pinch to come nearer, tap or click to choose.</p></div>
<div id="stage" tabindex="0" role="application" aria-label="Timeline of the run; the tables below say the same in words"><div id="scroller"><canvas id="canvas"></canvas><div id="spacer"></div></div><div id="tip" hidden></div></div>
<div id="details" aria-live="polite"><p class="dim">Point at something to see what it is; tap or click to keep it here. ← → step from event to event, ? lists all keys.</p></div></div>`;
