import { Status, statusName, type StatusCode } from "../abi/status.ts";
import type { HeaderMap } from "../state/header-map.ts";
import { EventClass } from "../time/event-queue.ts";
import type { TraceArgs, TraceSubject } from "../trace/event.ts";
import { HostEvent } from "../trace/names.ts";
import type { Recorder } from "../trace/recorder.ts";
import {
  answerTimes,
  connectionRefused,
  disconnected,
  remoteAnswer,
  timedOut,
  type CallAnswer,
} from "./call-answer.ts";
import type { CallFate } from "./call-fate.ts";
import { Cluster, noReply, type Receipt, type Reply } from "./cluster.ts";
import type { Clusters } from "./clusters.ts";
import type { GrpcCluster } from "./grpc-cluster.ts";
import { shownHeaders, shownText } from "./pairs.ts";
import { ReceivedCall } from "./received-call.ts";
import { callHeaders, lacksBody, receivedHeaders } from "./sent-headers.ts";
import { FIRST_TIE, type DueEvent, type Lane, type Scheduler } from "./scheduler.ts";

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

/** What a dispatch came to; the token is 0 unless the status is Ok. */
export interface Dispatched {
  readonly status: StatusCode;
  readonly token: number;
  readonly call?: HttpCall;
}

/** A call under way. */
export class HttpCall {
  readonly id: number;
  readonly token: number;
  readonly cluster: Cluster | GrpcCluster;
  readonly caller: Caller;
  readonly subject: TraceSubject;
  readonly headers: HeaderMap;
  readonly body: Uint8Array;
  readonly sentNs: number;
  /** 0: none. */
  readonly timeoutNs: number;
  readonly fate: CallFate;
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
    this.fate = fields.fate;
  }
}

export interface CalloutsOptions {
  readonly scheduler: Scheduler;
  readonly recorder: Recorder;
  readonly clusters: Clusters;
}

const maxTimeoutMs = 0x7fffffff;
const required = [":path", ":method", ":authority"];

/**
 * HTTP calls of all VMs.
 *
 *     dispatch ──▶ leaves the machine ──(held)──▶ arrival at the receiver ──(delay)──▶ answer ──▶ on_http_call_response
 *        └──────────────── timeout ──────────────────────────────────────────────────▶ 504
 *
 * Arrival is nobody's loop: it happens whatever stands still or has crashed meanwhile. Answer and timeout belong to
 * the caller's loop. A call leaves in a later turn of the loop, where Envoy opens the connection: one whose caller goes away
 * in the turn of its dispatch never leaves the machine. A timeout between the headers of an answer and its end is a reset.
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (httpCall, onHttpCallSuccess, onHttpCallFailure),
 * `source/common/http/async_client_impl.cc`.
 */
export class Callouts {
  readonly #scheduler: Scheduler;
  readonly #recorder: Recorder;
  readonly #clusters: Clusters;
  #callCount = 0;

  constructor(options: CalloutsOptions) {
    this.#scheduler = options.scheduler;
    this.#recorder = options.recorder;
    this.#clusters = options.clusters;
  }

  /** Starts a call; `fate` says what faults do to it. Without a host to send to, the call uses up a token. */
  dispatch(
    caller: Caller,
    subject: TraceSubject,
    parts: CallParts,
    fate: (cluster: string) => CallFate,
  ): Dispatched {
    if (parts.timeoutMs >>> 0 > maxTimeoutMs) {
      return this.#refuse(subject, parts, "a timeout of 2^31 ms or more");
    }
    const cluster = this.#clusters.find(subject, parts.cluster, "http");
    if (cluster === undefined) return this.#refuse(subject, parts, "no such cluster");
    const headers = callHeaders(parts.headers, parts.body.length);
    for (const name of required) {
      if (!headers.has(name)) return this.#refuse(subject, parts, `${name} is missing`);
    }
    const token = caller.nextCallToken();
    if (cluster.isWithoutHosts) {
      return this.#refuse(subject, parts, "no healthy host", Status.InternalFailure);
    }
    const { thread, vm, plugin, context } = subject;
    const call = new HttpCall({
      id: ++this.#callCount,
      token,
      cluster,
      caller,
      subject: { thread, vm, plugin, context },
      headers,
      body: parts.body,
      sentNs: this.#scheduler.nowNs,
      timeoutNs: parts.timeoutMs * 1e6,
      fate: fate(cluster.name),
    });
    this.#recordSent(call, parts.timeoutMs);
    this.#depart(call);
    return { status: Status.Ok, token, call };
  }

  /** The caller goes away: no answer, and no call where it has not left the machine. */
  cancel(call: HttpCall, reason: string): void {
    if (call.isSettled) return;
    call.isSettled = true;
    this.#record(call, HostEvent.httpCallDropped, { call: call.id, reason });
  }

