import type { RunFacts } from "../../properties/facts.ts";
import { vacancies } from "../../properties/leader-within.ts";
import type { Verdict } from "../../properties/property.ts";
import { overlaps } from "../../properties/single-winner.ts";
import { trapText } from "../../properties/trap-words.ts";
import { time } from "../../properties/wording.ts";
import { parseDuration } from "../../time/duration.ts";
import type { TraceEvent } from "../../trace/event.ts";
import type { HttpCall } from "../../trace/http-calls.ts";
import type { Leadership } from "../../trace/leadership.ts";
import { isThreadVm } from "../../trace/life.ts";
import { readable } from "../../trace/values.ts";
import { faultWords } from "../fault-words.ts";
import { clean } from "../paint.ts";
import { sentence } from "../verdict-table.ts";
import type { Item } from "./items.ts";
import type { Rows } from "./rows.ts";
import type { Tones } from "./tones.ts";

/** What a maker of items looks things up in. */
export interface Places {
  readonly facts: RunFacts;
  readonly rows: Rows;
  readonly tones: Tones;
}

/** Everything that happened to a run, but its logs and its shared data. */
export function runItems(places: Places, verdicts: readonly Verdict[]): Item[] {
  const { facts } = places;
  return [
    ...lifeItems(places),
    ...[...facts.leaderships].flatMap(([plugin, all]) => electionItems(places, plugin, all)),
    ...facts.faults.flatMap((fault) => faultItems(places, fault)),
    ...facts.traps.map((trap) => trapItem(places, trap)),
    ...facts.calls.map((call) => callItem(places, call)),
    ...otherItems(places),
    ...verdicts.flatMap((verdict) => violationItem(verdict)),
  ];
}

function lifeItems({ facts, rows }: Places): Item[] {
  const lives = facts.life.contexts.map((life): Item => {
    const { vm, context, fromNs, untilNs, drainingNs, end } = life;
    const drained = drainingNs === null ? "" : `, drains from ${time(drainingNs)}`;
    return {
      atNs: fromNs,
      untilNs,
      row: rows.vm(life),
      kind: "life",
      label: `#${vm.split("#")[1] ?? ""}`,
      text: `${vm}, context ${context}: ${end}${drained}`,
    };
  });
  const draining = facts.life.contexts.flatMap((life): Item[] => {
    const { vm, context, drainingNs, untilNs } = life;
    if (drainingNs === null) return [];
    const text = `${vm}, context ${context} drains: a younger one took its place`;
    return [{ atNs: drainingNs, untilNs, row: rows.vm(life), kind: "draining", text }];
  });
  const pauses = facts.life.pauses.flatMap(({ thread, fromNs, untilNs }) =>
    rows.ofThread(thread).map((row): Item => {
      const text = `${thread} stands still`;
      return { atNs: fromNs, untilNs, row, kind: "pause", label: "paused", text };
    }),
  );
  return [...lives, ...draining, ...pauses];
}

function electionItems(
  { facts, rows, tones }: Places,
  plugin: string,
  all: readonly Leadership[],
): Item[] {
  const leaderRow = rows.leader(plugin);
  if (leaderRow === undefined) return [];
  const items = all.flatMap((one): Item[] => {
    const term = one.term === null ? "" : ` with term ${one.term}`;
    const text = `${one.vm} leads${term} (${tones.label(one)}), context ${one.context}, id ${clean(one.id)}; end: ${one.end}`;
    const item = {
      ...{ atNs: one.fromNs, untilNs: one.untilNs, tone: tones.of(one), text },
      kind: "lead" as const,
    };
    return [
      { ...item, row: rows.vm(one), label: tones.label(one) },
      { ...item, row: leaderRow, label: `${tones.label(one)} ${one.thread}` },
    ];
  });
  for (const { fromNs, untilNs } of vacancies(all, { endNs: facts.durationNs })) {
    const text = `nobody leads ${plugin} for ${time(untilNs - fromNs)}`;
    const label = time(untilNs - fromNs);
    items.push({ atNs: fromNs, untilNs, row: leaderRow, kind: "gap", label, text });
  }
  for (const { fromNs, untilNs, one, other } of overlaps(all)) {
    const text = `${one.vm} (${tones.label(one)}) and ${other.vm} (${tones.label(other)}) both lead ${plugin}`;
    items.push({ atNs: fromNs, untilNs, row: leaderRow, kind: "double", label: "two lead", text });
  }
  return items;
}

