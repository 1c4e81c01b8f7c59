import { utf8 } from "../state/bytes.ts";
import { HeaderMap } from "../state/header-map.ts";
import { parseDuration } from "../time/duration.ts";
import { EventClass } from "../time/event-queue.ts";
import type { TraceArgs, TraceSubject, TraceValue } from "../trace/event.ts";
import { HostEvent } from "../trace/names.ts";
import type { Recorder } from "../trace/recorder.ts";
import type { Exchange, RequestOptions, UpstreamOptions } from "./exchange.ts";
import { FilterChain } from "./filter-chain.ts";
import { isGrpcRequest, makeLocalReply, type LocalReply } from "./local-reply.ts";
import { framesOf, joinedBytes, pairsOf, shownHeaders, type ShownHeaders } from "./pairs.ts";
import type { DueEvent, Lane, Scheduler } from "./scheduler.ts";
import type { StreamFilter } from "./stream-filter.ts";

export interface StreamOptions {
  readonly id: number;
  readonly lane: Lane;
  readonly scheduler: Scheduler;
  readonly recorder: Recorder;
  readonly request: RequestOptions;
  /** Deterministic: what Envoy would draw for `x-request-id`. */
  readonly requestId: string;
  readonly wallClock: { readonly wallNs: bigint };
}

interface Received {
  headers: HeaderMap | undefined;
  readonly chunks: Uint8Array[];
  trailers: HeaderMap | undefined;
}

const noFrame = new Uint8Array(0);
const resetBody =
  "upstream connect error or disconnect/reset before headers. reset reason: connection termination";

/**
 * One request on its way through the filters to the mock upstream, and the answer's way back.
 *
 * Source: Envoy `source/common/http/conn_manager_impl.cc`, `filter_manager.cc` (sendLocalReply and its three forms).
 */
