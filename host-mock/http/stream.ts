import type { Body } from "../state/body.ts";
import { noBytes } from "../state/bytes.ts";
import { HeaderMap } from "../state/header-map.ts";
import { Alarm } from "./alarm.ts";
import { isHttp1, isUpgrade, sentHeaders, takeIn, whyRefused } from "./client-headers.ts";
import { ClientSide } from "./client-side.ts";
import type { UpstreamOptions } from "./exchange.ts";
import { FilterChain, type ChainOptions } from "./filter-chain.ts";
import { known } from "./header-names.ts";
import {
  asLocalReply,
  forbiddenUpgrade,
  isStatus,
  missingStatus,
  tooLargeAnswer,
  tooLargeRequest,
  type HostReply,
} from "./host-reply.ts";
import { httpDate } from "./http-date.ts";
import { isGrpcRequest, makeLocalReply, type LocalReply } from "./local-reply.ts";
import { takeTarget } from "./request-head.ts";
import { StreamExchange, type StreamOptions } from "./stream-exchange.ts";
import { requestCallbacks, responseCallbacks, type StreamFilter } from "./stream-filter.ts";
import { codeDetails, ResponseFlag } from "./stream-info.ts";
import { UpstreamSide, type UpstreamEvents } from "./upstream-side.ts";

/**
 * One request on its way from the client through the filters to the upstream, and the answer's way back.
 *
 *     ClientSide ─▶ FilterChain ─▶ UpstreamSide
 *         ◀─────── FilterChain ◀───────┘          a local reply enters at the lower right, or goes past the filters
 *
 * Source: Envoy `source/common/http/conn_manager_impl.cc`, `filter_manager.cc` (sendLocalReply and its three forms).
 */
export class HttpStream extends StreamExchange implements UpstreamEvents {
  responseHeaders: HeaderMap | undefined;
  readonly #options: StreamOptions;
  readonly #sent: HeaderMap;
  /** The connection manager has taken the request's headers. */
  #hasTakenIn = false;
  readonly #isUpgrade: boolean;
  protected override readonly client: ClientSide;
  protected override readonly router: UpstreamSide;
  #idle: Alarm | undefined;
  #filters: readonly StreamFilter[] = noFilters;
  #requestChain: FilterChain<StreamFilter> | undefined;
  #responseChain: FilterChain<StreamFilter> | undefined;
  /** A reply that a filter of the request has asked for, until its callback is over. */
  #prepared: LocalReply | undefined;
  #hasBegun = false;

  constructor(options: StreamOptions) {
    super(options);
    const { request, lane, scheduler } = options;
    this.#options = options;
    this.#sent = sentHeaders(request);
    this.#isUpgrade = isHttp1(request) && isUpgrade(this.#sent);
    this.client = this.#makeClient();
    this.router = this.#makeUpstream();
    this.#idle = new Alarm({ lane, scheduler }, () => this.#onIdle());
  }

  /** Undefined when the codec did not take them. */
  get requestHeaders(): HeaderMap | undefined {
    return this.#hasTakenIn ? this.#sent : undefined;
  }

  get responseTrailers(): HeaderMap | undefined {
    return this.#responseChain?.trailers;
  }

  override abandon(): void {
    if (this.done) return;
    this.info.responseFlags |= ResponseFlag.DownstreamConnectionTermination;
    this.reset("downstream_remote_disconnect");
  }

  /** Envoy closes the connection that the request came on: its drain is over. */
  close(isListenerGone: boolean): void {
    if (this.done) return;
    this.info.responseFlags |= ResponseFlag.DownstreamConnectionTermination;
    const why = isListenerGone
      ? "purging_socket_that_have_not_progressed_to_connections"
      : "filter_chain_is_being_removed";
    this.reset(`downstream_local_disconnect(${why})`);
  }

