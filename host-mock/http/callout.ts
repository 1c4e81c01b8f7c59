import { Status, type StatusCode } from "../abi/status.ts";
import { utf8 } from "../state/bytes.ts";
import { HeaderMap } from "../state/header-map.ts";
import { EventClass } from "../time/event-queue.ts";
import type { TraceArgs, TraceSubject } from "../trace/event.ts";
import { HostEvent } from "../trace/names.ts";
import type { Recorder } from "../trace/recorder.ts";
import { Cluster, type Reply } from "./cluster.ts";
import type { ClusterOptions } from "./cluster-options.ts";
import { shownHeaders, shownText } from "./pairs.ts";
import { ReceivedCall } from "./received-call.ts";
import { FIRST_TIE, type DueEvent, type Lane, type Scheduler } from "./scheduler.ts";

/** An answer as the guest may read it; null stands for a reset. */
export type CallAnswer = { readonly headers: HeaderMap; readonly body: Uint8Array } | null;

/** A root context that makes calls. */
export interface Caller {
  readonly lane: Lane;
  /** Why it cannot be told of answers any more ("crashed", "trapped", "deleted"); null while it can. */
  readonly unreachable: string | null;
  /** The root context's id. */
  readonly id: number;
  nextCallToken(): number;
  onCallAnswered(call: HttpCall, answer: CallAnswer): void;
}

/** What `proxy_http_call` was given. */
export interface CallParts {
  readonly cluster: string;
  readonly headers: readonly (readonly [Uint8Array, Uint8Array])[];
  readonly body: Uint8Array;
  readonly timeoutMs: number;
}

/** A call under way. */
export class HttpCall {
  readonly id: number;
  readonly token: number;
  readonly cluster: Cluster;
  readonly caller: Caller;
  readonly subject: TraceSubject;
  readonly headers: HeaderMap;
  readonly body: Uint8Array;
  readonly sentNs: number;
  /** 0: none. */
  readonly timeoutNs: number;
  /** True when the guest was told, or never will be. */
  isSettled = false;

  constructor(fields: Omit<HttpCall, "isSettled">) {
    this.id = fields.id;
    this.token = fields.token;
    this.cluster = fields.cluster;
    this.caller = fields.caller;
    this.subject = fields.subject;
    this.headers = fields.headers;
    this.body = fields.body;
    this.sentNs = fields.sentNs;
    this.timeoutNs = fields.timeoutNs;
  }
}

export interface CalloutsOptions {
  readonly scheduler: Scheduler;
  readonly recorder: Recorder;
  readonly clusters: Readonly<Record<string, ClusterOptions>>;
  readonly allowUndeclared: boolean;
}

const maxTimeoutMs = 0x7fffffff;
const timeoutBody = "upstream request timeout";
const refusedBody =
  "upstream connect error or disconnect/reset before headers. reset reason: remote connection failure, " +
  "transport failure reason: delayed connect error: Connection refused";

/**
 * HTTP calls of all VMs.
 *
 *     dispatch ──▶ leaves the machine ──(held)──▶ arrival at the receiver ──(delay)──▶ answer ──▶ on_http_call_response
 *        └──────────────── timeout ──────────────────────────────────────────────────▶ 504
 *
 * Arrival is nobody's loop: it happens whatever stands still or has crashed meanwhile. Answer and timeout belong to
 * the caller's loop. A call leaves in a later turn of the loop, where Envoy opens the connection: one whose caller goes away
 * in the turn of its dispatch never leaves the machine.
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (httpCall, onHttpCallSuccess, onHttpCallFailure),
 * `source/common/http/async_client_impl.cc`.
 */
export class Callouts {
  readonly #scheduler: Scheduler;
  readonly #recorder: Recorder;
  readonly #clusters = new Map<string, Cluster>();
  readonly #allowUndeclared: boolean;
  #callCount = 0;

