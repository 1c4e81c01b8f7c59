import { DataAction, HeadersAction } from "../abi/enums.ts";
import { Body } from "../state/body.ts";
import type { HeaderMap } from "../state/header-map.ts";
import { HeldBody } from "./held-body.ts";

/** What passes through a chain: one direction of one stream, as one filter sees it. */
export interface ChainCallbacks<Filter> {
  /** Each answers a filter status; the numbers are the ABI's actions. */
  headers(filter: Filter, headers: HeaderMap, isEnd: boolean): number;
  data(filter: Filter, body: Body, isEnd: boolean): number;
  trailers(filter: Filter, trailers: HeaderMap): number;
}

/** What stands behind the last filter: the upstream, or the client. */
export interface ChainSink {
  headers(headers: HeaderMap, isEnd: boolean): void;
  data(bytes: Uint8Array, isEnd: boolean): void;
  trailers(trailers: HeaderMap): void;
}

export interface ChainOptions {
  /** Filters made trailers: a request's go on past a filter that holds the body, an answer's wait with it. */
  readonly isRequest: boolean;
  /** Bytes of body that may be held; 0: any number. */
  readonly limitBytes: number;
  /** More was held than may be, by a filter that asked to buffer: 413 or 500. */
  onTooMuch(): void;
  /** More was held than should be, by a filter that asked for back pressure; or no longer. */
  onPressure(isHigh: boolean): void;
  /** A filter's callback is over, inside which the chain was aborted. */
  onAborted(): void;
  /** What comes from outside is dropped, though the chain was not aborted: the answer is complete. */
  isOver(): boolean;
}

/** `single`: body callbacks still come. The other two: nothing comes until the filter is resumed. */
type Stop = "no" | "single" | "all";

/** One filter's place in one direction. */
interface Stage<Filter> {
  readonly filter: Filter;
  stop: Stop;
  /** Stopped with back pressure in mind, not with a limit. */
  isStreaming: boolean;
  hasPassedHeaders: boolean;
  /** The end has been shown to the filter. */
  hasShownEnd: boolean;
  /** Being resumed: a second continue meanwhile lets go what is held once more. */
  isResuming: boolean;
  /** Being resumed from `all`: what was held is shown to this very filter first. */
  startsHere: boolean;
}

/**
 * One direction of a stream through the filters.
 *
 *     headers ─▶ filter ─▶ filter ─▶ … ─▶ sink
 *                  │ stopped: what comes is held until resume()
 *
 * There is one place where body is held, whichever filter holds it.
 *
 * Source: Envoy `source/common/http/filter_manager.cc` (decodeHeaders … commonContinue, commonHandleAfter…Callback).
 */
export class FilterChain<Filter> {
  /** Nothing moves any more: a local reply or a reset has taken over. */
  isAborted = false;
  /** Trailers that came, or that a filter made in its last body callback. */
  trailers: HeaderMap | undefined;
  /** A filter's callback is running. */
  isInCallback = false;
  readonly held: HeldBody;
  readonly #stages: Stage<Filter>[];
  readonly #callbacks: ChainCallbacks<Filter>;
  readonly #sink: ChainSink;
  readonly #options: ChainOptions;
  #headers: HeaderMap | undefined;
  #hasSeenEnd = false;
  /** The end has gone out: a filter that is let go twice over sends no second one. */
  #hasEnded = false;

