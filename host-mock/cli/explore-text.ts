import type { ExploreRun } from "../index.ts";
import { formatDuration, stepTable } from "../index.ts";
import { printable } from "./printable.ts";

/** What one search was and found, for people. */
export function exploreText(run: ExploreRun, seconds: number, again: string): string {
  const lines = [head(run), counts(run, seconds), verdict(run)];
  const { violation, missed } = run.search;
  if (violation !== null) {
    lines.push("", ...stepTable(violation.steps), "", `schedule: ${violation.text}`);
    if (violation.shrinkCount > 0) lines.push(`shrunk in ${violation.shrinkCount} tries`);
    lines.push(`again: ${again}`);
  } else if (missed.length > 0) {
    lines.push(
      `never seen: ${missed.join(", ")}; a search in which it never happens proves nothing`,
    );
  }
  return `${lines.map(printable).join("\n")}\n`;
}

function head({ name, profile, bounds, vms, search }: ExploreRun): string {
  const faults = (
    [
      ["crash", bounds.crashes],
      ["wipe", bounds.wipes],
      ["refusal", bounds.refusals],
      ["corruption", bounds.corruptions],
    ] as const
  )
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} × ${what}`);
  const time =
    bounds.time_steps === 0
      ? "no time steps"
      : `${bounds.time_steps} × ${formatDuration(bounds.time_step)} of time`;
  const strategy =
    search.seed === null ? search.strategy : `${search.strategy}, seed ${search.seed}`;
  return [
    `${name}: ${strategy}; ${vms.length} VMs × ${bounds.ticks} ticks, ${[time, ...faults].join(", ")}`,
    bounds.preemptions === "none" ? "" : `, at most ${bounds.preemptions} preemptions`,
    `; profile ${profile}`,
  ].join("");
}

function counts({ search }: ExploreRun, seconds: number): string {
  const { schedules, states, steps, depth, complete, cutBy, isUpperBound, shard } = search;
  const most = isUpperBound === true ? "at most " : "";
  const words = [
    ...(schedules === null ? [] : [`${number(schedules)} schedules`]),
    ...(states === null ? [] : [`${most}${number(states)} states`]),
    `${most}${number(steps)} steps`,
    `depth ${depth}`,
    `${seconds.toFixed(1)} s`,
    ...(states === null || seconds === 0
      ? []
      : [`${number(Math.round(states / seconds))} states/s`]),
    complete ? "complete" : `cut off by ${cutBy ?? "nothing"}`,
  ];
  const part = shard === undefined ? "" : `shard ${shard.index}/${shard.count}: `;
  return `  ${part}${words.join(", ")}`;
}

function verdict({ judged, expected, search, ok }: ExploreRun): string {
  const { violation, violations } = search;
  if (violation === null) {
    const scope = search.complete ? "in every schedule" : "in what was seen";
    const mark = ok ? "✔" : "✘";
    const missed =
      expected.length === 0 ? "" : `; ${expected.join(", ")} was expected to be violated`;
    return `  ${mark} ${judged.join(", ")} hold ${scope}${missed}`;
  }
  const counted = Object.entries(violations).filter(([, count]) => count > 0);
  const all = counted.map(([name, count]) => `${name} (${number(count)})`).join(", ");
  const mark = ok ? "✔" : "✘";
  const steps = violation.schedule.length;
  return `  ${mark} ${violation.property} is violated${ok ? ", as expected" : ""}, after ${steps} steps; seen: ${all}`;
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
