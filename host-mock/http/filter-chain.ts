import { DataAction, HeadersAction } from "../abi/enums.ts";
import { Body } from "../state/body.ts";
import type { HeaderMap } from "../state/header-map.ts";

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

type Stop = "no" | "single" | "all";

/** One filter's place in one direction. */
interface Stage<Filter> {
  readonly filter: Filter;
  /** `single`: its body callbacks still come. `all`: nothing comes until it is resumed. */
  stop: Stop;
  hasSeenHeaders: boolean;
  hasPassedHeaders: boolean;
  /** Body held at this place; null when nothing is. */
  held: Body | null;
  /** The last body callback answered StopIterationAndBuffer: the next one sees everything held. */
  isBuffering: boolean;
  /** The stream's end has come to this place. */
  hasSeenEnd: boolean;
  /** The end has been shown to the filter. */
  hasShownEnd: boolean;
  trailers: HeaderMap | null;
}

/**
 * One direction of a stream through the filters.
 *
 *     headers ─▶ filter ─▶ filter ─▶ … ─▶ sink
 *                  │ stopped: what comes is held here until resume()
 *
 * Source: Envoy `source/common/http/filter_manager.cc` (decodeHeaders … commonContinue, commonHandleAfter…Callback).
 */
export class FilterChain<Filter> {
  /** Nothing moves any more: a local reply or a reset has taken over. */
  isAborted = false;
  /** Trailers that came, or that a filter made in its last body callback. */
  trailers: HeaderMap | undefined;
  readonly #stages: Stage<Filter>[];
  readonly #callbacks: ChainCallbacks<Filter>;
  readonly #sink: ChainSink;
  #headers: HeaderMap | undefined;