  /** Filters in the order in which this direction passes them. */
  constructor(
    filters: readonly Filter[],
    callbacks: ChainCallbacks<Filter>,
    sink: ChainSink,
    options: ChainOptions,
  ) {
    this.#stages = filters.map((filter) => ({
      filter,
      stop: "no",
      isStreaming: false,
      hasPassedHeaders: false,
      hasShownEnd: false,
      isResuming: false,
      startsHere: false,
    }));
    this.#callbacks = callbacks;
    this.#sink = sink;
    this.#options = options;
    this.held = new HeldBody(options);
  }

  /** The last part of this direction has come into the chain. */
  get hasSeenEnd(): boolean {
    return this.#hasSeenEnd;
  }

  passHeaders(headers: HeaderMap, isEnd: boolean): void {
    this.#headers = headers;
    this.#hasSeenEnd = isEnd;
    this.#headersFrom(0, isEnd);
  }

  /** A frame; an empty one with `isEnd` is normal. Takes the array as its own. */
  passData(bytes: Uint8Array, isEnd: boolean): void {
    if (this.#isStopped()) return;
    this.#hasSeenEnd ||= isEnd;
    this.#dataFrom(0, new Body(bytes), isEnd);
  }

  passTrailers(trailers: HeaderMap): void {
    if (this.#isStopped()) return;
    this.#hasSeenEnd = true;
    this.trailers = trailers;
    this.#trailersFrom(0);
  }

  /** A filter that buffers puts a frame to what is held, before it looks at all of it. */
  addData(body: Body): void {
    this.held.isStreaming = false;
    this.held.take(body);
  }

  /**
   * Lets go what is held at a filter; false when it holds nothing up, and nothing happens. Asked inside the filter's
   * own headers callback, the headers go on at once, and the callback's answer holds for them again.
   */
  resume(filter: Filter): boolean {
    const at = this.#stages.findIndex((stage) => stage.filter === filter);
    const stage = this.#stages[at];
    if (stage === undefined || this.#isStopped() || this.#headers === undefined) return false;
    if (stage.stop === "no" && stage.hasPassedHeaders && !stage.isResuming) return false;
    this.#resumeAt(at);
    return true;
  }

  /** Data of a filter's own, past this very filter: its headers go first. Nothing for a filter that is not here. */
  inject(filter: Filter, bytes: Uint8Array, isEnd: boolean): void {
    const at = this.#stages.findIndex((stage) => stage.filter === filter);
    const stage = this.#stages[at];
    if (stage === undefined || this.isAborted || this.#headers === undefined) return;
    if (!stage.hasPassedHeaders) {
      stage.hasPassedHeaders = true;
      this.#headersFrom(at + 1, false);
    }
    if (!this.isAborted) this.#dataFrom(at + 1, new Body(bytes), isEnd);
  }

  #headersFrom(from: number, isEnd: boolean): void {
    const headers = this.#headers!;
    for (let at = from; at < this.#stages.length; at++) {
      const stage = this.#stages[at]!;
      stage.hasShownEnd = isEnd;
      const isNested = this.#enter();
      const action = this.#callbacks.headers(stage.filter, headers, isEnd);
      this.#leave(isNested);
      if (this.isAborted) return;
      if (action !== HeadersAction.Continue) {
        stage.stop = action === HeadersAction.StopIteration ? "single" : "all";
        stage.isStreaming = action === HeadersAction.StopAllIterationAndWatermark;
        return;
      }
      // One that was resumed inside this callback has let them go already: then they go twice.
      stage.hasPassedHeaders = true;
    }
    this.#hasEnded = isEnd;
    this.#sink.headers(headers, isEnd);
  }

  #dataFrom(from: number, body: Body, isLast: boolean): void {
    const hadTrailers = this.trailers !== undefined;
    let trailersFrom = -1;
    for (let at = from; at < this.#stages.length; at++) {
      const stage = this.#stages[at]!;
      if (stage.stop === "all") {
        this.held.isStreaming = stage.isStreaming;
        this.held.take(body);
        return;
      }
      if (stage.hasShownEnd) return;
      const isEnd = isLast && this.trailers === undefined;
      stage.hasShownEnd = isEnd;
      const isNested = this.#enter();
      const action = this.#callbacks.data(stage.filter, body, isEnd);
      this.#leave(isNested);
      if (this.isAborted) return;
      if (!hadTrailers && this.trailers !== undefined && trailersFrom < 0) trailersFrom = at;
      if (!this.#goesOn(at, body, action)) {
        if (trailersFrom >= 0 && this.#options.isRequest) this.#passMade(trailersFrom);
        return;
      }
    }
    if (this.#hasEnded) return;
    this.#hasEnded = isLast && trailersFrom < 0;
    this.#sink.data(this.held.drain(body), this.#hasEnded);
    if (trailersFrom >= 0) this.#passMade(trailersFrom);
  }

  /** Trailers that the filter at this place has made. */
  #passMade(by: number): void {
    if (!this.isAborted) this.#trailersFrom(by + 1);
  }

  /** What a body callback's answer means; false when the data stays here, or went on by another way. */
  #goesOn(at: number, body: Body, action: number): boolean {
    const stage = this.#stages[at]!;
    if (action === DataAction.Continue) {
      if (stage.stop === "no") return true;
      this.held.take(body);
      if (!this.isAborted) this.#resumeAt(at);
      return false;
    }
    stage.stop = "single";
    const isBuffering = action === DataAction.StopIterationAndBuffer;
    if (isBuffering || action === DataAction.StopIterationAndWatermark) {
      this.held.isStreaming = !isBuffering;
      this.held.take(body);
    } else if (this.#hasSeenEnd && this.trailers === undefined) {
      // So that resuming ends the stream, though nothing was kept.
      this.held.make();
    }
    return false;
  }

  #trailersFrom(from: number): void {
    const trailers = this.trailers!;
    for (let at = from; at < this.#stages.length; at++) {
      const stage = this.#stages[at]!;
      if (stage.stop === "all") return;
      const isNested = this.#enter();
      const action = this.#callbacks.trailers(stage.filter, trailers);
      this.#leave(isNested);
      stage.hasShownEnd = true;
      if (this.isAborted) return;
      if (action !== 0) {
        if (stage.stop === "no") stage.stop = "single";
        return;
      }
      if (stage.stop === "single") {
        this.#resumeAt(at);
        return;
      }
    }
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#sink.trailers(trailers);
  }

  #resumeAt(at: number): void {
    const stage = this.#stages[at]!;
    // What came while everything stood still was never shown to this filter.
    stage.startsHere ||= stage.stop === "all";
    stage.stop = "no";
    stage.isResuming = true;
    this.#letGo(stage, at);
    stage.isResuming = stage.startsHere = false;
  }

  #letGo(stage: Stage<Filter>, at: number): void {
    const { held } = this;
    if (!stage.hasPassedHeaders) {
      stage.hasPassedHeaders = true;
      const isEnd = this.#hasSeenEnd && held.body === null && this.trailers === undefined;
      this.#headersFrom(at + 1, isEnd);
      if (this.isAborted) return;
    }
    const hadTrailers = this.trailers !== undefined;
    const next = () => (stage.startsHere ? at : at + 1);
    if (held.body !== null) {
      this.#dataFrom(next(), held.body, this.#hasSeenEnd && !hadTrailers);
      if (this.isAborted) return;
    }
    if (hadTrailers) this.#trailersFrom(next());
  }

  #isStopped(): boolean {
    return this.isAborted || this.#options.isOver();
  }

  /** A callback begins; whether it is inside another one. */
  #enter(): boolean {
    const isNested = this.isInCallback;
    this.isInCallback = true;
    return isNested;
  }

  #leave(isNested: boolean): void {
    this.isInCallback = isNested;
    this.held.check();
    if (this.isAborted) this.#options.onAborted();
  }
}
