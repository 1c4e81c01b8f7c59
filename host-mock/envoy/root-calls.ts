import { BufferType, HeaderMapType } from "../abi/enums.ts";
import { Status, type StatusCode } from "../abi/status.ts";
import type { GrpcCallRequest, GrpcStreamRequest, HttpCallRequest } from "../abi/vm-host.ts";
import type { CallAnswer } from "../http/call-answer.ts";
import type { CallFate } from "../http/call-fate.ts";
import type { Caller, HttpCall } from "../http/callout.ts";
import type { DnsCaller } from "../http/dns.ts";
import type { GrpcCaller, GrpcExchange, GrpcKind } from "../http/grpc-exchange.ts";
import { Body } from "../state/body.ts";
import { noBytes, utf8 } from "../state/bytes.ts";
import type { HeaderMap } from "../state/header-map.ts";
import type { Context } from "./context.ts";
import { RootCaller } from "./root-caller.ts";

/** Status and token as a call gives them. */
export interface Started {
  readonly status: StatusCode;
  readonly token: number;
}

const brokenConnection = 11;
const tokenKindMask = 3;
/** The low two bits of a token. */
const tokenKinds = { http: 0, call: 1, stream: 2 } as const;

/**
 * HTTP and gRPC calls of one plugin context: what is under way, what its callbacks can read, and its last failure.
 *
 * | callback                                 | readable in it       |
 * | ---------------------------------------- | -------------------- |
 * | proxy_on_http_call_response              | maps 6 and 7, buffer 4 |
 * | proxy_on_grpc_receive_initial_metadata   | map 4                |
 * | proxy_on_grpc_receive                    | buffer 5             |
 * | proxy_on_grpc_receive_trailing_metadata  | map 5                |
 * | envoy_on_resolve_dns                     | buffer 8, and until the next of its kind |
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc`.
 */
export class RootCalls extends RootCaller implements Caller, GrpcCaller, DnsCaller {
  /** The code stays after the callback, the message does not. */
  lastFailure: { readonly code: number; readonly message: Uint8Array } = {
    code: 0,
    message: noBytes,
  };
  readonly #http = new Set<HttpCall>();
  readonly #grpc = new Map<number, GrpcExchange>();
  readonly #maps = new Map<number, HeaderMap>();
  readonly #buffers = new Map<number, Body>();

  headerMap(type: number): HeaderMap | undefined {
    return this.#maps.get(type);
  }

  buffer(type: number): Body | undefined {
    return this.#buffers.get(type);
  }

  nextCallToken(): number {
    return this.root.owner.tokens.next(tokenKinds.http);
  }

  nextGrpcToken(kind: GrpcKind): number {
    return this.root.owner.tokens.next(tokenKinds[kind]);
  }