  constructor(options: CalloutsOptions) {
    this.#scheduler = options.scheduler;
    this.#recorder = options.recorder;
    this.#allowUndeclared = options.allowUndeclared;
    for (const [name, cluster] of Object.entries(options.clusters)) {
      this.#clusters.set(name, new Cluster(name, cluster));
    }
  }

  get clusterNames(): string[] {
    return [...this.#clusters.keys()];
  }

  /** Starts a call. Its token is 0 unless the status is Ok. `heldNs` is how much later it arrives. */
  dispatch(
    caller: Caller,
    subject: TraceSubject,
    parts: CallParts,
    heldNs: (cluster: string) => number,
  ): { status: StatusCode; token: number; call?: HttpCall } {
    if (parts.timeoutMs >>> 0 > maxTimeoutMs) {
      return this.#refuse(subject, parts, "a timeout of 2^31 ms or more");
    }
    const cluster = this.#clusterOf(subject, parts.cluster);
    if (cluster === undefined) return this.#refuse(subject, parts, "no such cluster");
    const headers = HeaderMap.from(parts.headers, "request");
    for (const name of [":path", ":method", ":authority"]) {
      if (!headers.has(name)) return this.#refuse(subject, parts, `${name} is missing`);
    }
    if (parts.body.length > 0) headers.set("content-length", String(parts.body.length));
    const call = new HttpCall({
      id: ++this.#callCount,
      token: caller.nextCallToken(),
      cluster,
      caller,
      subject: {
        thread: subject.thread,
        vm: subject.vm,
        plugin: subject.plugin,
        context: subject.context,
      },
      headers,
      body: parts.body,
      sentNs: this.#scheduler.nowNs,
      timeoutNs: parts.timeoutMs * 1e6,
    });
    this.#recordSent(call, parts.timeoutMs);
    this.#depart(call, heldNs(cluster.name));
    return { status: Status.Ok, token: call.token, call };
  }

  /** The caller goes away: no answer, and no call where it has not left the machine. */
  cancel(call: HttpCall, reason: string): void {
    if (call.isSettled) return;
    call.isSettled = true;
    this.#record(call, HostEvent.httpCallDropped, { call: call.id, reason });
  }

  #depart(call: HttpCall, heldNs: number): void {
    const arrivesNs = call.sentNs + heldNs;
    const leave = (): void => {
      if (call.isSettled) return;
      if (heldNs === 0) this.#arrive(call);
      else this.#scheduler.schedule(new Passage(() => this.#arrive(call)), arrivesNs, FIRST_TIE);
    };
    this.#scheduler.schedule(new Passage(leave), call.sentNs, FIRST_TIE);
    const timeoutNs = call.sentNs + call.timeoutNs;
    if (call.timeoutNs > 0 && timeoutNs < arrivesNs) this.#scheduleTimeout(call);
  }