  /** The thread's loop takes the request up: everything that needs no waiting happens now. */
  begin(makeFilters: () => readonly StreamFilter[]): void {
    if (this.done) return;
    this.noteStart(this.#options);
    const { listener, requestId } = this.#options;
    const refusal = whyRefused(this.#sent, this.protocol, listener);
    // An HTTP/2 codec resets the stream before anybody hears of it.
    if (refusal !== null && this.protocol === "HTTP/2") {
      this.reset();
      return;
    }
    this.#hasBegun = true;
    this.#filters = makeFilters();
    this.#makeChains();
    if (refusal !== null) {
      this.#replyOfHost(refusal);
      return;
    }
    const rejection = isHttp1(this.#options.request) ? takeTarget(this.#sent) : null;
    if (rejection === null) takeIn(this.#sent, requestId);
    this.#hasTakenIn = true;
    if (rejection !== null || (this.#isUpgrade && !listener.allowUpgrade)) {
      this.#replyOfHost(rejection ?? forbiddenUpgrade);
      return;
    }
    const { endsAtHeaders } = this.client;
    this.#requestChain!.passHeaders(this.#sent, endsAtHeaders);
    // An upgrade has a body of which nothing has come yet.
    if (this.#isUpgrade) this.#requestChain?.passData(noBytes, false);
    else if (!endsAtHeaders && !this.done) this.client.start();
    this.#touch();
  }

  /** Source: Envoy `context.cc` (continueStream); the answer to a stream that has ended is nothing. */
  resumeRequest(filter: StreamFilter): void {
    this.#resume(this.#requestChain, filter, "request");
  }

  resumeResponse(filter: StreamFilter): void {
    this.#resume(this.#responseChain, filter, "response");
  }

  #resume(
    chain: FilterChain<StreamFilter> | undefined,
    filter: StreamFilter,
    direction: string,
  ): void {
    if (this.done) return;
    this.#touch();
    if (chain?.resume(filter) === false) this.recordIgnoredContinue(direction);
  }

  /** Makes the trailers of a direction for a filter in its last body callback. */
  makeTrailers(isRequest: boolean): HeaderMap {
    const chain = this.#chain(isRequest);
    chain.trailers ??= new HeaderMap(isRequest ? "requestTrailers" : "responseTrailers");
    return chain.trailers;
  }

  /** The body that stopped filters hold in a direction; null when none does. */
  heldBody(isRequest: boolean): Body | null {
    return (isRequest ? this.#requestChain : this.#responseChain)?.held.body ?? null;
  }

  /** How many bytes of a direction's body may be held from now on; 0: any number. */
  setBufferLimit(direction: "request" | "response", limitBytes: number): void {
    if (!this.done) this.#chain(direction === "request").held.limitBytes = limitBytes;
  }

  /** Response data past a filter, at once. */
  injectResponseData(filter: StreamFilter, bytes: Uint8Array, isEnd: boolean): void {
    if (!this.done) this.#responseChain?.inject(filter, bytes, isEnd);
  }

  /** A filter that buffers a direction puts a frame to what is held. */
  addHeld(isRequest: boolean, frame: Body): void {
    this.#chain(isRequest).addData(frame);
  }

  /**
   * Before the response has begun it goes through all response filters; before its headers were sent it goes to the
   * client past them; after that the stream is reset.
   */
  sendLocalReply(reply: LocalReply, isOfRouter = false): void {
    if (this.done) return;
    const request = this.#chain(true);
    const response = this.#chain(false);
    this.info.responseCodeDetails = codeDetails(reply.details);
    if (request.isInCallback) request.isAborted = true;
    else if (response.isInCallback) response.isAborted = true;
    if (this.client.headers !== undefined) this.reset();
    else if (this.responseHeaders !== undefined) this.#replyDirectly(reply);
    else if (request.isInCallback && !isOfRouter) this.#prepared ??= reply;
    else this.#replyThroughFilters(reply);
  }

  /** The client sees its connection or stream break. */
  reset(details?: string): void {
    if (this.done) return;
    if (details !== undefined) this.info.responseCodeDetails ??= details;
    this.client.isReset = true;
    this.status = null;
    this.#end();
  }

  /** What stopped filters may hold of a body. */
  get #limitBytes(): number {
    const { listener } = this.#options;
    return this.protocol === "HTTP/2" ? http2WindowBytes : listener.bufferLimitBytes;
  }

  #chain(isRequest: boolean): FilterChain<StreamFilter> {
    return (isRequest ? this.#requestChain : this.#responseChain)!;
  }

  #makeClient(): ClientSide {
    const { lane, scheduler, request } = this.#options;
    const isConnect = isHttp1(request) && request.method === "CONNECT";
    return new ClientSide(
      {
        lane,
        scheduler,
        request,
        isUpgrade: this.#isUpgrade || isConnect,
        limitBytes: this.#limitBytes,
        onData: (bytes, isEnd) => {
          this.#touch();
          this.info.receivedBytes += bytes.length;
          this.#requestChain?.passData(bytes, isEnd);
        },
        onTrailers: (trailers) => {
          this.#touch();
          this.#requestChain?.passTrailers(trailers);
        },
      },
      this.#sent,
    );
  }

  #makeUpstream(): UpstreamSide {
    const { lane, scheduler, listener, request } = this.#options;
    return new UpstreamSide({
      lane,
      scheduler,
      listener,
      options: request.upstream ?? noOptions,
      info: this.info,
      isUpgrade: this.#isUpgrade,
      events: this,
    });
  }

  #makeChains(): void {
    const options = (isRequest: boolean, reply: HostReply): ChainOptions => ({
      isRequest,
      limitBytes: this.#limitBytes,
      onTooMuch: () => this.#replyOfHost(reply),
      onPressure: (isHigh) => (isRequest ? this.client : this.router).onPressure(isHigh),
      onAborted: () => this.#replyPrepared(),
      isOver: () => isRequest && this.#responseChain!.hasSeenEnd,
    });
    const forRequest = options(true, tooLargeRequest);
    this.#requestChain = new FilterChain(this.#filters, requestCallbacks, this.router, forRequest);
    this.#responseChain = new FilterChain(
      [...this.#filters].reverse(),
      responseCallbacks,
      {
        headers: (headers, isEnd) => this.#toClient(headers, isEnd),
        data: (bytes, isEnd) => this.#dataToClient(bytes, isEnd),
        trailers: (trailers) => {
          this.client.trailers = trailers.clone();
          this.#end();
        },
      },
      options(false, tooLargeAnswer),
    );
  }

  onAnswer(headers: HeaderMap, isEnd: boolean): void {
    if (this.done || this.responseHeaders !== undefined) return;
    this.#touch();
    this.responseHeaders = headers;
    this.info.responseCode = Number(headers.text(known.status));
    this.info.responseCodeDetails = "via_upstream";
    this.#chain(false).passHeaders(headers, isEnd);
  }

  onAnswerData(bytes: Uint8Array, isEnd: boolean): void {
    this.#touch();
    this.#responseChain?.passData(bytes, isEnd);
  }

  onAnswerTrailers(trailers: HeaderMap): void {
    this.#touch();
    this.#responseChain?.passTrailers(trailers);
  }

  onFailure(reply: HostReply): void {
    this.#replyOfHost(reply, true);
  }

  onBroken(details: string, flag: number): void {
    this.info.responseFlags |= flag;
    this.info.responseCodeDetails = details;
    this.reset();
  }

  onHangUp(): void {
    if (!this.done) this.#end();
  }

  #replyPrepared(): void {
    const reply = this.#prepared;
    this.#prepared = undefined;
    if (reply !== undefined && !this.done) this.#replyThroughFilters(reply);
  }

  #replyThroughFilters(reply: LocalReply): void {
    const { headers, body } = this.#makeReply(reply);
    const chain = this.#chain(false);
    const isEmpty = body.length === 0;
    chain.passHeaders(headers, isEmpty);
    if (!isEmpty) chain.passData(body, true);
  }

