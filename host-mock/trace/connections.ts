import type { TraceEvent } from "./event.ts";
import { HostEvent } from "./names.ts";
import { numberOf, readable } from "./values.ts";

/** One TCP connection of a client to the mock, and what client and upstream got. */
export interface ConnectionFact {
  readonly connection: number;
  readonly atNs: number;
  /** Null when it was still open at the end of the run. */
  readonly endedNs: number | null;
  readonly thread: string;
  readonly listener: string;
  /** What the client got. */
  readonly received: Uint8Array;
  /** What the server behind Envoy got. */
  readonly upstream: Uint8Array;
  /** "local": Envoy closed it; "remote": the client; null while it lives. */
  readonly closedBy: string | null;
}

interface Growing {
  readonly started: TraceEvent;
  readonly received: Uint8Array[];
  readonly upstream: Uint8Array[];
  ended: TraceEvent | null;
}

/** The connections of a trace in the order in which they were made. */
export function connections(events: Iterable<TraceEvent>): ConnectionFact[] {
  const byId = new Map<number, Growing>();
  for (const event of events) {
    if (event.event !== "timer") continue;
    const id = numberOf(event.args["connection"]);
    if (id === null) continue;
    if (event.name === HostEvent.connectionStarted)
      byId.set(id, { started: event, received: [], upstream: [], ended: null });
    const growing = byId.get(id);
    if (growing === undefined) continue;
    const { bytes, to } = event.args;
    if (event.name === HostEvent.connectionData && bytes instanceof Uint8Array)
      growing[to === "client" ? "received" : "upstream"].push(bytes);
    if (event.name === HostEvent.connectionEnded) growing.ended = event;
  }
  return [...byId].map(([connection, { started, received, upstream, ended }]) => ({
    connection,
    atNs: started.atNs,
    endedNs: ended?.atNs ?? null,
    thread: started.thread,
    listener: readable(started.args["listener"]),
    received: joined(received),
    upstream: joined(upstream),
    closedBy: ended === null ? null : readable(ended.args["by"]),
  }));
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