  #arrive(call: HttpCall): void {
    const { cluster } = call;
    const receipt = cluster.receive(new ReceivedCall(cluster.name, call.headers, call.body));
    if (receipt.kind === "refuse_connection") {
      this.#settleAt(call, this.#scheduler.nowNs, localAnswer(503, refusedBody));
      return;
    }
    const isAnswer = receipt.kind === "answer";
    this.#record(
      call,
      HostEvent.httpCallArrived,
      { call: call.id, refused: isAnswer && receipt.isRefused },
      isAnswer ? receipt.reply.status : null,
    );
    if (receipt.kind === "reset") this.#settleAt(call, this.#scheduler.nowNs, null);
    else if (isAnswer)
      this.#settleAt(call, this.#scheduler.nowNs + receipt.reply.delayNs, receipt.reply);
    else this.#scheduleTimeout(call);
  }

  /** An answer at the timeout's very instant still counts. */
  #settleAt(call: HttpCall, dueNs: number, answer: Reply | CallAnswer): void {
    if (call.isSettled) return;
    if (call.timeoutNs > 0 && dueNs > call.sentNs + call.timeoutNs) {
      this.#scheduleTimeout(call);
      return;
    }
    this.#scheduler.schedule(new Settlement(this, call, answer), dueNs);
  }

  #scheduleTimeout(call: HttpCall): void {
    if (call.isSettled || call.timeoutNs === 0) return;
    const answer = localAnswer(504, timeoutBody);
    this.#scheduler.schedule(new Settlement(this, call, answer), call.sentNs + call.timeoutNs);
  }

  /** The caller's loop has come to the answer. */
  settle(call: HttpCall, answer: Reply | CallAnswer): void {
    if (call.isSettled) return;
    call.isSettled = true;
    const reason = call.caller.unreachable;
    if (reason !== null) {
      this.#record(call, HostEvent.httpCallDropped, { call: call.id, reason });
      return;
    }
    const readable = answer !== null && "status" in answer ? remoteAnswer(answer) : answer;
    const status = readable === null ? null : Number(readable.headers.text(":status"));
    this.#record(call, HostEvent.httpCallAnswered, { call: call.id }, status);
    call.caller.onCallAnswered(call, readable);
  }

  #clusterOf(subject: TraceSubject, name: string): Cluster | undefined {
    const known = this.#clusters.get(name);
    if (known !== undefined) return known;
    if (!this.#allowUndeclared) {
      this.#recorder.record(subject, "timer", HostEvent.undeclaredCluster, { cluster: name });
      return undefined;
    }
    const made = new Cluster(name, {});
    this.#clusters.set(name, made);
    return made;
  }

  #refuse(
    subject: TraceSubject,
    parts: CallParts,
    reason: string,
  ): { status: StatusCode; token: number } {
    const args = { cluster: parts.cluster, reason };
    this.#recorder.record(subject, "timer", HostEvent.httpCallRefused, args, "BadArgument");
    return { status: Status.BadArgument, token: 0 };
  }

  #recordSent(call: HttpCall, timeoutMs: number): void {
    const { headers } = call;
    this.#record(call, HostEvent.httpCallSent, {
      call: call.id,
      root: call.caller.id,
      cluster: call.cluster.name,
      method: shownText(headers.get(":method")!),
      path: shownText(headers.get(":path")!),
      authority: shownText(headers.get(":authority")!),
      headers: shownHeaders(headers, { pseudo: false }),
      body: call.body,
      timeout_ms: timeoutMs,
      token: call.token,
    });
  }

  #record(call: HttpCall, name: string, args: TraceArgs, result: number | null = null): void {
    this.#recorder.record(call.subject, "timer", name, args, null, result);
  }
}

/** A call on its way: nobody's loop. */
class Passage implements DueEvent {
  readonly lane = null;
  readonly class = EventClass.answer;
  readonly run: () => void;

  constructor(run: () => void) {
    this.run = run;
  }
}

class Settlement implements DueEvent {
  readonly class = EventClass.answer;
  readonly #callouts: Callouts;
  readonly #call: HttpCall;
  readonly #answer: Reply | CallAnswer;

  constructor(callouts: Callouts, call: HttpCall, answer: Reply | CallAnswer) {
    this.#callouts = callouts;
    this.#call = call;
    this.#answer = answer;
  }

  get lane(): Lane {
    return this.#call.caller.lane;
  }

  run(): void {
    this.#callouts.settle(this.#call, this.#answer);
  }
}

function remoteAnswer(reply: Reply): CallAnswer {
  const headers = HeaderMap.from([[":status", String(reply.status)], ...reply.headers], "response");
  if (reply.body.length > 0 && !headers.has("content-length")) {
    headers.add("content-length", String(reply.body.length));
  }
  return { headers, body: reply.body };
}

/** An answer that Envoy itself makes. */
function localAnswer(status: number, text: string): CallAnswer {
  const body = utf8(text);
  const headers = HeaderMap.from(
    [
      [":status", String(status)],
      ["content-length", String(body.length)],
      ["content-type", "text/plain"],
    ],
    "response",
  );
  return { headers, body };
}