export class HttpStream implements Exchange {
  readonly id: number;
  readonly thread: string;
  readonly startedNs: number;
  /** The wall clock when the thread's loop took the request up. */
  startedWallNs: bigint;
  readonly requestHeaders: HeaderMap;
  /** What `proxy_set_property` stored, by name: shared by all plugins of the stream. */
  readonly filterState = new Map<string, Uint8Array>();
  responseHeaders: HeaderMap | undefined;
  done = false;
  status: number | null = null;
  local = false;
  /** Body bytes received from the client so far. */
  receivedBytes = 0;
  readonly #options: StreamOptions;
  readonly #upstreamSide: Received = { headers: undefined, chunks: [], trailers: undefined };
  readonly #clientSide: Received = { headers: undefined, chunks: [], trailers: undefined };
  #filters: readonly StreamFilter[] = [];
  #requestChain: FilterChain<StreamFilter> | undefined;
  #responseChain: FilterChain<StreamFilter> | undefined;
  #hasBegun = false;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.id = options.id;
    this.thread = options.lane.name;
    this.startedNs = options.scheduler.nowNs;
    this.startedWallNs = options.wallClock.wallNs;
    this.requestHeaders = requestHeadersOf(options.request, options.requestId);
    this.#record(HostEvent.requestStarted, {
      method: options.request.method ?? "GET",
      path: options.request.path ?? "/",
      headers: pairsOf(options.request.headers),
      body: joinedBytes(framesOf(options.request.body)),
    });
  }

  get headers(): ShownHeaders {
    return shownHeaders(this.#clientSide.headers, { pseudo: false });
  }

  get body(): Uint8Array {
    return joinedBytes(this.#clientSide.chunks);
  }

  get trailers(): ShownHeaders {
    return shownHeaders(this.#clientSide.trailers);
  }

  get upstream(): Exchange["upstream"] {
    const { headers, chunks, trailers } = this.#upstreamSide;
    if (headers === undefined) return null;
    return {
      headers: shownHeaders(headers),
      body: joinedBytes(chunks),
      trailers: shownHeaders(trailers),
    };
  }

  get requestTrailers(): HeaderMap | undefined {
    return this.#requestChain?.trailers;
  }

  get responseTrailers(): HeaderMap | undefined {
    return this.#responseChain?.trailers;
  }

  text(): string {
    return new TextDecoder().decode(this.body);
  }

  abandon(): void {
    if (this.done) return;
    this.reset();
  }

  /** The thread's loop takes the request up: everything that needs no waiting happens now. */
  begin(filters: readonly StreamFilter[]): void {
    if (this.done) return;
    this.#hasBegun = true;
    this.startedWallNs = this.#options.wallClock.wallNs;
    this.#filters = filters;
    this.#requestChain = new FilterChain(filters, requestCallbacks, {
      headers: (headers, isEnd) => this.#toUpstream({ headers, isEnd }),
      data: (bytes, isEnd) => this.#toUpstream({ bytes, isEnd }),
      trailers: (trailers) => this.#toUpstream({ trailers, isEnd: true }),
    });
    this.#responseChain = new FilterChain([...filters].reverse(), responseCallbacks, {
      headers: (headers, isEnd) => this.#toClient({ headers, isEnd }),
      data: (bytes, isEnd) => this.#toClient({ bytes, isEnd }),
      trailers: (trailers) => this.#toClient({ trailers, isEnd: true }),
    });
    const { request } = this.#options;
    const frames = framesOf(request.body);
    const trailers = pairsOf(request.trailers);
    const chain = this.#requestChain;
    chain.passHeaders(this.requestHeaders, frames.length === 0 && trailers.length === 0);
    for (const frame of frames) {
      this.receivedBytes += frame.length;
      chain.passData(frame, false);
    }
    if (trailers.length > 0) chain.passTrailers(HeaderMap.from(trailers, "requestTrailers"));
    else if (frames.length > 0) chain.passData(noFrame, true);
  }

  /** Source: Envoy `context.cc` (continueStream); the answer to a stream that has ended is nothing. */
  resumeRequest(filter: StreamFilter): void {
    if (!this.done && this.responseHeaders === undefined)
      this.#resume(this.#requestChain, filter, "request");
  }

  resumeResponse(filter: StreamFilter): void {
    if (!this.done) this.#resume(this.#responseChain, filter, "response");
  }

  #resume(
    chain: FilterChain<StreamFilter> | undefined,
    filter: StreamFilter,
    direction: string,
  ): void {
    if (chain?.resume(filter) === false) this.#record(HostEvent.continueIgnored, { direction });
  }

  /** Makes the trailers of a direction for a filter in its last body callback. */
  makeTrailers(isRequest: boolean): HeaderMap {
    const chain = (isRequest ? this.#requestChain : this.#responseChain)!;
    chain.trailers ??= new HeaderMap(isRequest ? "requestTrailers" : "responseTrailers");
    return chain.trailers;
  }

  /**
   * Before the response has begun it goes through all response filters; before its headers were sent it goes to the
   * client past them; after that the stream is reset.
   */
  sendLocalReply(reply: LocalReply): void {
    if (this.done) return;
    if (this.#clientSide.headers !== undefined) {
      this.reset();
      return;
    }
    const made = makeLocalReply(reply, {
      isGrpc: isGrpcRequest(this.requestHeaders),
      isHead: this.requestHeaders.text(":method") === "HEAD",
    });
    this.local = true;
    this.#requestChain!.isAborted = true;
    const chain = this.#responseChain!;
    const isFirst = this.responseHeaders === undefined;
    this.responseHeaders = made.headers;
    if (isFirst) {
      chain.passHeaders(made.headers, made.body.length === 0);
      if (made.body.length > 0) chain.passData(made.body, true);
      return;
    }
    chain.isAborted = true;
    this.#toClient({ headers: made.headers, isEnd: made.body.length === 0 });
    if (made.body.length > 0) this.#toClient({ bytes: made.body, isEnd: true });
  }

  /** The client sees the connection break. */
  reset(): void {
    if (this.done) return;
    this.status = null;
    this.#end();
  }

  #toUpstream(part: Part): void {
    const side = this.#upstreamSide;
    if (part.headers !== undefined) {
      const missing = [":method", ":path"].find((name) => !part.headers!.has(name));
      if (missing !== undefined) {
        this.#replyOfHost(503, `missing required header: ${missing}`);
        return;
      }
      side.headers = part.headers.clone();
    }
    if (part.bytes !== undefined && part.bytes.length > 0) side.chunks.push(part.bytes);
    if (part.trailers !== undefined) side.trailers = part.trailers.clone();
    if (!part.isEnd) return;
    this.#record(HostEvent.requestUpstream, {
      headers: shownHeaders(side.headers),
      body: joinedBytes(side.chunks),
    });
    const upstream = this.#options.request.upstream ?? {};
    const delayNs =
      "delay" in upstream && upstream.delay !== undefined ? parseDuration(upstream.delay) : 0;
    const { scheduler, lane } = this.#options;
    scheduler.schedule(
      new UpstreamAnswer(lane, () => this.#answer(upstream)),
      scheduler.nowNs + delayNs,
    );
  }

  #answer(upstream: UpstreamOptions): void {
    if (this.done || this.responseHeaders !== undefined) return;
    if ("fail" in upstream) {
      this.#replyOfHost(503, resetBody);
      return;
    }
    const isHead = this.requestHeaders.text(":method") === "HEAD";
    const frames = isHead ? [] : framesOf(upstream.body);
    const trailers = pairsOf(upstream.trailers);
    const headers = HeaderMap.from(
      [[":status", String(upstream.status ?? 200)], ...pairsOf(upstream.headers)],
      "response",
    );
    const sizeBytes = frames.reduce((size, frame) => size + frame.length, 0);
    if (sizeBytes > 0 && trailers.length === 0 && !headers.has("content-length")) {
      headers.add("content-length", String(sizeBytes));
    }
    this.responseHeaders = headers;
    const chain = this.#responseChain!;
    chain.passHeaders(headers, frames.length === 0 && trailers.length === 0);
    for (const frame of frames) chain.passData(frame, false);
    if (trailers.length > 0) chain.passTrailers(HeaderMap.from(trailers, "responseTrailers"));
    else if (frames.length > 0) chain.passData(noFrame, true);
  }

  #toClient(part: Part): void {
    if (this.done) return;
    const side = this.#clientSide;
    if (part.headers !== undefined) {
      const status = part.headers.text(":status");
      if (status === undefined) {
        if (this.#responseChain !== undefined) this.#responseChain.isAborted = true;
        this.local = true;
        const body = utf8("missing required header: :status");
        const made = makeLocalReply(
          { status: 502, body, headers: [], grpcStatus: -1 },
          noSituation,
        );
        this.#toClient({ headers: made.headers, isEnd: false });
        this.#toClient({ bytes: made.body, isEnd: true });
        return;
      }
      side.headers = part.headers.clone();
      this.status = Number(status);
    }
    if (part.bytes !== undefined && part.bytes.length > 0) side.chunks.push(part.bytes);
    if (part.trailers !== undefined) side.trailers = part.trailers.clone();
    if (part.isEnd) this.#end();
  }

  #replyOfHost(status: number, text: string): void {
    this.sendLocalReply({ status, body: utf8(text), headers: [], grpcStatus: -1 });
  }

  #end(): void {
    this.done = true;
    if (this.#requestChain !== undefined) this.#requestChain.isAborted = true;
    if (this.#responseChain !== undefined) this.#responseChain.isAborted = true;
    const { expect } = this.#options.request;
    this.#record(
      HostEvent.requestEnded,
      {
        headers: this.headers,
        body: this.body,
        local: this.local,
        ...(expect === undefined ? {} : { expect: expect.status }),
      },
      this.status,
    );
    if (!this.#hasBegun) return;
    for (const filter of this.#filters) filter.onLog();
    for (const filter of this.#filters) filter.onDestroy();
    // An exchange outlives its VM, whose memory must not be held by it.
    this.#filters = [];
    this.#requestChain = this.#responseChain = undefined;
  }

  #record(name: string, args: TraceArgs, result: TraceValue = null): void {
    const subject: TraceSubject = { thread: this.thread, vm: "", plugin: "", context: 0 };
    this.#options.recorder.record(
      subject,
      "timer",
      name,
      { request: this.id, ...args },
      null,
      result,
    );
  }
}

