import type { RunFacts } from "../properties/facts.ts";
import { count, time } from "../properties/wording.ts";
import type { TraceEvent } from "../trace/event.ts";
import type { Leadership } from "../trace/leadership.ts";
import { isThreadVm } from "../trace/life.ts";
import type { LogLine } from "../trace/logs.ts";
import { readable } from "../trace/values.ts";
import { faultWords } from "./fault-words.ts";
import { marks } from "./lane-drawing.ts";
import { threadOrder } from "./lanes.ts";
import { clean, type PaintName } from "./paint.ts";
import { TermNames } from "./term-names.ts";

/** One line of the story: when, a sign, what. */
export interface Entry {
  readonly atNs: number;
  readonly sign: string;
  readonly style: PaintName;
  readonly text: string;
  /** Left out first when the story is too long: what touched no leader. */
  readonly isMinor: boolean;
}

type Made = Entry & { readonly order: number };

/** The main events of a run in words, in order. */
export function story(facts: RunFacts): Entry[] {
  const made: Made[] = [
    ...startEntries(facts),
    ...[...facts.leaderships.values()].flatMap((all) =>
      leadershipEntries(all, facts.leaderships.size > 1),
    ),
    ...facts.faults.map((fault) => faultEntry(fault, facts)),
    ...facts.traps.map((trap) => trapEntry(trap, facts)),
    ...refusalEntries(facts),
    ...facts.undeclared.map((event) => undeclaredEntry(event)),
    ...logEntries(facts),
  ];
  return made.sort((one, other) => one.atNs - other.atNs || one.order - other.order);
}

/** Within one instant: what was done to the run, what it lost, what came of it. */
const order = { fault: 0, loss: 1, start: 2, refusal: 3, claim: 4, log: 5 } as const;

function entry(
  atNs: number,
  at: keyof typeof order,
  sign: string,
  style: PaintName,
  text: string,
  isMinor = false,
): Made {
  return { atNs, order: order[at], sign, style, text, isMinor };
}

function startEntries(facts: RunFacts): Made[] {
  const groups = new Map<
    string,
    { atNs: number; plugin: string; threads: string[]; kind: StartKind }
  >();
  const entries: Made[] = [];
  const restarts = new Set(
    facts.faults
      .filter((fault) => fault.name === "restart")
      .map((fault) => `${fault.atNs} ${fault.thread}`),
  );
  /** The VM that each thread had last, by thread and plugin. */
  const known = new Map<string, string>();
  for (const event of facts.configurations) {
    if (event.status !== "Ok") {
      const line = clean(readable(event.result), 160);
      const why = line === "" ? "" : `: ${line}`;
      entries.push(
        entry(event.atNs, "loss", "✘", "bad", `${event.vm} refuses its configuration${why}`),
      );
      continue;
    }
    if (!isThreadVm(event.vm)) continue;
    const { atNs, plugin, thread, vm } = event;
    const before = known.get(`${thread} ${plugin}`);
    known.set(`${thread} ${plugin}`, vm);
    const kind = before === undefined ? "start" : before === vm ? "new" : "return";
    if (kind === "return" && restarts.has(`${atNs} ${thread}`)) continue;
    const key = `${atNs} ${plugin} ${kind}`;
    const group = groups.get(key) ?? { atNs, plugin, threads: [], kind };
    groups.set(key, group);
    group.threads.push(thread);
  }
  for (const { atNs, plugin, threads, kind } of groups.values()) {
    const who = threads.length > 3 ? count(threads.length, "VM") : list(threads.sort(threadOrder));
    const [verb, rest, link] = startWords[kind];
    const of = facts.leaderships.size > 1 ? ` ${link} ${plugin}` : "";
    const text = `${who} ${verb}${threads.length === 1 ? "s" : ""}${rest}${of}`;
    const sign = kind === "return" ? marks.restart.sign : " ";
    entries.push(entry(atNs, "start", sign, "plain", text));
  }
  return entries;
}

type StartKind = "start" | "new" | "return";

const startWords: Readonly<Record<StartKind, readonly [verb: string, rest: string, link: string]>> =
  {
    start: ["start", "", "for"],
    new: ["take", " the new configuration", "of"],
    return: ["come", " back with a fresh VM", "for"],
  };

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const endings: Readonly<Record<Exclude<Leadership["end"], "running">, string>> = {
  crashed: "leads no more: crashed",
  trapped: "leads no more: trapped",
  released: "releases its leadership",
  replaced: "stops leading: its lease was overwritten (replaced)",
  vanished: "stops leading: its lease is gone (vanished)",
  expired: "leads no more: its promise ran out (expired)",
  fenced: "stops leading: a fence knows a newer term (fenced)",
  superseded: "stops leading for a younger context (superseded)",
  error: "stops leading: it could not renew (error)",
};

