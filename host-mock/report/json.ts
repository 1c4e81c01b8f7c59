import type { RunFacts } from "../properties/facts.ts";
import { trapCalls, trapFrames } from "../properties/trap-words.ts";
import type { TraceEvent, TraceValue } from "../trace/event.ts";
import type { ConnectionFact } from "../trace/connections.ts";
import type { HeaderPairs } from "../trace/exchanges.ts";
import type { HttpCall } from "../trace/http-calls.ts";
import type { Leadership, LeadershipEnd } from "../trace/leadership.ts";
import { numberOf, plain, readable } from "../trace/values.ts";
import { factsOfRun, isOk, type JudgedRun } from "./run.ts";

/** Text, or bytes that are no valid UTF-8. */
export type ResultText = string | { readonly base64: string };
export type ResultHeaders = readonly (readonly [ResultText, ResultText])[];

/** The document that `--json` prints for one scenario; docs/reference/result.md explains each field. */
export interface Result {
  readonly scenario: string;
  readonly ok: boolean;
  readonly seed: number;
  readonly profile: string;
  readonly duration_ms: number;
  readonly properties: readonly {
    readonly property: string;
    readonly subject: string;
    readonly ok: boolean;
    readonly holds: boolean;
    readonly expected: "holds" | "violated";
    readonly implied: boolean;
    readonly detail: string;
    readonly at_ms: number | null;
  }[];
  readonly elections: Readonly<Record<string, readonly ResultLeadership[]>>;
  readonly calls: readonly ResultCall[];
  readonly requests: readonly ResultRequest[];
  readonly connections: readonly ResultConnection[];
  readonly logs: readonly ResultLog[];
  readonly shared_data: Readonly<
    Record<string, Readonly<Record<string, { value: ResultText; cas: number }>>>
  >;
  readonly metrics: Readonly<Record<string, number>>;
  readonly host_calls: number;
  readonly traps: readonly ResultTrap[];
  readonly faults: readonly ResultFault[];
}

export interface ResultLeadership {
  readonly thread: string;
  readonly vm: string;
  readonly context: number;
  /** Decimal digits: terms may exceed what a JSON number holds. */
  readonly term: string | null;
  readonly from_ms: number;
  readonly until_ms: number;
  readonly end: LeadershipEnd;
}

export interface ResultCall {
  readonly at_ms: number;
  readonly arrived_ms: number | null;
  readonly thread: string;
  readonly vm: string;
  readonly context: number;
  readonly plugin: string;
  readonly cluster: string;
  readonly method: ResultText;
  readonly path: ResultText;
  readonly headers: ResultHeaders;
  readonly body: ResultText;
  readonly answered: number | null;
  readonly status: number | null;
}

export interface ResultRequest {
  readonly at_ms: number;
  readonly thread: string;
  readonly status: number | null;
  readonly headers: ResultHeaders;
  readonly body: ResultText;
  readonly local: boolean;
  readonly upstream: { readonly headers: ResultHeaders; readonly body: ResultText } | null;
}

export interface ResultConnection {
  readonly at_ms: number;
  /** Null: open at the end of the run. */
  readonly ended_ms: number | null;
  readonly thread: string;
  readonly listener: string;
  readonly received: ResultText;
  readonly upstream: ResultText;
  /** "local": Envoy closed it; "remote": the client. */
  readonly closed_by: string | null;
}

export interface ResultLog {
  readonly at_ms: number;
  readonly thread: string;
  readonly plugin: string;
  readonly level: string;
  readonly message: ResultText;
}

export interface ResultTrap {
  readonly at_ms: number;
  readonly thread: string;
  readonly vm: string;
  readonly plugin: string;
  readonly callback: string;
  readonly message: string;
  /** `assembly/plugin.ts:12:5`; null without a source map. */
  readonly source: string | null;
  /** The guest's frames, innermost first. */
  readonly frames: readonly string[];
  /** The VM's last host calls, the oldest first. */
  readonly host_calls: readonly string[];
}

export interface ResultFault {
  readonly at_ms: number;
  readonly fault: string;
  readonly thread: string | null;
  readonly plugin: string | null;
  /** "applied", "not_applied", or "refused" for a new configuration that the plugin refused. */
  readonly status: string | null;
  readonly detail: string;
}

