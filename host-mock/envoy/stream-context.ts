import { BufferType, DataAction, HeaderMapType, HeadersAction, StreamType } from "../abi/enums.ts";
import { Status, type StatusCode } from "../abi/status.ts";
import type { LocalResponse, PropertyAnswer } from "../abi/vm-host.ts";
import { pluginFailed } from "../http/refusing-filter.ts";
import type { HttpStream } from "../http/stream.ts";
import type { StreamFilter } from "../http/stream-filter.ts";
import type { HostList } from "../http/upstream-hosts.ts";
import { utf8 } from "../state/bytes.ts";
import { EnvoyCrash } from "../vm/trap.ts";
import type { Body } from "../state/body.ts";
import type { FilterState } from "../state/filter-state.ts";
import type { HeaderMap } from "../state/header-map.ts";
import { streamProperty } from "./attributes.ts";
import { Context } from "./context.ts";
import { higressProperty, higressSetProperty } from "./higress-properties.ts";
import type { Closable, PluginHandle } from "./plugin-handle.ts";
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
export class StreamContext extends Context implements StreamFilter, Closable {
  readonly #handle: PluginHandle;
  readonly #root: RootContext;
  readonly #stream: HttpStream;
  #isCreated = false;
  #hasFailedStream = false;
  /** Inside a callback whose failure is the stream's: those of headers, bodies and trailers. */
  #isFiltering = false;
  #hasReplyPending = false;
  #isClosing = false;
  #requestHeaders: HeaderMap | undefined;
  #requestTrailers: HeaderMap | undefined;
  #responseHeaders: HeaderMap | undefined;
  #responseTrailers: HeaderMap | undefined;
  /** The frame of the body callback that runs. */
  #requestBody: Body | undefined;
  #responseBody: Body | undefined;
  /** The last body callback answered StopIterationAndBuffer: the next one sees everything held. */
  readonly #buffers = { request: false, response: false };
  /** Inside the last body callback of a direction, where asking for trailers makes them. */
  #lastBodyOf: "request" | "response" | null = null;

  constructor(handle: PluginHandle, root: RootContext, stream: HttpStream) {
    super(root.owner, root.owner.nextContextId(), root.plugin);
    this.#handle = handle;
    this.#root = root;
    this.#stream = stream;
    this.owner.contexts.set(this.id, this);
    handle.streamCount++;
    handle.connections.add(this);
  }

  get listener(): string {
    return this.#stream.listener;
  }