function leadershipEntries(all: readonly Leadership[], isNamed: boolean): Made[] {
  const names = new TermNames(all);
  const entries: Made[] = [];
  let ledUntilNs = 0;
  let previous: Leadership | null = null;
  for (const next of all) {
    const of = isNamed ? ` ${next.plugin}` : "";
    const name = names.of(next);
    const term =
      next.term === null ? "" : ` with term ${next.term}${name === "" ? "" : `, ${name}`}`;
    let beside = "";
    if (previous !== null && next.fromNs > ledUntilNs)
      beside = `, after ${time(next.fromNs - ledUntilNs)} without a leader`;
    if (
      previous !== null &&
      previous.untilNs > next.fromNs &&
      previous.vm + previous.context !== next.vm + next.context
    ) {
      beside = `, while ${previous.thread}${names.beside(previous)} leads too`;
    }
    const isDouble = beside.endsWith("too");
    entries.push(
      entry(
        next.fromNs,
        "claim",
        marks.leads.sign,
        isDouble ? "bad" : "good",
        `${next.thread} leads${of}${term}${beside}`,
      ),
    );
    if (next.end !== "running" && next.end !== "crashed" && next.end !== "trapped") {
      const text = `${next.thread}${names.beside(next)} ${endings[next.end]}${of === "" ? "" : ` [${next.plugin}]`}`;
      entries.push(entry(next.untilNs, "loss", " ", "plain", text));
    }
    if (next.untilNs > ledUntilNs || previous === null) {
      ledUntilNs = Math.max(ledUntilNs, next.untilNs);
      previous = next;
    }
  }
  return entries;
}

/** Whose leadership a crash or trap ended, in words; "" when nobody's. */
function whileLeading(event: TraceEvent, facts: RunFacts, end: "crashed" | "trapped"): string {
  for (const all of facts.leaderships.values()) {
    const lost = all.find(
      (one) => one.end === end && one.untilNs === event.atNs && one.thread === event.thread,
    );
    if (lost !== undefined) return ` while leading${new TermNames(all).beside(lost)}`;
  }
  return "";
}

function faultEntry(fault: TraceEvent, facts: RunFacts): Made {
  const words = faultWords(fault);
  if (fault.status === "not_applied") {
    const why = clean(readable(fault.result), 120);
    return entry(
      fault.atNs,
      "fault",
      "✘",
      "bad",
      `${words}: did not happen${why === "" ? "" : `, ${why}`}`,
    );
  }
  if (fault.status === "refused") {
    const why = clean(readable(fault.result), 120);
    return entry(
      fault.atNs,
      "fault",
      "✘",
      "warn",
      `${words} and refuses it${why === "" ? "" : `: ${why}`}; the old one stays`,
    );
  }
  if (fault.name === "crash") {
    const lost = whileLeading(fault, facts, "crashed");
    return entry(fault.atNs, "fault", marks.crash.sign, "bad", words + lost, lost === "");
  }
  if (fault.name === "restart") {
    // A living VM is lost when its thread restarts.
    const lost = whileLeading(fault, facts, "crashed");
    const wasTold = lost === "" || facts.faults.some((other) => isCrashOf(other, fault));
    return entry(
      fault.atNs,
      "fault",
      marks.restart.sign,
      "plain",
      wasTold ? words : words + lost,
      wasTold,
    );
  }
  if (fault.name === "pause") return entry(fault.atNs, "fault", marks.paused.sign, "warn", words);
  return entry(fault.atNs, "fault", "*", "warn", words);
}

function isCrashOf(other: TraceEvent, fault: TraceEvent): boolean {
  return other.name === "crash" && other.thread === fault.thread && other.atNs === fault.atNs;
}

function trapEntry(trap: TraceEvent, facts: RunFacts): Made {
  const message = clean(readable(trap.result) || readable(trap.args["message"]), 120);
  const who = isThreadVm(trap.vm) ? trap.thread : trap.vm;
  const text = `${who} traps in ${trap.name}${whileLeading(trap, facts, "trapped")}${message === "" ? "" : `: ${message}`}`;
  return entry(trap.atNs, "loss", marks.trap.sign, "bad", text);
}

function refusalEntries(facts: RunFacts): Made[] {
  return facts.calls
    .filter((call) => call.isRefused && call.arrivedNs !== null)
    .map((call) => {
      const atNs = call.arrivedNs ?? call.atNs;
      const sent = atNs > call.atNs ? ` sent at ${time(call.atNs)}` : "";
      const answer = call.answered === null ? "" : `, ${call.answered}`;
      const text = `${call.cluster} refuses the call of ${call.thread}${sent} (stale term${answer})`;
      return entry(atNs, "refusal", marks.refused.sign, "bad", text);
    });
}

function undeclaredEntry(event: TraceEvent): Made {
  const cluster = clean(readable(event.args["cluster"]), 60);
  return entry(
    event.atNs,
    "refusal",
    "✘",
    "bad",
    `${event.thread} calls the undeclared cluster ${JSON.stringify(cluster)}`,
  );
}

/** Warnings and errors of the plugins: each text once, with how often it came. */
function logEntries(facts: RunFacts): Made[] {
  const seen = new Map<string, { line: LogLine; message: string; times: number }>();
  const traps = new Set(facts.traps.map((trap) => `${trap.atNs} ${trap.vm}`));
  for (const line of facts.logs) {
    if (!isGrave.has(line.level)) continue;
    const message = clean(readable(line.message), 160);
    // The host's own lines about a trap: the trap is told already.
    if (message.startsWith("Function: ") && traps.has(`${line.atNs} ${line.vm}`)) continue;
    const known = seen.get(message);
    if (known === undefined) seen.set(message, { line, message, times: 1 });
    else known.times++;
  }
  return [...seen.values()].map(({ line, message, times }) => {
    const often = times === 1 ? "" : ` (${times} times)`;
    return entry(
      line.atNs,
      "log",
      "»",
      "warn",
      `${line.thread} logs ${line.level}: ${message}${often}`,
    );
  });
}

const isGrave: ReadonlySet<string> = new Set(["warn", "error", "critical"]);
