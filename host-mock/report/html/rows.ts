import type { RunFacts } from "../../properties/facts.ts";
import { leaseKeyPrefix } from "../../trace/lease-record.ts";
import { threadOrder } from "../lanes.ts";
import type { SetFact } from "./call-detail.ts";
import type { RowData } from "./report-data.ts";

/** More keys than this are told in their sets' callbacks alone. */
const keyCountMax = 12;

/** The lines of the picture, and where each is found. */
export class Rows {
  readonly all: RowData[] = [{ kind: "run", label: "run" }];
  /** Keys that have no line. */
  readonly leftOutKeyCount: number;
  readonly #vms = new Map<string, number>();
  readonly #leaders = new Map<string, number>();
  readonly #keys = new Map<string, number>();

  constructor(facts: RunFacts, sets: readonly SetFact[]) {
    const plugins = Object.keys(facts.witnesses);
    const beside = (plugin: string): string => (plugins.length > 1 ? ` · ${plugin}` : "");
    for (const plugin of plugins) {
      if ((facts.leaderships.get(plugin)?.length ?? 0) > 0)
        this.#leaders.set(plugin, this.#add("leader", `leader${beside(plugin)}`));
      const threads = new Set(
        facts.configurations.filter((event) => event.plugin === plugin).map(({ thread }) => thread),
      );
      for (const thread of [...threads].sort(threadOrder))
        this.#vms.set(`${thread} ${plugin}`, this.#add("vm", `${thread}${beside(plugin)}`));
    }
    const keys = keysOf(facts, sets);
    for (const key of keys.slice(0, keyCountMax)) this.#keys.set(key, this.#add("key", key));
    this.leftOutKeyCount = Math.max(0, keys.length - keyCountMax);
  }

  vm({ thread, plugin }: { readonly thread: string; readonly plugin: string }): number {
    return this.#vms.get(`${thread} ${plugin}`) ?? this.ofThread(thread)[0] ?? 0;
  }

  /** Every line of a thread. */
  ofThread(thread: string): number[] {
    return [...this.#vms].filter(([key]) => key.startsWith(`${thread} `)).map(([, row]) => row);
  }

  leader(plugin: string): number | undefined {
    return this.#leaders.get(plugin);
  }

  key(key: string): number | undefined {
    return this.#keys.get(key);
  }

  get keys(): ReadonlyMap<string, number> {
    return this.#keys;
  }

  #add(kind: RowData["kind"], label: string): number {
    return this.all.push({ kind, label }) - 1;
  }
}

/** Leases first, the busiest before others. */
function keysOf(facts: RunFacts, sets: readonly SetFact[]): string[] {
  const counts = new Map<string, number>();
  for (const { key } of sets) counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const fault of facts.faults) {
    const key = fault.name === "set_shared_data" ? fault.args["key"] : undefined;
    if (typeof key === "string") counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const rank = (key: string): number => (isLease(key) ? 1e9 : 0) + (counts.get(key) ?? 0);
  return [...counts.keys()].sort((one, other) => rank(other) - rank(one) || (one < other ? -1 : 1));
}

/** The record itself, not the keys beside it. */
function isLease(key: string): boolean {
  return key.startsWith(leaseKeyPrefix) && !key.slice(leaseKeyPrefix.length).includes(":");
}