  /** The connection that the request came on is closed. */
  close(isListenerGone: boolean): void {
    this.#stream.close(isListenerGone);
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
    const visible = this.#buffers.request ? this.#withHeld(true, body) : body;
    if (this.#stream.done) return DataAction.StopIterationAndBuffer;
    this.#requestBody = visible;
    this.#lastBodyOf = isEnd ? "request" : null;
    const action = this.#data("proxy_on_request_body", visible, isEnd);
    this.#lastBodyOf = null;
    this.#buffers.request = action === DataAction.StopIterationAndBuffer;
    this.#requestBody = undefined;
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
    const visible = this.#buffers.response ? this.#withHeld(false, body) : body;
    if (this.#stream.done) return DataAction.StopIterationAndBuffer;
    this.#responseBody = visible;
    this.#lastBodyOf = isEnd ? "response" : null;
    const action = this.#data("proxy_on_response_body", visible, isEnd);
    this.#lastBodyOf = null;
    this.#buffers.response = action === DataAction.StopIterationAndBuffer;
    this.#responseBody = undefined;
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
    this.#handle.connections.delete(this);
    this.#handle.onStreamGone();
  }

  /** The host's 503 comes before anything the plugin has asked for in the same callback. */
  override onVmFailed(): void {
    if (this.#isFiltering && !this.#stream.done) this.#failStream();
  }

  override headerMap(type: number, writable: boolean): HeaderMap | undefined {
    if (this.isLogPhase && !writable) return this.#loggedMap(type);
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

  /** The frame of the callback that runs, or what is held since it answered StopIterationAndBuffer. */
  protected override bufferOf(type: number): Body | undefined {
    if (type !== BufferType.RequestBody && type !== BufferType.ResponseBody)
      return super.bufferOf(type);
    const isRequest = type === BufferType.RequestBody;
    const frame = isRequest ? this.#requestBody : this.#responseBody;
    const isHeld = isRequest ? this.#buffers.request : this.#buffers.response;
    const held = isHeld ? this.#stream.heldBody(isRequest) : null;
    return frame ?? held ?? super.bufferOf(type);
  }

  /** A frame put to what is held already. */
  #withHeld(isRequest: boolean, frame: Body): Body {
    this.#stream.addHeld(isRequest, frame);
    return this.#stream.heldBody(isRequest) ?? frame;
  }

  override property(path: readonly Uint8Array[]): PropertyAnswer {
    const logged = (type: number) => (this.isLogPhase ? this.#loggedMap(type) : undefined);
    const maps = {
      requestHeaders: this.#requestHeaders ?? logged(HeaderMapType.RequestHeaders),
      responseHeaders: this.#responseHeaders ?? logged(HeaderMapType.ResponseHeaders),
      responseTrailers: this.#responseTrailers ?? logged(HeaderMapType.ResponseTrailers),
    };
    return higressProperty(this, path) ?? streamProperty(this, this.#stream, maps, path);
  }

  override setProperty(path: Uint8Array, value: Uint8Array): StatusCode {
    const known = higressSetProperty(this, this.#stream, path, value);
    return known ?? super.setProperty(path, value);
  }

  override injectEncodedData(bytes: Uint8Array, isEnd: boolean): void {
    this.#stream.injectResponseData(this, bytes, isEnd);
  }

  override upstreamHosts(): readonly (readonly [Uint8Array, Uint8Array])[] {
    return this.#hosts().map(([address, text]) => [utf8(address), utf8(text)]);
  }

  override setUpstreamOverrideHost(address: string): void {
    const isKnown = this.#hosts().some(([known]) => known === address);
    if (isKnown) this.#stream.info.upstreamHost = address;
  }

  #hosts(): HostList {
    const { upstreamHosts } = this.owner.thread.world.options;
    return upstreamHosts.get(this.#stream.info.route.cluster ?? "") ?? [];
  }

  override get filterState(): FilterState {
    return this.#stream.info.filterState;
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

  /**
   * Request maps are gone at once, whichever direction goes on; the stream moves after the callback. EnvoyCrash for an
   * answer that has not begun.
   */
  override continueStream(type: number): StatusCode {
    if (type === StreamType.Upstream) return Status.Unimplemented;
    if (type === StreamType.Downstream) return Status.Ok;
    const hasNoAnswer = !this.#stream.done && this.#stream.responseHeaders === undefined;
    if (type === StreamType.Response && hasNoAnswer)
      throw new EnvoyCrash("an answer is continued that has not begun");
    this.#requestHeaders = this.#requestTrailers = this.#requestBody = undefined;
    this.owner.defer(() => {
      // What comes after it is a frame of its own again.
      if (type === StreamType.Request) {
        this.#buffers.request = false;
        this.#stream.resumeRequest(this);
      } else {
        this.#buffers.response = false;
        this.#stream.resumeResponse(this);
      }
    });
    return Status.Ok;
  }

  /** Either direction's type ends the whole stream. EnvoyCrash where Envoy would close one that is gone by then. */
  override closeStream(type: number): void {
    if (type > StreamType.Response) return;
    if (this.isLogPhase) throw new EnvoyCrash("a stream is closed while it is being logged");
    if (this.#isClosing) throw new EnvoyCrash("a stream is closed twice in one callback");
    this.#isClosing = true;
    this.#stream.info.responseCodeDetails ??= "wasm_close_stream";
    this.owner.defer(() => {
      this.#isClosing = false;
      this.#stream.reset();
    });
  }

  #create(): void {
    if (this.#isCreated) return;
    this.owner.call(this, "proxy_on_context_create", [this.id, this.#root.id]);
    this.#isCreated = true;
  }

  /** The reply that this very filter's failure made passes it without a callback. */
  #isOwnFailure(): boolean {
    return this.#hasFailedStream;
  }

  /** With the older switch `failOpen` the stream goes on as it is; a failure policy means nothing for it. */
  #failStream(): void {
    if (this.#hasFailedStream || this.#handle.plugin.spec.failOpen) return;
    this.#hasFailedStream = true;
    this.#stream.sendLocalReply(pluginFailed);
  }

  #hasNoVm(): boolean {
    if (!this.owner.isDead()) return false;
    this.#failStream();
    return true;
  }

  #whenFailed(stopped: number): number {
    return this.#handle.plugin.spec.failOpen ? 0 : stopped;
  }

  #keepsStopIteration(): boolean {
    return (
      this.owner.group.keepsStopIteration || this.#handle.plugin.spec.allowOnHeadersStopIteration
    );
  }

  #call(callback: string, args: readonly number[]): number {
    this.#isFiltering = true;
    const answer = this.owner.call(this, callback, args) >>> 0;
    this.#isFiltering = false;
    return answer;
  }

  #headers(callback: string, headers: HeaderMap, isEnd: boolean): number {
    if (this.#hasNoVm()) return this.#whenFailed(stopAll);
    const answer = this.#call(callback, [this.id, headers.count, isEnd ? 1 : 0]);
    if (this.owner.wasFailed) return this.#whenFailed(stopAll);
    if (this.owner.wasStopped) return stopAll;
    if (answer === HeadersAction.ContinueAndEndStream) return HeadersAction.Continue;
    if (answer === HeadersAction.StopIteration && !this.#keepsStopIteration()) return stopAll;
    return Math.min(answer, stopAll);
  }

  #data(callback: string, body: Body, isEnd: boolean): number {
    if (this.#hasNoVm()) return this.#whenFailed(DataAction.StopIterationNoBuffer);
    const answer = this.#call(callback, [this.id, body.size, isEnd ? 1 : 0]);
    if (this.owner.wasFailed) return this.#whenFailed(DataAction.StopIterationNoBuffer);
    if (this.owner.wasStopped) return DataAction.StopIterationNoBuffer;
    return Math.min(answer, DataAction.StopIterationNoBuffer);
  }

  #trailers(callback: string, trailers: HeaderMap): number {
    if (this.#hasNoVm()) return this.#whenFailed(stopTrailers);
    const answer = this.#call(callback, [this.id, trailers.count]);
    if (this.owner.wasFailed) return this.#whenFailed(stopTrailers);
    if (this.owner.wasStopped) return stopTrailers;
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