  /** `proxy_http_call` of this context or one of its streams. */
  httpCall(from: Context, request: HttpCallRequest): Started {
    const { callouts } = this.root.owner.thread.world;
    const { status, token, call } = callouts.dispatch(this, from, request, this.#fate);
    if (call !== undefined) this.#http.add(call);
    return { status, token };
  }

  /** `proxy_grpc_call`. */
  grpcCall(from: Context, request: GrpcCallRequest): Started {
    return this.#start(from, "call", request);
  }

  /** `proxy_grpc_stream`. */
  grpcStream(from: Context, request: GrpcStreamRequest): Started {
    return this.#start(from, "stream", request);
  }

  /** `proxy_grpc_send`. BadArgument: no stream's token; NotFound. */
  grpcSend(token: number, message: Uint8Array, isEnd: boolean): StatusCode {
    if ((token & tokenKindMask) !== tokenKinds.stream) return Status.BadArgument;
    const exchange = this.#grpc.get(token);
    if (exchange === undefined) return Status.NotFound;
    this.#world.grpcCalls.send(exchange, message, isEnd, this.#heldNs);
    return Status.Ok;
  }

  /** `proxy_grpc_cancel`. BadArgument: no token of gRPC; NotFound. */
  grpcCancel(token: number): StatusCode {
    const found = this.#find(token);
    if (typeof found === "number") return found;
    this.#grpc.delete(token);
    this.#world.grpcCalls.cancel(found, "cancelled", this.#heldNs);
    return Status.Ok;
  }

  /** `proxy_grpc_close`: a call is cancelled, a stream's own side ends. BadArgument: no token of gRPC; NotFound. */
  grpcClose(token: number): StatusCode {
    const found = this.#find(token);
    if (typeof found === "number") return found;
    if (found.parts.kind === "call") return this.grpcCancel(token);
    if (found.isRemoteClosed) this.#grpc.delete(token);
    else this.#world.grpcCalls.halfClose(found, this.#heldNs);
    return Status.Ok;
  }

  /** `envoy_resolve_dns`. InvalidMemoryAccess when the token cannot be given. */
  resolveDns(name: string, giveToken: (token: number) => boolean): StatusCode {
    const token = this.root.owner.tokens.nextDns();
    if (!giveToken(token)) return Status.InvalidMemoryAccess;
    this.#world.dns.resolve(this, token, name);
    return Status.Ok;
  }

  /** No answer any more. */
  release(reason: string): void {
    const { callouts, grpcCalls } = this.#world;
    for (const call of this.#http) callouts.cancel(call, reason);
    for (const exchange of this.#grpc.values()) grpcCalls.cancel(exchange, reason, this.#heldNs);
    this.#http.clear();
    this.#grpc.clear();
  }

  onCallAnswered(call: HttpCall, answer: CallAnswer): void {
    this.#http.delete(call);
    const { id } = this.root;
    const name = "proxy_on_http_call_response";
    if (answer === null) {
      this.lastFailure = { code: brokenConnection, message: utf8("reset") };
      const args = [id, call.token, 0, 0, 0];
      this.root.owner.callThen(this.root, name, args, () => this.#forgetMessage());
      return;
    }
    const { headers, body, trailers } = answer;
    this.#maps.set(HeaderMapType.HttpCallResponseHeaders, headers);
    if (trailers !== undefined) this.#maps.set(HeaderMapType.HttpCallResponseTrailers, trailers);
    this.#buffers.set(BufferType.HttpCallResponseBody, new Body(body, true));
    const args = [id, call.token, headers.count, body.length, trailers?.count ?? 0];
    this.root.owner.callThen(this.root, name, args, () => {
      this.#maps.delete(HeaderMapType.HttpCallResponseHeaders);
      this.#maps.delete(HeaderMapType.HttpCallResponseTrailers);
      this.#buffers.delete(BufferType.HttpCallResponseBody);
    });
  }

  onGrpcInitialMetadata(token: number, metadata: HeaderMap): void {
    const type = HeaderMapType.GrpcReceiveInitialMetadata;
    this.#withMap(type, metadata, "proxy_on_grpc_receive_initial_metadata", token);
  }

  onGrpcTrailingMetadata(token: number, metadata: HeaderMap): void {
    const type = HeaderMapType.GrpcReceiveTrailingMetadata;
    this.#withMap(type, metadata, "proxy_on_grpc_receive_trailing_metadata", token);
  }

  onGrpcMessage(token: number, message: Uint8Array): void {
    this.#buffers.set(BufferType.GrpcReceive, new Body(message));
    this.#call("proxy_on_grpc_receive", [this.root.id, token, message.length]);
    this.#buffers.delete(BufferType.GrpcReceive);
    if ((token & tokenKindMask) === tokenKinds.call) this.#grpc.delete(token);
  }

  onDnsResolved(token: number, answer: Uint8Array): void {
    const { owner, id } = this.root;
    if (owner.isDead() || !owner.instance.has("envoy_on_resolve_dns")) return;
    this.root.showCallData(answer);
    owner.callThen(this.root, "envoy_on_resolve_dns", [id, token, answer.length]);
  }

  /** While the VM runs it waits for the end of that callback. */
  onGrpcClosed(token: number, status: number, message: Uint8Array): void {
    const { owner } = this.root;
    if (owner.isRunning) {
      owner.defer(() => this.onGrpcClosed(token, status, message));
      return;
    }
    if (owner.instance.has("proxy_on_grpc_close")) {
      this.lastFailure = { code: status, message };
      this.#call("proxy_on_grpc_close", [this.root.id, token, status]);
      this.#forgetMessage();
    }
    const exchange = this.#grpc.get(token);
    if (exchange?.parts.kind === "call" || exchange?.isLocalClosed) this.#grpc.delete(token);
  }

  get #world() {
    return this.root.owner.thread.world;
  }

  readonly #fate = (cluster: string): CallFate => this.root.owner.thread.callFate(cluster);
  readonly #heldNs = (cluster: string): number => this.#fate(cluster).heldNs;

  #start(from: Context, kind: GrpcKind, request: GrpcStreamRequest | GrpcCallRequest): Started {
    const { grpcCalls } = this.#world;
    const started = grpcCalls.start(this, from, { kind, ...request }, this.#heldNs);
    const { status, token, exchange } = started;
    if (exchange !== undefined) this.#grpc.set(token, exchange);
    return { status, token };
  }

  #find(token: number): GrpcExchange | StatusCode {
    const kind = token & tokenKindMask;
    if (kind !== tokenKinds.call && kind !== tokenKinds.stream) return Status.BadArgument;
    return this.#grpc.get(token) ?? Status.NotFound;
  }

  #withMap(type: number, map: HeaderMap, callback: string, token: number): void {
    this.#maps.set(type, map);
    this.#call(callback, [this.root.id, token, map.count]);
    this.#maps.delete(type);
  }

  #call(callback: string, args: readonly number[]): void {
    this.root.owner.call(this.root, callback, args);
  }

  #forgetMessage(): void {
    this.lastFailure = { code: this.lastFailure.code, message: noBytes };
  }
}
