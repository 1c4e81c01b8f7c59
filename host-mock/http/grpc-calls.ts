import { Status, statusName, type StatusCode } from "../abi/status.ts";
import { MockHostError } from "../errors.ts";
import { latin1, noBytes, utf8 } from "../state/bytes.ts";
import { HeaderMap, type HeaderPair, type HeaderText } from "../state/header-map.ts";
import { EventClass, type EventHandle } from "../time/event-queue.ts";
import { Chronicle } from "../trace/chronicle.ts";
import type { TraceArgs, TraceSubject } from "../trace/event.ts";
import { HostEvent } from "../trace/names.ts";
import type { Recorder } from "../trace/recorder.ts";
import { EnvoyCrash } from "../vm/trap.ts";
import { Cluster } from "./cluster.ts";
import type { Clusters } from "./clusters.ts";
import type { GrpcCluster } from "./grpc-cluster.ts";
import { GrpcStatus } from "./grpc-status.ts";
import { GrpcExchange, type GrpcCaller, type GrpcKind } from "./grpc-exchange.ts";
import { grpcHeaders } from "./grpc-headers.ts";
import { httpParts, ownAnswer, OwnAnswers } from "./grpc-local.ts";
import { GrpcAnswering, ReceivedGrpc, type Emit, type GrpcPart } from "./grpc-receiver.ts";
import { clusterNameOf, parseGrpcService } from "./grpc-service.ts";
import type { GrpcRecord } from "./grpc-view.ts";
import { shownText } from "./pairs.ts";
import { ReceivedCall } from "./received-call.ts";
import { FIRST_TIE, type DueEvent, type Lane, type Scheduler } from "./scheduler.ts";

/** What `proxy_grpc_call` and `proxy_grpc_stream` were given. */
export interface GrpcParts {
  readonly kind: GrpcKind;
  /** A message GrpcService, or a cluster's name. */
  readonly service: Uint8Array;
  readonly serviceName: Uint8Array;
  readonly method: Uint8Array;
  readonly metadata: readonly HeaderPair[];
  /** Of a call. */
  readonly message?: Uint8Array;
  /** Of a call; 0: none. */
  readonly timeoutMs?: number;
}

export interface GrpcStarted {
  readonly status: StatusCode;
  readonly token: number;
  readonly exchange?: GrpcExchange;
}

export interface GrpcCallsOptions {
  readonly scheduler: Scheduler;
  readonly recorder: Recorder;
  readonly clusters: Clusters;
}

/** How much later what is sent now to a cluster arrives, in nanoseconds. */
export type HeldNs = (cluster: string) => number;

interface Target {
  /** Undefined: no cluster of that name, which Envoy finds out when the call is under way. */
  readonly cluster: Cluster | GrpcCluster | undefined;
  readonly authority: string;
  readonly metadata: readonly HeaderPair[];
}

/**
 * gRPC calls and streams of all VMs.
 *
 *     start ──▶ leaves the machine ──(held)──▶ arrival ──▶ the receiver's parts ──▶ the caller's loop
 *     send ───▶ in order behind it ─────────▶ message
 *
 * They leave as HTTP calls do: in a later turn of the loop.
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (grpcCall … grpcClose), `source/common/grpc/async_client_impl.cc`.
 */
export class GrpcCalls {
  /** Every call that was begun, in order. */
  readonly records = new Chronicle<GrpcRecord>();
  readonly #scheduler: Scheduler;
  readonly #recorder: Recorder;
  readonly #clusters: Clusters;
  /** When the last of what was sent arrives. */
  readonly #arrivals = new WeakMap<GrpcExchange, number>();
  /** Of calls that are not over: one with a long timeout must not wait for it in the queue. */
  readonly #timeouts = new Map<GrpcExchange, EventHandle<DueEvent>>();

  constructor(options: GrpcCallsOptions) {
    this.#scheduler = options.scheduler;
    this.#recorder = options.recorder;
    this.#clusters = options.clusters;
  }

  /**
   * Starts a call or a stream. ParseFailure: the service is neither a message nor a cluster's name. InternalFailure: a
   * message that names no known cluster; the token is used up, and the caller is told of the close all the same.
   * EnvoyCrash: a message without a target, or a cluster without hosts.
   */
  start(caller: GrpcCaller, subject: TraceSubject, parts: GrpcParts, heldNs: HeldNs): GrpcStarted {
    const service = parseGrpcService(parts.service);
    if (service?.kind === "google") throw googleOnly(subject);
    if (service?.kind === "none") throw new EnvoyCrash("a GrpcService message without a target");
    const name = service?.cluster ?? clusterNameOf(parts.service);
    const cluster = this.#clusters.find(subject, name, "grpc");
    if (service === undefined && cluster === undefined) {
      return this.#refuse(subject, parts, Status.ParseFailure, "no such cluster");
    }
    if (cluster?.isWithoutHosts === true) {
      throw new EnvoyCrash(
        `a gRPC ${parts.kind} to the cluster ${name}, which has no healthy host`,
      );
    }
    const authority = service === undefined || service.authority === "" ? name : service.authority;
    const target = { cluster, authority, metadata: service?.metadata ?? [] };
    return this.#begin(caller, subject, parts, target, heldNs);
  }

