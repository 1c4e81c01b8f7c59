import { BufferType, DataAction, HeaderMapType, HeadersAction, StreamType } from "../abi/enums.ts";
import { Status, type StatusCode } from "../abi/status.ts";
import type { LocalResponse, PropertyAnswer } from "../abi/vm-host.ts";
import { pluginFailed } from "../http/refusing-filter.ts";
import type { HttpStream } from "../http/stream.ts";
import type { StreamFilter } from "../http/stream-filter.ts";
import type { Body } from "../state/body.ts";
import { lossyUtf8 } from "../state/bytes.ts";
import type { HeaderMap } from "../state/header-map.ts";
import { streamProperty } from "./attributes.ts";
import { Context } from "./context.ts";
import type { PluginHandle } from "./plugin-handle.ts";
import type { RootContext } from "./root-context.ts";

const stopAll = HeadersAction.StopAllIterationAndWatermark;
const stopTrailers = 1;

/**
 * A plugin's context in one stream: a filter towards the chain, a context towards the guest.
 *
 * The host keeps one pointer a map. It is set when the map's callback is entered, cleared when that callback
 * continues, and otherwise stays: that decides what host calls see.
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (decodeHeaders … encodeTrailers, log, onDestroy).
 */
export class StreamContext extends Context implements StreamFilter {
  readonly #handle: PluginHandle;
  readonly #root: RootContext;
  readonly #stream: HttpStream;
  #isCreated = false;
  #hasFailedStream = false;
  #hasReplyPending = false;
  #requestHeaders: HeaderMap | undefined;
  #requestTrailers: HeaderMap | undefined;
  #responseHeaders: HeaderMap | undefined;
  #responseTrailers: HeaderMap | undefined;
  #requestBody: Body | undefined;
  #responseBody: Body | undefined;
  /** Inside the last body callback of a direction, where asking for trailers makes them. */
  #lastBodyOf: "request" | "response" | null = null;

  constructor(handle: PluginHandle, root: RootContext, stream: HttpStream) {
    super(root.owner, root.owner.nextContextId(), root.plugin);
    this.#handle = handle;
    this.#root = root;
    this.#stream = stream;
    this.owner.contexts.set(this.id, this);
    handle.streamCount++;
  }

  get root(): RootContext {
    return this.#root;
  }

  onRequestHeaders(headers: HeaderMap, isEnd: boolean): number {
    this.#create();
    this.#requestHeaders = headers;
    const action = this.#headers("proxy_on_request_headers", headers, isEnd);
    if (action === HeadersAction.Continue) this.#requestHeaders = undefined;
    return action;
  }