  #replyDirectly(reply: LocalReply): void {
    const { headers, body } = this.#makeReply(reply);
    const isEmpty = body.length === 0;
    this.#toClient(headers, isEmpty);
    if (!isEmpty && !this.done) this.#dataToClient(body, true);
  }

  #makeReply(reply: LocalReply): { headers: HeaderMap; body: Uint8Array } {
    const made = makeLocalReply(reply, {
      isGrpc: isGrpcRequest(this.#sent),
      isHead: this.#sent.text(known.method) === "HEAD",
    });
    this.local = true;
    this.responseHeaders = made.headers;
    this.info.responseCode = Number(made.headers.text(known.status));
    this.#touch();
    return made;
  }

  /** The router is the last filter of a request: its reply does not wait for a callback around it. */
  #replyOfHost(reply: HostReply, isOfRouter = false): void {
    this.info.responseFlags |= reply.flag;
    this.sendLocalReply(asLocalReply(reply), isOfRouter);
  }

  #toClient(headers: HeaderMap, isEnd: boolean): void {
    if (this.done) return;
    const status = headers.text(known.status);
    if (status === undefined || !isStatus(status)) {
      this.#chain(false).isAborted = true;
      this.#replyOfHost(missingStatus);
      return;
    }
    const isSwitched = this.#isUpgrade && status === "101";
    this.client.takeHeaders(headers, {
      date: httpDate(this.#options.wallClock.wallNs),
      isEnd,
      isSwitched,
      isRequestWhole: this.#chain(true).hasSeenEnd,
    });
    this.status = this.receivedStatus = Number(status);
    this.info.responseCode = this.status;
    if (isEnd) this.#end();
  }

  #dataToClient(bytes: Uint8Array, isEnd: boolean): void {
    if (this.done) return;
    if (bytes.length > 0) this.client.chunks.push(bytes);
    this.info.sentBytes += bytes.length;
    if (isEnd) this.#end();
  }

  /** Something moves: the idle timeout begins anew. */
  #touch(): void {
    const { listener, scheduler } = this.#options;
    if (!this.done && this.#hasBegun && listener.idleTimeoutNs > 0)
      this.#idle?.set(scheduler.nowNs + listener.idleTimeoutNs);
  }

  #onIdle(): void {
    const status = this.#chain(true).hasSeenEnd ? 504 : 408;
    this.#replyOfHost({ status, text: "stream timeout", details: "stream_idle_timeout", flag: 0 });
  }

  #end(): void {
    this.done = true;
    this.info.completedNs = this.#options.scheduler.nowNs;
    this.client.stop();
    this.router.close();
    this.#idle?.clear();
    this.#idle = undefined;
    if (this.#requestChain !== undefined) this.#requestChain.isAborted = true;
    if (this.#responseChain !== undefined) this.#responseChain.isAborted = true;
    this.recordEnd(this.#options.request.expect);
    if (!this.#hasBegun) return;
    for (const filter of this.#filters) filter.onLog();
    for (const filter of this.#filters) filter.onDestroy();
    // An exchange outlives its VM, whose memory must not be held by it.
    this.#filters = noFilters;
    this.#requestChain = this.#responseChain = undefined;
  }
}

const noOptions: UpstreamOptions = {};
const noFilters: readonly StreamFilter[] = [];

/** Source: Envoy `source/common/http/utility.cc` (DEFAULT_INITIAL_STREAM_WINDOW_SIZE). */
const http2WindowBytes = 16 * 1024 * 1024;
