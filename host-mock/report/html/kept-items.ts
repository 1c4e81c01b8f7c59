import type { LogLine } from "../../trace/logs.ts";
import { readable } from "../../trace/values.ts";
import type { TraceEvent, TraceValue } from "../../trace/event.ts";
import { clean } from "../paint.ts";
import { shortened, type SetFact } from "./call-detail.ts";
import type { Item } from "./items.ts";
import type { Places } from "./run-items.ts";

const grave: ReadonlySet<string> = new Set(["warn", "error", "critical"]);

/** The log lines of a run; of very many the grave ones, then the first. */
export function logItems({ facts, rows }: Places, countMax: number): Item[] {
  const isFew = facts.logs.length <= countMax;
  const kept = isFew ? facts.logs : chosen(facts.logs, countMax);
  return kept.map((line): Item => {
    const row = rows.vm(line);
    const text = `${line.vm} logs ${line.level}: ${clean(readable(line.message), 400)}`;
    return { atNs: line.atNs, row, kind: grave.has(line.level) ? "warning" : "log", text };
  });
}

function chosen(lines: readonly LogLine[], countMax: number): LogLine[] {
  const urgent = lines.filter(({ level }) => grave.has(level)).slice(0, countMax);
  const others = lines.filter(({ level }) => !grave.has(level));
  return [...urgent, ...others.slice(0, countMax - urgent.length)];
}

/** A change of what a key holds. */
interface Change {
  readonly atNs: number;
  /** Null: it is gone. */
  readonly value: string | null;
  readonly text: string;
  readonly plugin: string;
}

/** What each key held, from each set to the next. */
export function dataItems(places: Places, sets: readonly SetFact[]): Item[] {
  const { facts, rows } = places;
  const items: Item[] = [];
  const changes = new Map<string, Change[]>([...rows.keys.keys()].map((key) => [key, []]));
  for (const set of sets) {
    const { atNs, plugin, status, key } = set;
    const row = rows.key(key);
    if (row === undefined) continue;
    const words = `${set.vm} sets ${key} (cas ${set.cas})`;
    if (status !== "Ok") {
      items.push({ atNs, row, kind: "mismatch", text: `${words}: ${status}; ${set.value}` });
      continue;
    }
    const text = `${words}: ${set.value}`;
    changes.get(key)?.push({ atNs, plugin, value: set.value, text });
  }
  for (const fault of facts.faults) addFault(places, fault, changes);
  for (const [key, all] of changes) items.push(...heldItems(places, key, all));
  return items;
}

function addFault({ facts }: Places, fault: TraceEvent, changes: Map<string, Change[]>): void {
  if (fault.status !== "applied") return;
  const { atNs, args } = fault;
  if (fault.name === "set_shared_data") {
    const value = shortened(args["value"]);
    const text = `the scenario sets ${readable(args["key"])}: ${value}`;
    changes.get(readable(args["key"]))?.push({ atNs, plugin: "", value, text });
  }
  if (fault.name === "evict") {
    const text = `${readable(args["key"])} is evicted`;
    changes.get(readable(args["key"]))?.push({ atNs, plugin: "", value: null, text });
  }
  if (fault.name !== "wipe") return;
  for (const [key, all] of changes) {
    if (isElsewhere(facts.ended, key, readable(args["vm_id"]))) continue;
    if (all.some((change) => change.atNs <= atNs))
      all.push({ atNs, plugin: "", value: null, text: `${key} is wiped` });
  }
}

/** Whether the end of the run knows the key, and not under this vm_id. */
function isElsewhere(ended: TraceEvent | null, key: string, vmId: string): boolean {
  const data = entries(ended?.args["shared_data"]);
  const owners = data.filter(([, keys]) => entries(keys).some(([name]) => name === key));
  return owners.length > 0 && !owners.some(([owner]) => owner === vmId);
}

function entries(value: TraceValue | undefined): [string, TraceValue][] {
  if (value === null || typeof value !== "object" || value instanceof Uint8Array) return [];
  return Array.isArray(value) ? [] : Object.entries(value);
}

function heldItems({ facts, rows, tones }: Places, key: string, all: readonly Change[]): Item[] {
  const row = rows.key(key) ?? 0;
  const sorted = [...all].sort((one, other) => one.atNs - other.atNs);
  const leaseOf = Object.keys(facts.witnesses);
  return sorted.map(({ atNs, value, plugin, text }, index): Item => {
    const untilNs = sorted[index + 1]?.atNs ?? facts.durationNs;
    if (value === null) return { atNs, untilNs, row, kind: "unset", text };
    const names = plugin === "" ? leaseOf : [plugin];
    const holder = names.map((name) => tones.holder(name, value)).find((one) => one !== undefined);
    const label = holder?.label ?? clean(value, 24);
    const tone = holder?.tone ?? -1;
    return { atNs, untilNs, row, kind: "set", tone, label, text };
  });
}
