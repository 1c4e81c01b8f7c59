import { noBytes, utf8 } from "../state/bytes.ts";
import { HeaderMap } from "../state/header-map.ts";
import { EventClass } from "../time/event-queue.ts";
import type { TraceSubject } from "../trace/event.ts";
import type { GrpcScript } from "./grpc-options.ts";
import type { GrpcAnswering, GrpcPart, ReceivedGrpc } from "./grpc-receiver.ts";
import { ownAnswer, OwnAnswers } from "./grpc-local.ts";
import { GrpcStatus, grpcStatusMax } from "./grpc-status.ts";
import { GrpcRecord } from "./grpc-view.ts";
import { grpcStatusOf } from "./local-reply.ts";
import { joinedBytes } from "./pairs.ts";
import type { DueEvent, Lane, Scheduler } from "./scheduler.ts";

/** A unary call, or a stream. */
export type GrpcKind = "call" | "stream";

/** A root context that makes gRPC calls, and what it is told of them. */
export interface GrpcCaller {
  readonly lane: Lane;
  /** Why it cannot be told any more ("crashed", "trapped", "deleted"); null while it can. */
  readonly unreachable: string | null;
  readonly id: number;
  nextGrpcToken(kind: GrpcKind): number;
  onGrpcInitialMetadata(token: number, metadata: HeaderMap): void;
  onGrpcMessage(token: number, message: Uint8Array): void;
  onGrpcTrailingMetadata(token: number, metadata: HeaderMap): void;
  onGrpcClosed(token: number, status: number, message: Uint8Array): void;
}

export interface ExchangeParts {
  readonly id: number;
  readonly kind: GrpcKind;
  readonly token: number;
  /** Its name. */
  readonly cluster: string;
  readonly caller: GrpcCaller;
  readonly subject: TraceSubject;
  readonly headers: HeaderMap;
  readonly sentNs: number;
  /** 0: none. */
  readonly timeoutNs: number;
}

/** Envoy's words for where an end came from. */
const viaUpstream = "via_upstream";
const brokenOff = "upstream_reset_after_response_started{connection_termination}";

type HeadersPart = Extract<GrpcPart, { readonly kind: "headers" }>;

/**
 * One gRPC call or stream as Envoy's client keeps it: takes what comes back part by part and tells the root context.
 *
 * | came back                       | stream                                        | unary call                |
 * | ------------------------------- | --------------------------------------------- | ------------------------- |
 * | headers                         | initial metadata; an empty map where they end the call, and for another status than HTTP 200 | nothing |
 * | message                         | on_grpc_receive                               | kept; a later one replaces it |
 * | trailers, status Ok             | trailing metadata, on_grpc_close(0)           | on_grpc_receive alone; without a message on_grpc_close(13) |
 * | trailers, another status        | trailing metadata, on_grpc_close(status)      | on_grpc_close(status)     |
 * | a status other than HTTP 200, a broken message, a reset | empty trailing metadata, on_grpc_close | on_grpc_close |
 *
 * Source: Envoy `source/common/grpc/async_client_impl.cc`, `source/extensions/common/wasm/context.cc`.
 */
export class GrpcExchange {
  readonly parts: ExchangeParts;
  /** What is shown of it. */
  readonly record: GrpcRecord;
  /** At the receiver, where it answers by a script. */
  script: GrpcScript | undefined;
  answering: GrpcAnswering | undefined;
  /** It is on its way: not taken back by a cancel in the turn of its start. */
  hasLeft = false;
  /** When the plugin closed its side; undefined: it has not. */
  localClosedNs: number | undefined;
  /** Nothing comes back any more. */
  isRemoteClosed = false;
  /** Cancelled, or its caller is gone: nobody is told. */
  isDropped = false;
  readonly #scheduler: Scheduler;
  readonly #onClosed: (exchange: GrpcExchange) => void;
  readonly #inbox: { readonly dueNs: number; readonly part: GrpcPart }[] = [];
  #lastDueNs = 0;
  #message: Uint8Array | undefined;
  #hasHeaders = false;

  constructor(
    parts: ExchangeParts,
    scheduler: Scheduler,
    onClosed: (exchange: GrpcExchange) => void,
  ) {
    this.parts = parts;
    this.record = new GrpcRecord(parts);
    this.#scheduler = scheduler;
    this.#onClosed = onClosed;
  }

  /** What the receiver has seen; null before the arrival, and where it speaks no gRPC. */
  get received(): ReceivedGrpc | null {
    return this.record.received;
  }

  /** The plugin has closed or half-closed its side. */
  get isLocalClosed(): boolean {
    return this.localClosedNs !== undefined;
  }

  /** The headers of an answer have come. */
  get hasHeaders(): boolean {
    return this.#hasHeaders;
  }

