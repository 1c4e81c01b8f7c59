import { count } from "../../properties/wording.ts";
import { threadOrder } from "../lanes.ts";
import { clean } from "../paint.ts";
import { depthBars } from "./depth-bars.ts";
import { document } from "./document.ts";
import { escape } from "./escape.ts";
import type { Counterexample, Exploration, ExplorationStep } from "./exploration.ts";
import { explorationCss } from "./page-css.ts";
import { sequenceChart } from "./sequence-chart.ts";
import { table } from "./tables.ts";
import { patterns } from "./theme.ts";

/**
 * A search over schedules as one HTML file without script: what was searched, what was found, and the shortest
 * violation as a sequence chart and a table. Equal results give equal bytes.
 */
export function explorationToHtml(found: Exploration): string {
  const { violation } = found;
  const body = [
    patterns,
    head(found),
    violation === null ? "" : counterexample(violation, found),
    `<section><h2>Search</h2>${table(["what", "value"], facts(found), { wraps: true })}</section>`,
    found.statesByDepth === undefined || found.statesByDepth.length === 0
      ? ""
      : `<section><h2>States per depth</h2><div class="figure">${depthBars(found.statesByDepth)}</div></section>`,
  ];
  return document({
    title: `${isProof(found) ? "✔" : "✘"} ${clean(found.title)}`,
    css: explorationCss,
    body: body.filter((part) => part !== "").join("\n"),
  });
}

function head(found: Exploration): string {
  const { violation, cutBy, missed } = found;
  const seen = found.states === null ? count(found.steps, "step") : count(found.states, "state");
  const verdict =
    violation !== null
      ? `<p class="bad">✘ ${escape(clean(violation.property))} is violated, after ${count(violation.steps.length, "step")}</p>`
      : isProof(found)
        ? `<p class="ok">✔ no violation in ${seen}: all there are within the bounds</p>`
        : `<p class="bad">✘ no violation in ${seen}, and no proof: ${escape(whyNoProof(cutBy, missed))}</p>`;
  const about = [
    count(found.vms, "VM"),
    clean(found.strategy),
    ...(found.seed === null ? [] : [`seed ${found.seed}`]),
    clean(found.file),
  ];
  return `<header><h1>${escape(clean(found.title))}</h1>${verdict}<p class="about">${escape(about.join(" · "))}</p></header>`;
}

/** Everything within the bounds was seen, what had to be seen among it, and nothing wrong. */
function isProof({ violation, complete, missed }: Exploration): boolean {
  return violation === null && complete && missed.length === 0;
}

function whyNoProof(cutBy: string | null, missed: readonly string[]): string {
  if (missed.length > 0) return `never seen: ${missed.map((goal) => clean(goal)).join(", ")}`;
  return cutBy === null ? "it saw only a part" : `cut off by ${clean(cutBy)}`;
}

function facts(found: Exploration): [string, string][] {
  const number = (value: number): string => value.toLocaleString("en-US");
  const bounds = Object.entries(found.bounds).map(([name, value]) => `${name} ${value}`);
  const { seconds, states, schedules } = found;
  const violations = Object.entries(found.violations).filter(([, times]) => times > 0);
  return [
    ["strategy", clean(found.strategy)],
    ["bounds", clean(bounds.join(", ")) || "none"],
    ["VMs", number(found.vms)],
    ["schedules", schedules === null ? "not counted: states are merged" : number(schedules)],
    ["states", states === null ? "not counted" : number(states)],
    ["steps", number(found.steps)],
    ["longest path", count(found.depth, "step")],
    ["complete", found.complete ? "yes" : `no${found.cutBy === null ? "" : `: ${found.cutBy}`}`],
    ...(seconds === undefined
      ? []
      : [
          [
            "time",
            `${seconds.toFixed(1)} s (${number(Math.round(found.steps / Math.max(seconds, 1e-3)))} steps/s)`,
          ] satisfies [string, string],
        ]),
    ...(violations.length === 0 ? [["violations", "none"] satisfies [string, string]] : []),
    ...violations.map(([name, times]): [string, string] => [
      `violations of ${clean(name)}`,
      number(times),
    ]),
    [
      "never seen",
      found.missed.map((goal) => clean(goal)).join(", ") || "nothing that was looked for",
    ],
  ];
}

function counterexample(violation: Counterexample, found: Exploration): string {
  const { steps } = violation;
  const vms = [...new Set(steps.map(({ vm }) => vm))].filter((vm) => vm !== "").sort(threadOrder);
  const rows = steps.map((step, index) => [
    String(index + 1),
    step.vm === "" ? "–" : clean(step.vm),
    clean(step.call),
    step.status ?? "",
    step.leaders.map((leader) => clean(leader)).join(", ") || "nobody",
    clean(valueOf(step.result), 60),
    clean(valuesOf(step.args), 200),
  ]);
  const bad = new Set(steps.flatMap(({ leaders }, index) => (leaders.length > 1 ? [index] : [])));
  const again =
    found.replay === undefined ? "" : `<p>Again:</p><pre>${escape(clean(found.replay))}</pre>`;
  return (
    `<section><h2>The shortest violation found</h2>` +
    `<div class="scrolls">${sequenceChart(steps, vms)}</div>` +
    `<p class="dim">Arrows to the right write, those to the left read; a broad stretch of a lifeline: its VM leads.</p>` +
    `${again}<p>The schedule: <code>${escape(clean(violation.text))}</code></p>` +
    `${table(["step", "VM", "call", "status", "who leads", "result", "with"], rows, { bad })}</section>`
  );
}

function valuesOf(args: ExplorationStep["args"]): string {
  return Object.entries(args)
    .map(([name, value]) => `${name} ${valueOf(value)}`)
    .join(", ");
}

function valueOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