interface Part {
  readonly headers?: HeaderMap;
  readonly bytes?: Uint8Array;
  readonly trailers?: HeaderMap;
  readonly isEnd: boolean;
}

const noSituation = { isGrpc: false, isHead: false };

const requestCallbacks = {
  headers: (filter: StreamFilter, headers: HeaderMap, isEnd: boolean) =>
    filter.onRequestHeaders(headers, isEnd),
  data: (filter: StreamFilter, ...body: Parameters<StreamFilter["onRequestBody"]>) =>
    filter.onRequestBody(...body),
  trailers: (filter: StreamFilter, trailers: HeaderMap) => filter.onRequestTrailers(trailers),
};

const responseCallbacks = {
  headers: (filter: StreamFilter, headers: HeaderMap, isEnd: boolean) =>
    filter.onResponseHeaders(headers, isEnd),
  data: (filter: StreamFilter, ...body: Parameters<StreamFilter["onResponseBody"]>) =>
    filter.onResponseBody(...body),
  trailers: (filter: StreamFilter, trailers: HeaderMap) => filter.onResponseTrailers(trailers),
};

class UpstreamAnswer implements DueEvent {
  readonly class = EventClass.answer;
  readonly lane: Lane;
  readonly run: () => void;

  constructor(lane: Lane, run: () => void) {
    this.lane = lane;
    this.run = run;
  }
}

function requestHeadersOf(request: RequestOptions, requestId: string): HeaderMap {
  const given = pairsOf(request.headers);
  const named = (wanted: string) => given.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const headers = HeaderMap.from(
    [
      [":authority", named(":authority") ?? named("host") ?? "localhost"],
      [":path", request.path ?? "/"],
      [":method", request.method ?? "GET"],
      [":scheme", named(":scheme") ?? "http"],
    ],
    "request",
  );
  for (const [name, value] of given) {
    const lower = name.toLowerCase();
    if (lower !== "host" && !lower.startsWith(":")) headers.add(name, value);
  }
  const sizeBytes = framesOf(request.body).reduce((size, frame) => size + frame.length, 0);
  const isChunked = headers.has("transfer-encoding") || pairsOf(request.trailers).length > 0;
  if (sizeBytes > 0 && !isChunked && !headers.has("content-length")) {
    headers.add("content-length", String(sizeBytes));
  }
  if (!headers.has("x-forwarded-proto")) headers.add("x-forwarded-proto", "http");
  if (!headers.has("x-request-id")) headers.add("x-request-id", requestId);
  return headers;
}