function faultItems({ facts, rows }: Places, fault: TraceEvent): Item[] {
  const { atNs, name, thread, status } = fault;
  const of = thread === "" ? [] : rows.ofThread(thread);
  const on = of.length === 0 ? [0] : of;
  const why = clean(readable(fault.result), 120);
  const words = faultWords(fault);
  if (status !== "applied") {
    const fate = status === "refused" ? "refused, the old one stays" : "did not happen";
    const text = `${words}: ${fate}${why === "" ? "" : `, ${why}`}`;
    return on.map((row) => ({ atNs, row, kind: "missed", label: name, text }));
  }
  if (name === "crash" || name === "restart")
    return on.map((row) => ({ atNs, row, kind: name, text: words }));
  // A pause is drawn as the stretch in which the thread stood still.
  const untilNs = name === "pause" ? undefined : endOf(fault, facts.durationNs);
  const label = name === "refuse" ? `refuse ${readable(fault.args["call"])}` : name;
  if (untilNs === undefined)
    return on.map((row) => ({ atNs, row, kind: "fault", label, text: words }));
  return on.flatMap((row) => [
    { atNs, untilNs, row, kind: "band", label, text: words },
    { atNs, row, kind: "fault", text: words },
  ]);
}

/** When a fault that lasts is over. */
function endOf({ atNs, args }: TraceEvent, durationNs: number): number | undefined {
  const [span, until] = [args["for"], args["until"]];
  if (typeof span === "string") return Math.min(durationNs, atNs + parseDuration(span));
  if (typeof until === "string") return Math.min(durationNs, parseDuration(until));
  return undefined;
}

function trapItem({ rows }: Places, trap: TraceEvent): Item {
  const row = isThreadVm(trap.vm) ? rows.vm(trap) : 0;
  return { atNs: trap.atNs, row, kind: "trap", text: clean(trapText(trap)) };
}

function callItem({ rows }: Places, call: HttpCall): Item {
  const { atNs, arrivedNs, answered, status, cluster, isRefused } = call;
  const word = (value: HttpCall["method"]): string => clean(readable(value), 120);
  const parts = [
    `${call.vm} calls ${clean(cluster)}: ${word(call.method)} ${word(call.path)}`,
    arrivedNs === null ? "it never arrived" : `arrived at ${time(arrivedNs)}`,
    isRefused ? `refused by the fence with ${answered}` : `answered ${answered ?? "nothing"}`,
    status === null ? "the guest was told nothing" : `the guest was told ${status}`,
    ...call.headers
      .filter(([name]) => readable(name).startsWith("x-"))
      .map(([name, value]) => `${word(name)}: ${word(value)}`),
  ];
  return {
    atNs,
    ...(arrivedNs === null ? {} : { untilNs: arrivedNs }),
    row: rows.vm(call),
    kind: isRefused ? "refused" : "call",
    text: parts.join("; "),
  };
}

function otherItems({ facts, rows }: Places): Item[] {
  const requests = facts.exchanges.flatMap((exchange): Item[] => {
    const { atNs, thread, status, isLocal } = exchange;
    const text = `request on ${thread}: ${status ?? "reset"}${isLocal ? ", answered by Envoy" : ""}`;
    return rows.ofThread(thread).map((row) => ({ atNs, row, kind: "request", text }));
  });
  const configurations = facts.configurations
    .filter((event) => isThreadVm(event.vm) || event.status !== "Ok")
    .map((event): Item => {
      const row = isThreadVm(event.vm) ? rows.vm(event) : 0;
      if (event.status === "Ok")
        return { atNs: event.atNs, row, kind: "config", text: `${event.vm} is configured` };
      const why = clean(readable(event.result), 160);
      const text = `${event.vm} refuses its configuration${why === "" ? "" : `: ${why}`}`;
      return { atNs: event.atNs, row, kind: "missed", label: "refused", text };
    });
  const undeclared = facts.undeclared.map((event): Item => {
    const cluster = clean(readable(event.args["cluster"]), 60);
    const text = `${event.vm} calls the undeclared cluster ${JSON.stringify(cluster)}`;
    return { atNs: event.atNs, row: rows.vm(event), kind: "missed", label: "undeclared", text };
  });
  return [...requests, ...configurations, ...undeclared];
}

function violationItem(verdict: Verdict): Item[] {
  if (verdict.holds || verdict.atMs === null) return [];
  const of = verdict.subject === "" ? "" : ` of ${clean(verdict.subject)}`;
  return [
    {
      atNs: Math.round(verdict.atMs * 1e6),
      row: -1,
      kind: verdict.ok ? "expected" : "violation",
      label: verdict.property,
      text: `${verdict.property}${of}: ${sentence(verdict)}`,
    },
  ];
}