  /** Filters in the order in which this direction passes them. */
  constructor(filters: readonly Filter[], callbacks: ChainCallbacks<Filter>, sink: ChainSink) {
    this.#stages = filters.map((filter) => ({
      filter,
      stop: "no",
      hasSeenHeaders: false,
      hasPassedHeaders: false,
      held: null,
      isBuffering: false,
      hasSeenEnd: false,
      hasShownEnd: false,
      trailers: null,
    }));
    this.#callbacks = callbacks;
    this.#sink = sink;
  }

  passHeaders(headers: HeaderMap, isEnd: boolean): void {
    this.#headers = headers;
    this.#headersFrom(0, isEnd);
  }

  /** A frame; an empty one with `isEnd` is normal. Takes the array as its own. */
  passData(bytes: Uint8Array, isEnd: boolean): void {
    if (!this.isAborted) this.#dataFrom(0, new Body(bytes), isEnd);
  }

  passTrailers(trailers: HeaderMap): void {
    if (this.isAborted) return;
    this.trailers = trailers;
    this.#trailersFrom(0, trailers);
  }

  /**
   * Lets go what is held at a filter; false when it holds nothing up, and nothing happens. Asked inside the filter's
   * own headers callback, the headers go on at once and the callback's answer still holds for what follows.
   */
  resume(filter: Filter): boolean {
    const at = this.#stages.findIndex((stage) => stage.filter === filter);
    const stage = this.#stages[at];
    if (stage === undefined || this.isAborted) return false;
    if (stage.stop === "no" && (stage.hasPassedHeaders || !stage.hasSeenHeaders)) return false;
    this.#resumeAt(at);
    return true;
  }

  #headersFrom(from: number, isEnd: boolean): void {
    const headers = this.#headers!;
    for (let at = from; at < this.#stages.length; at++) {
      const stage = this.#stages[at]!;
      stage.hasSeenHeaders = true;
      stage.hasSeenEnd = stage.hasShownEnd = isEnd;
      const action = this.#callbacks.headers(stage.filter, headers, isEnd);
      if (this.isAborted) return;
      if (action !== HeadersAction.Continue) {
        stage.stop = action === HeadersAction.StopIteration ? "single" : "all";
        return;
      }
      // Resumed inside its own callback: the headers have gone on already.
      if (stage.hasPassedHeaders) return;
      stage.hasPassedHeaders = true;
    }
    this.#sink.headers(headers, isEnd);
  }

  #dataFrom(from: number, body: Body, isLast: boolean): void {
    let isEnd = isLast;
    let trailersFrom = -1;
    for (let at = from; at < this.#stages.length; at++) {
      const stage = this.#stages[at]!;
      if (stage.stop === "all") {
        hold(stage, body);
        stage.hasSeenEnd ||= isEnd;
        return;
      }
      if (stage.hasShownEnd) return;
      stage.hasSeenEnd = stage.hasShownEnd = isEnd;
      const action = this.#showData(stage, body, isEnd);
      if (this.isAborted) return;
      if (isEnd && this.trailers !== undefined && stage.trailers === null) {
        isEnd = false;
        trailersFrom = at + 1;
        stage.trailers = this.trailers;
      }
      if (!this.#goesOn(stage, at, body, action, isLast)) {
        // Trailers made on the way go past a later filter's hold on the body, to that filter.
        if (trailersFrom >= 0 && trailersFrom <= at) this.#passMade(trailersFrom);
        return;
      }
    }
    this.#sink.data(body.drain(), isEnd);
    if (trailersFrom >= 0) this.#passMade(trailersFrom);
  }

  /** Trailers that the filter before this place has made. */
  #passMade(from: number): void {
    if (this.isAborted) return;
    this.#stages[from - 1]!.trailers = null;
    this.#trailersFrom(from, this.trailers!);
  }

  #showData(stage: Stage<Filter>, body: Body, isEnd: boolean): number {
    let visible = body;
    if (stage.isBuffering) {
      hold(stage, body);
      visible = stage.held!;
    }
    const action = this.#callbacks.data(stage.filter, visible, isEnd);
    stage.isBuffering = action === DataAction.StopIterationAndBuffer;
    return action;
  }

  /** What a body callback's answer means; false when the data stays here, or went on by another way. */
  #goesOn(stage: Stage<Filter>, at: number, body: Body, action: number, isLast: boolean): boolean {
    if (action === DataAction.Continue) {
      if (stage.stop === "no" && stage.hasPassedHeaders) return true;
      hold(stage, body);
      this.#resumeAt(at);
      return false;
    }
    stage.stop = "single";
    const keeps =
      action === DataAction.StopIterationAndBuffer ||
      action === DataAction.StopIterationAndWatermark;
    if (keeps) hold(stage, body);
    else if (isLast && stage.held === null) stage.held = new Body();
    return false;
  }

  #trailersFrom(from: number, trailers: HeaderMap): void {
    for (let at = from; at < this.#stages.length; at++) {
      const stage = this.#stages[at]!;
      stage.trailers = trailers;
      stage.hasSeenEnd = true;
      if (stage.stop === "all") return;
      const action = this.#callbacks.trailers(stage.filter, trailers);
      if (this.isAborted) return;
      if (action !== 0) {
        stage.stop = "single";
        return;
      }
      if (stage.stop === "single") {
        this.#resumeAt(at);
        return;
      }
      stage.trailers = null;
    }
    this.#sink.trailers(trailers);
  }

  #resumeAt(at: number): void {
    const stage = this.#stages[at]!;
    // What came while everything stood still was never shown to this filter.
    const next = stage.stop === "all" ? at : at + 1;
    const { trailers } = stage;
    stage.stop = "no";
    if (!stage.hasPassedHeaders) {
      stage.hasPassedHeaders = true;
      const isEnd = stage.hasSeenEnd && stage.held === null && trailers === null;
      this.#headersFrom(at + 1, isEnd);
      if (this.isAborted) return;
    }
    if (stage.held !== null) {
      const body = stage.held;
      stage.held = null;
      stage.isBuffering = false;
      this.#dataFrom(next, body, stage.hasSeenEnd && trailers === null);
      if (this.isAborted) return;
    }
    if (trailers === null) return;
    stage.trailers = null;
    this.#trailersFrom(next, trailers);
  }
}

/** The first body held is kept as it is: the plugin may still have it before it as "the buffered body". */
function hold(stage: { held: Body | null }, body: Body): void {
  if (stage.held === null) stage.held = body;
  else if (stage.held !== body) stage.held.append(body.drain());
}
