import { connections, type ConnectionFact } from "../trace/connections.ts";
import type { TraceEvent } from "../trace/event.ts";
import { exchanges, type ExchangeFact } from "../trace/exchanges.ts";
import { httpCalls, type HttpCall } from "../trace/http-calls.ts";
import type { Leadership, Turn, WitnessKind } from "../trace/leadership.ts";
import { lifeOf, type Life } from "../trace/life.ts";
import { logLines, type LogLine } from "../trace/logs.ts";
import { HostEvent, type FaultName } from "../trace/names.ts";
import { Witness } from "../trace/witness.ts";

export interface FactsOptions {
  readonly durationNs: number;
  /** Every plugin of the run, and what tells who leads in it. */
  readonly witnesses: Readonly<Record<string, WitnessKind>>;
}

/** What properties and reports know of one run: views over its trace, made once. */
export interface RunFacts extends FactsOptions {
  readonly leaderships: ReadonlyMap<string, readonly Leadership[]>;
  /** By plugin: claims and stops of its electors, in order. */
  readonly turns: ReadonlyMap<string, readonly Turn[]>;
  /** The host calls that the trace has: those which its recorder was told to keep. */
  readonly hostCalls: readonly TraceEvent[];
  /** Sets of shared data, if they were recorded, and all that changes shared data or the wall clock besides, in order. */
  readonly store: readonly TraceEvent[];
  readonly calls: readonly HttpCall[];
  readonly logs: readonly LogLine[];
  readonly exchanges: readonly ExchangeFact[];
  readonly connections: readonly ConnectionFact[];
  readonly traps: readonly TraceEvent[];
  readonly faults: readonly TraceEvent[];
  readonly configurations: readonly TraceEvent[];
  readonly undeclared: readonly TraceEvent[];
  readonly life: Life;
  /** run_ended, with what was in shared data and metrics then; null while the run goes on. */
  readonly ended: TraceEvent | null;
}

/** Faults that change shared data, or the wall clock by which a lease runs out. */
const storeFaults: ReadonlySet<string> = new Set<FaultName>([
  "set_shared_data",
  "wipe",
  "evict",
  "wall_clock",
]);

/** Whether shared data, or the wall clock, is another after it. */
function changesStore({ event, name, status }: TraceEvent): boolean {
  if (event === "call") return name === "proxy_set_shared_data" && status === "Ok";
  if (event === "fault") return status === "applied" && storeFaults.has(name);
  if (event !== "timer") return false;
  return name === HostEvent.sharedDataDropped || name === HostEvent.runStarted;
}

/** The facts of a trace; linear in its length. */
export function factsOf(events: readonly TraceEvent[], options: FactsOptions): RunFacts {
  const witnesses = new Map(
    Object.entries(options.witnesses).map(([plugin, witness]) => [
      plugin,
      new Witness({ plugin, witness }),
    ]),
  );
  const traps: TraceEvent[] = [];
  const faults: TraceEvent[] = [];
  const configurations: TraceEvent[] = [];
  const undeclared: TraceEvent[] = [];
  const hostCalls: TraceEvent[] = [];
  const store: TraceEvent[] = [];
  let ended: TraceEvent | null = null;
  for (const event of events) {
    for (const witness of witnesses.values()) witness.feed(event);
    if (changesStore(event)) store.push(event);
    if (event.event === "trap") traps.push(event);
    else if (event.event === "call") hostCalls.push(event);
    else if (event.event === "fault") faults.push(event);
    else if (event.event !== "timer") continue;
    else if (event.name === HostEvent.contextConfigured) configurations.push(event);
    else if (event.name === HostEvent.undeclaredCluster) undeclared.push(event);
    else if (event.name === HostEvent.runEnded) ended = event;
  }
  const leaderships = new Map(
    [...witnesses].map(([plugin, witness]) => [plugin, witness.history(options.durationNs)]),
  );
  return {
    durationNs: options.durationNs,
    witnesses: options.witnesses,
    leaderships,
    turns: new Map([...witnesses].map(([plugin, witness]) => [plugin, witness.turns])),
    hostCalls,
    store,
    calls: httpCalls(events),
    logs: logLines(events),
    exchanges: exchanges(events),
    connections: connections(events),
    traps,
    faults,
    configurations,
    undeclared,
    life: lifeOf(events, options.durationNs),
    ended,
  };
}
