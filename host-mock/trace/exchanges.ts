import type { TraceEvent } from "./event.ts";
import { HostEvent } from "./names.ts";
import { numberOf, pairsOf, readable, textOf, type TraceText } from "./values.ts";

export type HeaderPairs = readonly (readonly [TraceText, TraceText])[];

/** One request that a client sent to the mock, and what client and upstream saw. */
export interface ExchangeFact {
  readonly request: number;
  readonly atNs: number;
  /** Null when the client still waited at the end of the run. */
  readonly endedNs: number | null;
  readonly thread: string;
  readonly method: string;
  readonly path: string;
  /** Null while it waits, and for a reset. */
  readonly status: number | null;
  readonly headers: HeaderPairs;
  readonly body: TraceText;
  /** The answer came from a plugin or the host, not from the upstream. */
  readonly isLocal: boolean;
  /** What the upstream saw; null when the request never reached it. */
  readonly upstream: { readonly headers: HeaderPairs; readonly body: TraceText } | null;
}

type Growing = { -readonly [Field in keyof ExchangeFact]: ExchangeFact[Field] };

/** The requests of a trace in the order in which they were sent. */
export function exchanges(events: Iterable<TraceEvent>): ExchangeFact[] {
  const made: Growing[] = [];
  const byId = new Map<number, Growing>();
  for (const event of events) {
    if (event.event !== "timer") continue;
    const request = numberOf(event.args["request"]);
    if (request === null) continue;
    if (event.name === HostEvent.requestStarted) {
      const started = begun(event, request);
      made.push(started);
      byId.set(request, started);
      continue;
    }
    const exchange = byId.get(request);
    if (exchange !== undefined) complete(exchange, event);
  }
  return made;
}

function begun(event: TraceEvent, request: number): Growing {
  return {
    request,
    atNs: event.atNs,
    endedNs: null,
    thread: event.thread,
    method: readable(event.args["method"]),
    path: readable(event.args["path"]),
    status: null,
    headers: [],
    body: "",
    isLocal: false,
    upstream: null,
  };
}

function complete(exchange: Growing, event: TraceEvent): void {
  const headers = pairsOf(event.args["headers"]);
  const body = textOf(event.args["body"]);
  if (event.name === HostEvent.requestUpstream) exchange.upstream = { headers, body };
  if (event.name !== HostEvent.requestEnded) return;
  exchange.endedNs = event.atNs;
  exchange.status = numberOf(event.result);
  exchange.headers = headers;
  exchange.body = body;
  exchange.isLocal = event.args["local"] === true;
}