  #depart(call: HttpCall): void {
    const { heldNs, repeatNs } = call.fate;
    const arrivesNs = call.sentNs + heldNs;
    const leave = (): void => {
      if (call.isSettled) return;
      if (heldNs === 0) this.#arrive(call);
      else this.#later(() => this.#arrive(call), arrivesNs);
      if (repeatNs !== null) this.#later(() => this.#arrive(call, true), arrivesNs + repeatNs);
    };
    this.#scheduler.schedule(new Passage(leave), call.sentNs, FIRST_TIE);
    const timeoutNs = call.sentNs + call.timeoutNs;
    if (call.timeoutNs > 0 && timeoutNs < arrivesNs) this.#scheduleTimeout(call);
  }

  #later(run: () => void, dueNs: number): void {
    this.#scheduler.schedule(new Passage(run), dueNs, FIRST_TIE);
  }

  /** Of a call that arrives twice the second one is answered. */
  #arrive(call: HttpCall, isRepeat = false): void {
    const { nowNs } = this.#scheduler;
    const receipt = receive(call);
    const isAnswered = isRepeat || call.fate.repeatNs === null;
    if (receipt.kind === "refuse_connection") {
      if (isAnswered) this.#settleAt(call, nowNs, connectionRefused());
      return;
    }
    const isAnswer = receipt.kind === "answer";
    this.#record(
      call,
      isRepeat ? HostEvent.httpCallRepeated : HostEvent.httpCallArrived,
      { call: call.id, refused: isAnswer && receipt.isRefused },
      isAnswer ? receipt.reply.status : null,
    );
    if (!isAnswered) return;
    if (isAnswer) this.#answer(call, receipt.reply);
    else if (receipt.kind === "reset") this.#settleAt(call, nowNs, null);
    else if (receipt.kind === "disconnect") this.#settleAt(call, nowNs, disconnected());
    else this.#scheduleTimeout(call);
  }

  #answer(call: HttpCall, reply: Reply): void {
    const { answerLateNs, isAnswerLost } = call.fate;
    if (isAnswerLost) {
      this.#scheduleTimeout(call);
      return;
    }
    const fromNs = this.#scheduler.nowNs + answerLateNs;
    const { headersNs, endNs, isBroken } = answerTimes(reply, fromNs);
    const deadlineNs = call.timeoutNs > 0 ? call.sentNs + call.timeoutNs : Infinity;
    if (headersNs <= deadlineNs && endNs > deadlineNs) this.#settleAt(call, deadlineNs, null);
    else if (isBroken) this.#settleAt(call, endNs, null);
    else this.#settleAt(call, endNs, remoteAnswer(reply, headersNs - call.sentNs));
  }

  /** An answer at the timeout's very instant still counts. */
  #settleAt(call: HttpCall, dueNs: number, answer: CallAnswer): void {
    if (call.isSettled) return;
    if (call.timeoutNs > 0 && dueNs > call.sentNs + call.timeoutNs) {
      this.#scheduleTimeout(call);
      return;
    }
    this.#scheduler.schedule(new Settlement(this, call, answer), dueNs);
  }

  #scheduleTimeout(call: HttpCall): void {
    if (call.isSettled || call.timeoutNs === 0) return;
    this.#scheduler.schedule(new Settlement(this, call, timedOut()), call.sentNs + call.timeoutNs);
  }

  /** The caller's loop has come to the answer. */
  settle(call: HttpCall, answer: CallAnswer): void {
    if (call.isSettled) return;
    call.isSettled = true;
    const reason = call.caller.unreachable;
    if (reason !== null) {
      this.#record(call, HostEvent.httpCallDropped, { call: call.id, reason });
      return;
    }
    const status = answer === null ? null : Number(answer.headers.text(":status"));
    this.#record(call, HostEvent.httpCallAnswered, { call: call.id }, status);
    call.caller.onCallAnswered(call, answer);
  }

  #refuse(
    subject: TraceSubject,
    parts: CallParts,
    reason: string,
    status: StatusCode = Status.BadArgument,
  ): Dispatched {
    const args = { cluster: parts.cluster, reason };
    this.#recorder.record(subject, "timer", HostEvent.httpCallRefused, args, statusName(status));
    return { status, token: 0 };
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
  readonly #answer: CallAnswer;

  constructor(callouts: Callouts, call: HttpCall, answer: CallAnswer) {
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

/** Servers of gRPC refuse what is no gRPC. */
const unsupportedMediaType: Reply = { ...noReply, status: 415 };

function receive({ cluster, headers, body, timeoutNs }: HttpCall): Receipt {
  if (!(cluster instanceof Cluster)) {
    return { kind: "answer", reply: unsupportedMediaType, isRefused: false };
  }
  if (lacksBody(headers, body.length)) return { kind: "timeout" };
  const received = receivedHeaders(headers, timeoutNs / 1e6);
  return cluster.receive(new ReceivedCall(cluster.name, received, body));
}