/** The run as one JSON document. */
export function toResult(run: JudgedRun): Result {
  const facts = factsOfRun(run);
  return {
    scenario: run.name,
    ok: isOk(run),
    seed: run.seed,
    profile: run.profile,
    duration_ms: ms(run.durationNs),
    properties: run.verdicts.map((verdict) => ({
      property: verdict.property,
      subject: verdict.subject,
      ok: verdict.ok,
      holds: verdict.holds,
      expected: verdict.expected,
      implied: verdict.implied,
      detail: verdict.detail,
      at_ms: verdict.atMs,
    })),
    elections: electionsOf(facts),
    calls: facts.calls.map(callOf),
    requests: requestsOf(facts),
    connections: facts.connections.map(connectionOf),
    logs: facts.logs.map((line) => ({
      at_ms: ms(line.atNs),
      thread: line.thread,
      plugin: line.plugin,
      level: line.level,
      message: text(line.message),
    })),
    shared_data: sharedDataOf(facts.ended),
    metrics: metricsOf(facts.ended),
    host_calls: numberOf(facts.ended?.args["host_calls"]) ?? 0,
    traps: facts.traps.map(trapOf),
    faults: facts.faults.map(faultOf),
  };
}

function ms(ns: number): number {
  return ns / 1e6;
}

function text(value: TraceValue): ResultText {
  return plain(value) as ResultText;
}

function headers(pairs: HeaderPairs): ResultHeaders {
  return pairs.map(([name, value]) => [text(name), text(value)] as const);
}

function electionsOf(facts: RunFacts): Record<string, ResultLeadership[]> {
  return Object.fromEntries(
    [...facts.leaderships].map(([plugin, all]) => [plugin, all.map(leadershipOf)]),
  );
}

function leadershipOf(leadership: Leadership): ResultLeadership {
  const { thread, vm, context, term, fromNs, untilNs, end } = leadership;
  return {
    thread,
    vm,
    context,
    term: term === null ? null : term.toString(),
    from_ms: ms(fromNs),
    until_ms: ms(untilNs),
    end,
  };
}

function callOf(call: HttpCall): ResultCall {
  return {
    at_ms: ms(call.atNs),
    arrived_ms: call.arrivedNs === null ? null : ms(call.arrivedNs),
    thread: call.thread,
    vm: call.vm,
    context: call.context,
    plugin: call.plugin,
    cluster: call.cluster,
    method: text(call.method),
    path: text(call.path),
    headers: headers(call.headers),
    body: text(call.body),
    answered: call.answered,
    status: call.status,
  };
}

function requestsOf(facts: RunFacts): ResultRequest[] {
  return facts.exchanges.map((exchange) => ({
    at_ms: ms(exchange.atNs),
    thread: exchange.thread,
    status: exchange.status,
    headers: headers(exchange.headers),
    body: text(exchange.body),
    local: exchange.isLocal,
    upstream:
      exchange.upstream === null
        ? null
        : { headers: headers(exchange.upstream.headers), body: text(exchange.upstream.body) },
  }));
}

function connectionOf(connection: ConnectionFact): ResultConnection {
  const { atNs, endedNs, thread, listener, received, upstream, closedBy } = connection;
  return {
    at_ms: ms(atNs),
    ended_ms: endedNs === null ? null : ms(endedNs),
    thread,
    listener,
    received: text(received),
    upstream: text(upstream),
    closed_by: closedBy,
  };
}

function sharedDataOf(ended: TraceEvent | null): Result["shared_data"] {
  return (plain(ended?.args["shared_data"] ?? {}) ?? {}) as Result["shared_data"];
}

function metricsOf(ended: TraceEvent | null): Result["metrics"] {
  const metrics = ended?.args["metrics"];
  if (metrics === null || typeof metrics !== "object") return {};
  return Object.fromEntries(
    Object.entries(metrics).map(([name, value]) => [name, numberOf(value) ?? 0]),
  );
}

function trapOf(trap: TraceEvent): ResultTrap {
  const message = readable(trap.result) || readable(trap.args["message"]);
  return {
    at_ms: ms(trap.atNs),
    thread: trap.thread,
    vm: trap.vm,
    plugin: trap.plugin,
    callback: trap.name,
    message,
    source: readable(trap.args["source"]) || null,
    frames: trapFrames(trap),
    host_calls: trapCalls(trap),
  };
}

function faultOf(fault: TraceEvent): ResultFault {
  return {
    at_ms: ms(fault.atNs),
    fault: fault.name,
    thread: fault.thread || readable(fault.args["thread"]) || null,
    plugin: fault.plugin || readable(fault.args["plugin"]) || null,
    status: fault.status,
    detail: readable(fault.result),
  };
}