  /** A part on its way back; parts keep their order. */
  deliver(part: GrpcPart, dueNs: number): void {
    if (this.isDropped || this.isRemoteClosed) return;
    this.#lastDueNs = Math.max(this.#lastDueNs, dueNs);
    this.#inbox.push({ dueNs: this.#lastDueNs, part });
    this.#scheduler.schedule(new Delivery(this), this.#lastDueNs);
  }

  /** The caller's loop has come to what is due. */
  deliverDue(): void {
    const { nowNs } = this.#scheduler;
    while (this.#inbox.length > 0 && this.#inbox[0]!.dueNs <= nowNs) {
      const { part } = this.#inbox.shift()!;
      if (this.isDropped || this.isRemoteClosed) return;
      if (this.parts.caller.unreachable !== null) {
        this.isDropped = true;
        return;
      }
      this.take(part);
    }
  }

  take(part: GrpcPart): void {
    switch (part.kind) {
      case "headers":
        this.#takeHeaders(part);
        break;
      case "message":
        this.#takeMessage(part.message);
        break;
      case "trailers":
        this.#takeTrailers(part.trailers, viaUpstream);
        break;
      case "garbage":
        this.fail(GrpcStatus.Internal, viaUpstream);
        break;
      case "reset":
        if (this.#hasHeaders) this.fail(GrpcStatus.Internal, brokenOff);
        else this.take(ownAnswer(OwnAnswers.disconnected));
    }
  }

  /** Ends it with a status that no trailers carried. */
  fail(status: number, details: string): void {
    const { caller, token, kind } = this.parts;
    if (kind === "stream") caller.onGrpcTrailingMetadata(token, new HeaderMap("responseTrailers"));
    if (!this.#isOver) this.close(status, utf8(details));
  }

  /** Ends it; nothing but the close is told. */
  close(status: number, message: Uint8Array): void {
    const { caller, token, kind } = this.parts;
    this.isRemoteClosed = true;
    this.record.status = status;
    this.record.statusMessage = message;
    this.#onClosed(this);
    if (kind === "call" && status === GrpcStatus.Ok) caller.onGrpcMessage(token, this.#message!);
    else caller.onGrpcClosed(token, status, message);
  }

  #takeHeaders({ headers, isEnd, details = viaUpstream }: HeadersPart): void {
    this.#hasHeaders = true;
    if (details === viaUpstream && this.localClosedNs !== undefined) {
      const tookNs = this.#scheduler.nowNs - this.localClosedNs;
      headers.set("x-envoy-upstream-service-time", String(Math.floor(tookNs / 1e6)));
    }
    const { caller, token, kind } = this.parts;
    const httpStatus = Number(headers.text(":status"));
    if (kind === "stream") {
      const isInitial = httpStatus === 200 && !isEnd;
      caller.onGrpcInitialMetadata(token, isInitial ? headers : new HeaderMap("response"));
    }
    if (this.#isOver) return;
    if (httpStatus !== 200 && !(isEnd && headers.has("grpc-status"))) {
      this.fail(grpcStatusOf(httpStatus), details);
      return;
    }
    if (isEnd) this.#takeTrailers(headers, details);
  }

  #takeMessage(message: Uint8Array): void {
    const { caller, token, kind } = this.parts;
    if (kind === "stream") caller.onGrpcMessage(token, message);
    else this.#message = message;
  }

  #takeTrailers(trailers: HeaderMap, details: string): void {
    const { caller, token, kind } = this.parts;
    const status = grpcStatusIn(trailers);
    const message = messageWith(details, trailers.get("grpc-message"));
    if (kind === "stream") caller.onGrpcTrailingMetadata(token, trailers);
    if (this.#isOver) return;
    const isEmpty = kind === "call" && status === GrpcStatus.Ok && this.#message === undefined;
    if (isEmpty) this.close(GrpcStatus.Internal, noBytes);
    else this.close(status, message);
  }

  get #isOver(): boolean {
    return this.isDropped || this.isRemoteClosed;
  }
}

/** Unknown when there is none; for what gRPC does not have, Envoy's own number. */
function grpcStatusIn(trailers: HeaderMap): number {
  const text = trailers.text("grpc-status") ?? "";
  if (text === "") return GrpcStatus.Unknown;
  return /^\d+$/.test(text) && Number(text) <= grpcStatusMax ? Number(text) : GrpcStatus.Invalid;
}

/** The receiver's words, and Envoy's on where they come from. */
function messageWith(details: string, said: Uint8Array | undefined): Uint8Array {
  if (said === undefined || said.length === 0) return utf8(details);
  return joinedBytes([said, utf8(`{${details}}`)]);
}

class Delivery implements DueEvent {
  readonly class = EventClass.answer;
  readonly #exchange: GrpcExchange;

  constructor(exchange: GrpcExchange) {
    this.#exchange = exchange;
  }

  get lane(): Lane {
    return this.#exchange.parts.caller.lane;
  }

  run(): void {
    this.#exchange.deliverDue();
  }
}