  /** A message of a stream, and with `isEnd` the end of the plugin's side. */
  send(exchange: GrpcExchange, message: Uint8Array, isEnd: boolean, heldNs: HeldNs): void {
    if (exchange.isLocalClosed || exchange.isRemoteClosed) return;
    this.#record(exchange, HostEvent.grpcMessageSent, { message, end: isEnd });
    if (isEnd) exchange.localClosedNs = this.#scheduler.nowNs;
    this.#onArrival(exchange, heldNs, () => this.#takeMessage(exchange, message, isEnd));
  }

  /** The plugin's side ends without a message. */
  halfClose(exchange: GrpcExchange, heldNs: HeldNs): void {
    if (exchange.isLocalClosed || exchange.isRemoteClosed) return;
    exchange.localClosedNs = this.#scheduler.nowNs;
    this.#onArrival(exchange, heldNs, () => this.#takeMessage(exchange, undefined, true));
  }

  /** Nobody is told any more; the receiver is, if the call has got there. */
  cancel(exchange: GrpcExchange, reason: string, heldNs: HeldNs): void {
    if (exchange.isDropped || exchange.isRemoteClosed) return;
    exchange.isDropped = true;
    exchange.record.isOver = true;
    this.#clearTimeout(exchange);
    this.#record(exchange, HostEvent.grpcDropped, { reason });
    this.#onArrival(exchange, heldNs, () => {
      const { received } = exchange;
      if (received === null || received.isCancelled) return;
      received.isCancelled = true;
      exchange.script?.onCancel?.();
    });
  }

  #begin(
    caller: GrpcCaller,
    subject: TraceSubject,
    parts: GrpcParts,
    target: Target,
    heldNs: HeldNs,
  ): GrpcStarted {
    const { kind, timeoutMs } = parts;
    const { thread, vm, plugin, context } = subject;
    const exchange = new GrpcExchange(
      {
        id: this.records.nextId(),
        kind,
        token: caller.nextGrpcToken(kind),
        cluster: target.cluster?.name ?? target.authority,
        caller,
        subject: { thread, vm, plugin, context },
        headers: grpcHeaders({
          authority: target.authority,
          serviceName: latin1(parts.serviceName),
          method: latin1(parts.method),
          metadata: parts.metadata,
          serviceMetadata: target.metadata,
          timeoutMs,
        }),
        sentNs: this.#scheduler.nowNs,
        timeoutNs: (timeoutMs ?? 0) * 1e6,
      },
      this.#scheduler,
      (ended) => this.#onClosed(ended),
    );
    this.records.add(exchange.record);
    this.#recordSent(exchange, parts);
    const { cluster } = target;
    if (cluster === undefined) {
      exchange.close(GrpcStatus.Unavailable, utf8("Cluster not available"));
      return this.#refuse(subject, parts, Status.InternalFailure, "no such cluster");
    }
    const { message } = parts;
    if (message !== undefined) exchange.localClosedNs = this.#scheduler.nowNs;
    this.#onArrival(exchange, heldNs, () => this.#arrive(exchange, cluster, message));
    if (exchange.parts.timeoutNs > 0) this.#scheduleTimeout(exchange);
    return { status: Status.Ok, token: exchange.parts.token, exchange };
  }

  /** Behind everything that was sent before. What was dropped before it left never arrives. */
  #onArrival(exchange: GrpcExchange, heldNs: HeldNs, run: () => void): void {
    const { nowNs } = this.#scheduler;
    const arrivesNs = Math.max(
      this.#arrivals.get(exchange) ?? 0,
      nowNs + heldNs(exchange.parts.cluster),
    );
    this.#arrivals.set(exchange, arrivesNs);
    const leave = (): void => {
      if (exchange.isDropped && !exchange.hasLeft) return;
      exchange.hasLeft = true;
      if (arrivesNs === nowNs) run();
      else this.#scheduler.schedule(new Passage(run), arrivesNs, FIRST_TIE);
    };
    this.#scheduler.schedule(new Passage(leave), nowNs, FIRST_TIE);
  }

  #arrive(
    exchange: GrpcExchange,
    cluster: Cluster | GrpcCluster,
    message: Uint8Array | undefined,
  ): void {
    const { headers } = exchange.parts;
    const emit = (part: GrpcPart, afterNs: number): void =>
      exchange.deliver(part, this.#scheduler.nowNs + afterNs);
    if (cluster instanceof Cluster) {
      this.#arriveAtHttp(exchange, cluster, message, emit);
      return;
    }
    const received = new ReceivedGrpc(cluster.name, headers);
    if (message !== undefined) {
      received.messages.push(message);
      received.isEnded = true;
    }
    const receipt = cluster.receive(received);
    if (receipt.kind === "refuse_connection") {
      emit(ownAnswer(OwnAnswers.refused), 0);
      return;
    }
    exchange.record.received = received;
    this.#record(exchange, HostEvent.grpcArrived, {});
    const answering = new GrpcAnswering(received, emit);
    if (receipt.kind === "answer") answering.answer(receipt.reply);
    else if (receipt.kind === "reset") emit({ kind: "reset" }, 0);
    else if (receipt.kind === "script") {
      exchange.script = receipt.script;
      exchange.answering = answering;
      receipt.script.onStart?.(answering);
      if (message === undefined) return;
      receipt.script.onMessage?.(message, answering);
      receipt.script.onEnd?.(answering);
    }
  }

  #takeMessage(exchange: GrpcExchange, message: Uint8Array | undefined, isEnd: boolean): void {
    const { received, script, answering } = exchange;
    if (received === null || received.isCancelled) return;
    if (message !== undefined) received.messages.push(message);
    if (isEnd) received.isEnded = true;
    if (answering === undefined) return;
    if (message !== undefined) script?.onMessage?.(message, answering);
    if (isEnd) script?.onEnd?.(answering);
  }

  #arriveAtHttp(
    exchange: GrpcExchange,
    cluster: Cluster,
    message: Uint8Array | undefined,
    emit: Emit,
  ): void {
    const body = message === undefined ? noBytes : framed(message);
    const receipt = cluster.receive(new ReceivedCall(cluster.name, exchange.parts.headers, body));
    if (receipt.kind === "timeout") return;
    if (receipt.kind === "refuse_connection") emit(ownAnswer(OwnAnswers.refused), 0);
    else if (receipt.kind === "disconnect") emit(ownAnswer(OwnAnswers.disconnected), 0);
    else if (receipt.kind === "reset") {
      emit(
        {
          kind: "headers",
          headers: HeaderMap.from([[":status", "200"]], "response"),
          isEnd: false,
        },
        0,
      );
      emit({ kind: "reset" }, 0);
    } else if (receipt.kind === "answer") {
      for (const { part, afterNs } of httpParts(receipt.reply)) emit(part, afterNs);
    }
  }

  #scheduleTimeout(exchange: GrpcExchange): void {
    const { caller, sentNs, timeoutNs } = exchange.parts;
    const run = (): void => {
      this.#timeouts.delete(exchange);
      if (exchange.isDropped || exchange.isRemoteClosed || caller.unreachable !== null) return;
      if (exchange.hasHeaders) exchange.fail(GrpcStatus.Internal, OwnAnswers.timedOut.details);
      else exchange.take(ownAnswer(OwnAnswers.timedOut));
      if (exchange.received !== null) exchange.received.isCancelled = true;
      exchange.script?.onCancel?.();
    };
    const due = this.#scheduler.schedule(new Passage(run, caller.lane), sentNs + timeoutNs);
    this.#timeouts.set(exchange, due);
  }

  #clearTimeout(exchange: GrpcExchange): void {
    const due = this.#timeouts.get(exchange);
    if (due !== undefined) this.#scheduler.cancel(due);
    this.#timeouts.delete(exchange);
  }

  #refuse(
    subject: TraceSubject,
    { kind, service }: GrpcParts,
    status: StatusCode,
    reason: string,
  ): GrpcStarted {
    const args = { kind, service, reason };
    this.#recorder.record(subject, "timer", HostEvent.grpcRefused, args, statusName(status));
    return { status, token: 0 };
  }

  #recordSent(exchange: GrpcExchange, parts: GrpcParts): void {
    const { kind, token, caller, cluster, headers } = exchange.parts;
    const { message, timeoutMs } = parts;
    this.#record(exchange, HostEvent.grpcSent, {
      root: caller.id,
      kind,
      cluster,
      path: shownText(headers.get(":path")!),
      metadata: parts.metadata.map(([name, value]) => [shown(name), shown(value)]),
      ...(message === undefined ? {} : { message }),
      ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }),
      token,
    });
  }

  #onClosed(exchange: GrpcExchange): void {
    this.#clearTimeout(exchange);
    exchange.record.isOver = true;
    const { status, statusMessage: message } = exchange.record;
    this.#record(exchange, HostEvent.grpcClosed, { message }, status);
  }

  #record(
    exchange: GrpcExchange,
    name: string,
    args: TraceArgs,
    result: number | null = null,
  ): void {
    const { subject, id } = exchange.parts;
    this.#recorder.record(subject, "timer", name, { call: id, ...args }, null, result);
  }
}

class Passage implements DueEvent {
  readonly class = EventClass.answer;
  readonly run: () => void;
  /** Null: on its way, in nobody's loop. */
  readonly lane: Lane | null;

  constructor(run: () => void, lane: Lane | null = null) {
    this.run = run;
    this.lane = lane;
  }
}

const shown = (text: HeaderText) => (typeof text === "string" ? text : shownText(text));

function framed(message: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(5 + message.length);
  new DataView(bytes.buffer).setUint32(1, message.length);
  bytes.set(message, 5);
  return bytes;
}

function googleOnly({ plugin }: TraceSubject): MockHostError {
  return new MockHostError("E_OPTION", `plugin ${plugin} calls a google_grpc target over gRPC`, {
    remedy: "name a declared cluster in envoy_grpc.cluster_name",
  });
}