  onRequestBody(body: Body, isEnd: boolean): number {
    if (!this.#isCreated) return DataAction.Continue;
    this.#requestBody = body;
    this.#lastBodyOf = isEnd ? "request" : null;
    const action = this.#data("proxy_on_request_body", body, isEnd);
    this.#lastBodyOf = null;
    if (action !== DataAction.StopIterationAndBuffer) this.#requestBody = undefined;
    return action;
  }

  onRequestTrailers(trailers: HeaderMap): number {
    if (!this.#isCreated) return 0;
    this.#requestTrailers = trailers;
    const action = this.#trailers("proxy_on_request_trailers", trailers);
    if (action === 0) this.#requestTrailers = undefined;
    return action;
  }

  onResponseHeaders(headers: HeaderMap, isEnd: boolean): number {
    if (!this.#isCreated || this.#isOwnFailure()) return HeadersAction.Continue;
    this.#responseHeaders = headers;
    const action = this.#headers("proxy_on_response_headers", headers, isEnd);
    if (action === HeadersAction.Continue) this.#responseHeaders = undefined;
    return action;
  }

  onResponseBody(body: Body, isEnd: boolean): number {
    if (!this.#isCreated || this.#isOwnFailure()) return DataAction.Continue;
    this.#responseBody = body;
    this.#lastBodyOf = isEnd ? "response" : null;
    const action = this.#data("proxy_on_response_body", body, isEnd);
    this.#lastBodyOf = null;
    if (action !== DataAction.StopIterationAndBuffer) this.#responseBody = undefined;
    return action;
  }

  onResponseTrailers(trailers: HeaderMap): number {
    if (!this.#isCreated || this.#isOwnFailure()) return 0;
    this.#responseTrailers = trailers;
    const action = this.#trailers("proxy_on_response_trailers", trailers);
    if (action === 0) this.#responseTrailers = undefined;
    return action;
  }

  /** A stream that never reached this filter gets its context only for the log. */
  onLog(): void {
    if (this.owner.isDead()) return;
    this.#create();
    this.isLogPhase = true;
    this.owner.call(this, "proxy_on_log", [this.id]);
    this.isLogPhase = false;
  }

  /** What on_done answers means nothing for a stream. */
  onDestroy(): void {
    if (this.#isCreated) {
      this.owner.call(this, "proxy_on_done", [this.id]);
      this.owner.call(this, "proxy_on_delete", [this.id]);
    }
    this.owner.contexts.delete(this.id);
    this.#handle.onStreamGone();
  }

  /** The host's 503 comes before anything the plugin has asked for in the same callback. */
  override onVmFailed(): void {
    if (!this.isLogPhase && !this.#stream.done) this.#failStream();
  }

  override headerMap(type: number, writable: boolean): HeaderMap | undefined {
    if (this.isLogPhase) return writable ? undefined : this.#loggedMap(type);
    switch (type) {
      case HeaderMapType.RequestHeaders:
        return this.#requestHeaders;
      case HeaderMapType.RequestTrailers:
        if (writable && this.#lastBodyOf === "request")
          this.#requestTrailers ??= this.#stream.makeTrailers(true);
        return this.#requestTrailers;
      case HeaderMapType.ResponseHeaders:
        return this.#responseHeaders;
      case HeaderMapType.ResponseTrailers:
        if (writable && this.#lastBodyOf === "response")
          this.#responseTrailers ??= this.#stream.makeTrailers(false);
        return this.#responseTrailers;
      default:
        return super.headerMap(type, writable);
    }
  }

  override buffer(type: number): Body | undefined {
    if (type === BufferType.RequestBody && this.#requestBody !== undefined)
      return this.#requestBody;
    if (type === BufferType.ResponseBody && this.#responseBody !== undefined)
      return this.#responseBody;
    return super.buffer(type);
  }

  override property(path: readonly Uint8Array[]): PropertyAnswer {
    const maps = {
      requestHeaders: this.headerMap(HeaderMapType.RequestHeaders, false),
      responseHeaders: this.headerMap(HeaderMapType.ResponseHeaders, false),
      responseTrailers: this.headerMap(HeaderMapType.ResponseTrailers, false),
    };
    return streamProperty(this, this.#stream, maps, path);
  }

  /** Kept under the path exactly as given; a real attribute never changes. */
  override setProperty(path: Uint8Array, value: Uint8Array): StatusCode {
    this.#stream.filterState.set(`wasm.${lossyUtf8(path)}`, value);
    return Status.Ok;
  }

  override sendLocalResponse(response: LocalResponse): void {
    super.sendLocalResponse(response);
    // The first of one callback wins; a later callback may answer anew.
    if (this.#hasReplyPending) return;
    this.#hasReplyPending = true;
    this.owner.defer(() => {
      this.#hasReplyPending = false;
      this.#stream.sendLocalReply(response);
    });
  }

  /** Request maps are gone at once, whichever direction goes on; the stream moves after the callback. */
  override continueStream(type: number): StatusCode {
    if (type === StreamType.Upstream) return Status.Unimplemented;
    if (type === StreamType.Downstream) return Status.Ok;
    this.#requestHeaders = this.#requestTrailers = this.#requestBody = undefined;
    this.owner.defer(() => {
      if (type === StreamType.Request) this.#stream.resumeRequest(this);
      else this.#stream.resumeResponse(this);
    });
    return Status.Ok;
  }

  override closeStream(type: number): void {
    if (type <= StreamType.Response) this.owner.defer(() => this.#stream.reset());
  }

  #create(): void {
    if (this.#isCreated) return;
    this.#isCreated = true;
    this.owner.call(this, "proxy_on_context_create", [this.id, this.#root.id]);
  }

  /** The reply that this very filter's failure made passes it without a callback. */
  #isOwnFailure(): boolean {
    return this.#hasFailedStream;
  }

  #failStream(): void {
    if (this.#hasFailedStream) return;
    this.#hasFailedStream = true;
    this.#stream.sendLocalReply(pluginFailed);
  }

  #hasNoVm(): boolean {
    if (!this.owner.isDead()) return false;
    this.#failStream();
    return true;
  }

  #headers(callback: string, headers: HeaderMap, isEnd: boolean): number {
    if (this.#hasNoVm()) return stopAll;
    const answer = this.owner.call(this, callback, [this.id, headers.count, isEnd ? 1 : 0]) >>> 0;
    if (this.owner.wasStopped || this.owner.isDead()) return stopAll;
    if (answer === HeadersAction.ContinueAndEndStream) return HeadersAction.Continue;
    if (answer === HeadersAction.StopIteration && !this.owner.group.keepsStopIteration)
      return stopAll;
    return Math.min(answer, stopAll);
  }

  #data(callback: string, body: Body, isEnd: boolean): number {
    if (this.#hasNoVm()) return DataAction.StopIterationNoBuffer;
    const answer = this.owner.call(this, callback, [this.id, body.size, isEnd ? 1 : 0]) >>> 0;
    if (this.owner.wasStopped || this.owner.isDead()) return DataAction.StopIterationNoBuffer;
    return Math.min(answer, DataAction.StopIterationNoBuffer);
  }

  #trailers(callback: string, trailers: HeaderMap): number {
    if (this.#hasNoVm()) return stopTrailers;
    const answer = this.owner.call(this, callback, [this.id, trailers.count]) >>> 0;
    if (this.owner.wasStopped || this.owner.isDead()) return stopTrailers;
    return Math.min(answer, stopTrailers);
  }

  #loggedMap(type: number): HeaderMap | undefined {
    if (type === HeaderMapType.RequestHeaders) return this.#stream.requestHeaders;
    if (type === HeaderMapType.ResponseHeaders) return this.#stream.responseHeaders;
    return type === HeaderMapType.ResponseTrailers
      ? this.#stream.responseTrailers
      : super.headerMap(type, false);
  }
}
