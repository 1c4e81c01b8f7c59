import type { TraceEvent, TraceSubject } from "./event.ts";
import { HostEvent } from "./names.ts";
import { Roots } from "./roots.ts";
import { numberOf, pairsOf, readable, textOf, type TraceText } from "./values.ts";

/** One HTTP call that the host accepted, from dispatch to what became of it. */
export interface HttpCall extends TraceSubject {
  readonly call: number;
  /** The root context whose call it is (`context` may be a stream). */
  readonly root: number;
  readonly atNs: number;
  /** When it reached the receiver; null when it never did. */
  readonly arrivedNs: number | null;
  readonly cluster: string;
  readonly method: TraceText;
  readonly path: TraceText;
  readonly headers: readonly (readonly [TraceText, TraceText])[];
  readonly body: TraceText;
  /** What the receiver answered; null when it never got there or never answered. */
  readonly answered: number | null;
  /** What the guest was told; null: nothing, or a reset. */
  readonly status: number | null;
  /** The receiver's fence refused it: it had no effect. */
  readonly isRefused: boolean;
  /** Its further arrivals, where something on the way sent it again. */
  readonly repeats: readonly CallArrival[];
}

/** A call that comes to its receiver once more. */
export interface CallArrival {
  readonly arrivedNs: number;
  readonly answered: number | null;
  readonly isRefused: boolean;
}

type Growing = { -readonly [Field in keyof Omit<HttpCall, "repeats">]: HttpCall[Field] } & {
  readonly repeats: CallArrival[];
};

/** The calls of a trace in the order of their dispatch. */
export function httpCalls(events: Iterable<TraceEvent>): HttpCall[] {
  const calls: Growing[] = [];
  const byId = new Map<number, Growing>();
  const roots = new Roots();
  for (const event of events) {
    if (event.event !== "timer") continue;
    roots.feed(event);
    const id = numberOf(event.args["call"]);
    if (id === null) continue;
    if (event.name === HostEvent.httpCallSent) {
      const made = sent(event, id, roots.of(event));
      calls.push(made);
      byId.set(id, made);
      continue;
    }
    const call = byId.get(id);
    if (call === undefined) continue;
    if (event.name === HostEvent.httpCallArrived) {
      call.arrivedNs = event.atNs;
      call.answered = numberOf(event.result);
      call.isRefused = event.args["refused"] === true;
    } else if (event.name === HostEvent.httpCallRepeated) {
      const answered = numberOf(event.result);
      const isRefused = event.args["refused"] === true;
      call.repeats.push({ arrivedNs: event.atNs, answered, isRefused });
    } else if (event.name === HostEvent.httpCallAnswered) {
      call.status = numberOf(event.result);
    }
  }
  return calls;
}

function sent(event: TraceEvent, call: number, root: number): Growing {
  const { thread, vm, plugin, context, atNs, args } = event;
  return {
    thread,
    vm,
    plugin,
    context,
    call,
    root,
    atNs,
    arrivedNs: null,
    cluster: readable(args["cluster"]),
    method: textOf(args["method"]),
    path: textOf(args["path"]),
    headers: pairsOf(args["headers"]),
    body: textOf(args["body"]),
    answered: null,
    status: null,
    isRefused: false,
    repeats: [],
  };
}
