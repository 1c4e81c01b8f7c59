import type { TraceEvent } from "../trace/event.ts";
import { leaseKeyPrefix, leaseRecord, type LeaseRecord } from "../trace/lease-record.ts";
import { HostEvent } from "../trace/names.ts";
import { readable } from "../trace/values.ts";
import { parseSignedDuration } from "../time/duration.ts";
import { always, both, sometimes, type Breach } from "./combinators.ts";
import type { RunFacts } from "./facts.ts";
import type { Judgement } from "./property.ts";
import { time } from "./wording.ts";

/** No lease is longer: what was written longer ago was written by another clock. */
const leaseMaxNs = 3_600_000_000_000;

interface Writer {
  readonly vm: string;
  readonly plugin: string;
  /** The root context; null for a set made while a stream was handled, which may be any root's of the VM. */
  readonly root: number | null;
}

/** A lease as it stands in shared data. */
interface Kept {
  readonly record: LeaseRecord;
  /** Null: a fault wrote it. */
  readonly writer: Writer | null;
  readonly untilNs: number;
}

/**
 * No set of the plugin's that succeeded went over a lease that named another holder and had not run out. Whose a record is
 * says the context that wrote it, or its name: contexts of one VM may share one. A lease runs from the clock that its writer
 * wrote into it, for the length that stands there, else 60 s. What names nobody, and what cannot be read, may be overwritten.
 *
 * It is judged by the sets of shared data in the trace: a recorder that did not keep them shows nothing, and the property
 * fails.
 */
export function noForeignWrite(run: RunFacts, plugin: string): Judgement {
  const breaches: Breach[] = [];
  const store = new Store(run);
  let judgedCount = 0;
  for (const event of run.store) {
    if (event.event !== "call") {
      store.feed(event);
      continue;
    }
    const key = readable(event.args["key"]);
    if (!key.startsWith(leaseKeyPrefix)) continue;
    const record = leaseRecord(event.args["value"]);
    const before = store.put(event, key, record);
    if (event.plugin !== plugin) continue;
    if (record !== undefined || before !== undefined) judgedCount++;
    if (before === undefined || before.record.holder === "") continue;
    const isOwn =
      isSame(before.writer, store.writerOf(event)) || record?.holder === before.record.holder;
    if (!isOwn && event.atNs < before.untilNs) breaches.push(breachOf(event, key, before));
  }
  return both(always(breaches), sometimes(judgedCount > 0, nothing(run, plugin)));
}

function isSame(one: Writer | null, other: Writer): boolean {
  if (one === null || one.vm !== other.vm || one.plugin !== other.plugin) return false;
  return one.root === null || other.root === null || one.root === other.root;
}

function breachOf(event: TraceEvent, key: string, before: Kept): Breach {
  const { record, writer, untilNs } = before;
  const whose = writer === null ? "the lease that a fault wrote" : `${writer.vm}'s lease`;
  const lasts = `names ${record.holder} and runs until ${time(untilNs)}`;
  const detail = `${event.vm} overwrites ${whose} at ${time(event.atNs)}: ${key} ${lasts}`;
  return { atNs: event.atNs, detail };
}

function nothing(run: RunFacts, plugin: string): string {
  const isRecorded = run.hostCalls.some(({ name }) => name === "proxy_set_shared_data");
  return isRecorded
    ? `${plugin} set no lease, so nothing was judged`
    : "no set of shared data was recorded, so nothing was judged: name proxy_set_shared_data in alsoCalls";
}

/** The leases in shared data, as far as the trace tells. */
class Store {
  readonly #kept = new Map<string, Kept>();
  readonly #roots = new Map<string, Set<number>>();
  /** A plugin's keys lie in its vm_id. */
  readonly #vmIds = new Map<string, string>();
  /** The wall clock at the start of the run, with all jumps so far; null where the trace does not tell. */
  #wallStartNs: bigint | null = null;

  constructor(run: RunFacts) {
    for (const event of run.configurations) {
      const key = `${event.vm} ${event.plugin}`;
      const known = this.#roots.get(key);
      if (known === undefined) this.#roots.set(key, new Set([event.context]));
      else known.add(event.context);
      this.#vmIds.set(event.plugin, readable(event.args["vm_id"]));
    }
  }

  writerOf({ vm, plugin, context }: TraceEvent): Writer {
    const isRoot = this.#roots.get(`${vm} ${plugin}`)?.has(context) ?? true;
    return { vm, plugin, root: isRoot ? context : null };
  }

  /** What is no plugin's set. */
  feed(event: TraceEvent): void {
    const { name, args } = event;
    const vmId = readable(args["vm_id"]);
    if (name === HostEvent.runStarted) {
      const start = args["start_ns"];
      this.#wallStartNs =
        typeof start === "bigint" || typeof start === "number" ? BigInt(start) : null;
    } else if (name === "wall_clock") {
      const byNs = BigInt(parseSignedDuration(readable(args["by"])));
      if (this.#wallStartNs !== null) this.#wallStartNs += byNs;
    } else if (name === "evict") this.#kept.delete(placeOf(vmId, readable(args["key"])));
    else if (name === "set_shared_data") {
      const record = leaseRecord(args["value"]);
      this.#keep(event, placeOf(vmId, readable(args["key"])), record, null);
    } else {
      const place = placeOf(vmId, "");
      for (const key of this.#kept.keys()) if (key.startsWith(place)) this.#kept.delete(key);
    }
  }

  /** A plugin's set; what stood there before. */
  put(event: TraceEvent, key: string, record: LeaseRecord | undefined): Kept | undefined {
    const place = placeOf(this.#vmIds.get(event.plugin) ?? "", key);
    const before = this.#kept.get(place);
    this.#keep(event, place, record, this.writerOf(event));
    return before;
  }

  #keep(
    event: TraceEvent,
    place: string,
    record: LeaseRecord | undefined,
    writer: Writer | null,
  ): void {
    if (record === undefined) this.#kept.delete(place);
    else {
      const untilNs = this.#writtenNs(event, record) + record.lengthNs;
      this.#kept.set(place, { record, writer, untilNs });
    }
  }

  /** On the run's clock: when the writer read the time that it wrote; else when it wrote. */
  #writtenNs({ atNs, monoNs }: TraceEvent, { monoMs, timestamp }: LeaseRecord): number {
    const agoNs =
      monoMs !== null
        ? Number(monoNs) - monoMs * 1e6
        : timestamp !== null && this.#wallStartNs !== null
          ? Number(this.#wallStartNs) + atNs - timestamp * 1e9
          : 0;
    return agoNs >= 0 && agoNs <= leaseMaxNs ? atNs - agoNs : atNs;
  }
}

function placeOf(vmId: string, key: string): string {
  return `${vmId}\0${key}`;
}
