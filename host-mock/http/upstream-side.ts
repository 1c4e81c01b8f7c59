import { fromLatin1, noBytes } from "../state/bytes.ts";
import type { HeaderMap } from "../state/header-map.ts";
import { parseDuration } from "../time/duration.ts";
import { EventClass } from "../time/event-queue.ts";
import { Alarm } from "./alarm.ts";
import type { Exchange, UpstreamOptions } from "./exchange.ts";
import type { ChainSink } from "./filter-chain.ts";
import { FramePump } from "./frame-pump.ts";
import { known } from "./header-names.ts";
import type { HostReply } from "./host-reply.ts";
import type { ResolvedListener } from "./listener-options.ts";
import { joinedBytes, shownHeaders } from "./pairs.ts";
import type { Lane, Scheduler } from "./scheduler.ts";
import {
  addresses,
  codeDetails,
  openUpstream,
  ResponseFlag,
  type StreamInfo,
} from "./stream-info.ts";
import { bodySteps, planAnswer } from "./upstream-answer.ts";
import { requestOnWire, whyUnsendable } from "./wire-headers.ts";

/** Whom the upstream's side tells: the stream. */
export interface UpstreamEvents {
  onAnswer(headers: HeaderMap, isEnd: boolean): void;
  onAnswerData(bytes: Uint8Array, isEnd: boolean): void;
  onAnswerTrailers(trailers: HeaderMap): void;
  /** No answer has begun, and Envoy makes one. */
  onFailure(reply: HostReply): void;
  /** The answer, begun, breaks off. */
  onBroken(details: string, flag: number): void;
  /** The upstream has closed a connection that speaks another protocol. */
  onHangUp(): void;
  /** The request is with the upstream, whole. */
  onRequestArrived(headers: HeaderMap, body: Uint8Array): void;
}

export interface UpstreamParts {
  readonly lane: Lane;
  readonly scheduler: Scheduler;
  readonly listener: ResolvedListener;
  readonly options: UpstreamOptions;
  readonly info: StreamInfo;
  readonly isUpgrade: boolean;
  readonly events: UpstreamEvents;
}

/**
 * Every path has a route; what has no path, or does not say which way it came, has none.
 *
 * Source: Envoy `source/common/router/config_impl.cc` (RouteMatcher::route).
 */
function hasRoute(headers: HeaderMap): boolean {
  return (
    headers.text(known.path)?.startsWith("/") === true &&
    (headers.text(known.xForwardedProto) ?? "") !== ""
  );
}

const beforeHeaders = "upstream connect error or disconnect/reset before headers. reset reason: ";
/** A filter that is continued twice at once lets a body go before its headers. */
const beforeItsHeaders: HostReply = {
  status: 503,
  text: "upstream is closed prematurely during decoding data from downstream",
  details: "early_upstream_reset",
  flag: 0,
};
/** An upstream's connection is read in pieces of at most this. */
const pieceBytes = 1024 * 1024;

/**
 * The router, behind the last filter of a request, and the upstream it speaks to.
 *
 *     headers ─▶ (no host, refused) ─▶ upstream has the request ─(delay)─▶ answer's headers ─▶ frames ─▶ end
 *                                          └──────── the route's timeout ────────────────────────▶ 504
 *
 * Source: Envoy `source/common/router/router.cc`, `upstream_request.cc`.
 */
export class UpstreamSide implements ChainSink {
  readonly #parts: UpstreamParts;
  /** Both are gone once it is closed: an exchange is kept to the end of the run. */
  #timeout: Alarm | undefined;
  #next: Alarm | undefined;
  /** The request as it goes out. */
  #request: HeaderMap | undefined;
  #chunks: Uint8Array[] = [];
  #trailers: HeaderMap | undefined;
  /** It has gone out: what is reset in the turn of the loop that brought it has not. */
  #hasLeft = false;
  #hasWhole = false;
  #wholeNs = 0;
  #hasAnswered = false;
  #isClosed = false;
  #pump: FramePump | undefined;
  #isUnderPressure = false;
  #then: (() => void) | undefined;

  constructor(parts: UpstreamParts) {
    this.#parts = parts;
    const { lane, scheduler } = parts;
    this.#timeout = new Alarm(parts, () => this.#onTimeout());
    this.#next = new Alarm({ lane, scheduler, class: EventClass.answer }, () => this.#goOn());
  }

  /** What the upstream saw; null when nothing reached it. */
  get seen(): Exchange["upstream"] {
    if (this.#request === undefined || !this.#hasLeft) return null;
    return {
      headers: shownHeaders(this.#request),
      body: joinedBytes(this.#chunks),
      trailers: shownHeaders(this.#trailers),
      isComplete: this.#hasWhole,
    };
  }

  headers(headers: HeaderMap, isEnd: boolean): void {
    if (this.#isClosed) return;
    const { listener, options, info, isUpgrade } = this.#parts;
    if (!hasRoute(headers)) {
      info.route = { ...info.route, route: undefined, cluster: undefined };
      const flag = ResponseFlag.NoRouteFound;
      this.#fail({ status: 404, text: "", details: "route_not_found", flag });
      return;
    }
    if (listener.directResponse !== null) {
      const { status, body } = listener.directResponse;
      this.#fail({ status, text: body, details: "direct_response", flag: 0 });
      return;
    }
    info.attemptCount++;
    this.#expectWithin(headers, listener.routeTimeoutNs);
    if ("fail" in options && options.fail === "refuse_connection") {
      const { host, upstreamPort } = addresses;
      info.upstream = { address: `${host}:${upstreamPort}`, port: upstreamPort };
      this.#later(0, () => this.#onReset("remote connection failure", "UpstreamConnectionFailure"));
      return;
    }
    info.upstream = openUpstream(this.#parts.scheduler.nowNs, info.upstreamHost);
    const unfit = whyUnsendable(headers);
    if (unfit !== null) {
      const details = `filter_removed_required_request_headers{${codeDetails(unfit)}}`;
      const flag = ResponseFlag.DownstreamProtocolError;
      this.#fail({ status: 503, text: fromLatin1(unfit), details, flag });
      return;
    }
    // Headers that a filter lets go twice are a request of their own, of which this one is shown.
    this.#request = requestOnWire(headers, isEnd, isUpgrade);
    this.#chunks = [];
    this.#trailers = undefined;
    this.#hasWhole = false;
    if (isEnd) this.#onWhole();
    this.#later(0, () => this.#leave());
  }

  /** Tells the upstream how long the client's side waits, in milliseconds. */
  #expectWithin(headers: HeaderMap, routeTimeoutNs: number): void {
    const name = known.expectedRqTimeoutMs;
    headers.remove(name);
    if (routeTimeoutNs > 0) headers.add(name, String(Math.floor(routeTimeoutNs / 1e6)));
  }

  data(bytes: Uint8Array, isEnd: boolean): void {
    if (this.#isClosed) return;
    if (this.#request === undefined) {
      this.#fail(beforeItsHeaders);
      return;
    }
    if (bytes.length > 0) this.#chunks.push(bytes);
    if (isEnd) this.#onWhole();
  }

  trailers(trailers: HeaderMap): void {
    if (this.#isClosed) return;
    this.#trailers = trailers.clone();
    this.#onWhole();
  }

  /** The client, or a filter that holds the answer, does not take more for now; or does again. */
  onPressure(isHigh: boolean): void {
    this.#isUnderPressure = isHigh;
    if (isHigh) this.#pump?.pause();
    else this.#pump?.resume();
  }

  /** The stream is over: what has not come will not. */
  close(): void {
    this.#isClosed = true;
    this.#timeout?.clear();
    this.#next?.clear();
    this.#timeout = this.#next = this.#then = undefined;
    this.#pump?.stop();
  }

  /** The headers, and what has come of the rest, reach the upstream: some act on headers alone. */
  #leave(): void {
    const { options, isUpgrade } = this.#parts;
    this.#hasLeft = true;
    if ("fail" in options && options.fail === "reset") {
      this.#after(delayOf(options), () =>
        this.#onReset("connection termination", "UpstreamConnectionTermination"),
      );
    } else if (!("fail" in options) && (isUpgrade || options.answersAfter === "headers"))
      this.#after(delayOf(options), () => this.#answer());
    if (this.#hasWhole) this.#arrive();
  }

  #onWhole(): void {
    if (this.#hasWhole || this.#request === undefined) return;
    const { listener, scheduler } = this.#parts;
    this.#hasWhole = true;
    this.#wholeNs = scheduler.nowNs;
    if (listener.routeTimeoutNs > 0) this.#timeout?.set(this.#wholeNs + listener.routeTimeoutNs);
    if (this.#hasLeft) this.#arrive();
  }

  /** The request is with the upstream, whole. */
  #arrive(): void {
    const { options, isUpgrade, events } = this.#parts;
    events.onRequestArrived(this.#request!, joinedBytes(this.#chunks));
    if ("fail" in options || isUpgrade || options.answersAfter === "headers") return;
    this.#after(delayOf(options), () => this.#answer());
  }

  #answer(): void {
    const { options, events, info, isUpgrade, lane, scheduler } = this.#parts;
    if (this.#isClosed || "fail" in options) return;
    const isHead = this.#request?.text(known.method) === "HEAD";
    const answer = planAnswer(options, { isHead, isUpgrade });
    if (answer === null) {
      this.#onReset("protocol error", "UpstreamProtocolError");
      return;
    }
    const { headers } = answer;
    this.#hasAnswered = true;
    // Counted from the end of the request; an answer that comes before it has no such time.
    if (this.#hasWhole) {
      const tookMs = Math.floor((scheduler.nowNs - this.#wholeNs) / 1e6);
      headers.put(known.xEnvoyUpstreamServiceTime, String(tookMs));
    }
    info.upstream!.lastReceivedNs = scheduler.nowNs;
    const breaks = options.breakAfter !== undefined;
    const isEnd = answer.isEnd && !breaks;
    if (isEnd) this.#timeout?.clear();
    events.onAnswer(headers, isEnd);
    if (isEnd || this.#isClosed) return;
    // Nothing has come yet of what follows a switch to another protocol.
    if (options.status === 101) events.onAnswerData(noBytes, false);
    this.#pump = new FramePump({
      lane,
      scheduler,
      pieceBytes,
      steps: bodySteps(answer, options, {
        trailers: (trailers) => {
          this.#onAnswerEnd();
          events.onAnswerTrailers(trailers);
        },
        breakOff: () => this.#onReset("connection termination", "UpstreamConnectionTermination"),
        hangUp: () => {
          events.onAnswerData(noBytes, false);
          events.onHangUp();
        },
      }),
      read: (bytes, isLast) => {
        if (isLast) this.#onAnswerEnd();
        events.onAnswerData(bytes, isLast);
      },
    });
    if (this.#isUnderPressure) this.#pump.pause();
    this.#pump.start();
  }

  #onAnswerEnd(): void {
    this.#parts.info.upstream!.lastReceivedNs = this.#parts.scheduler.nowNs;
    this.#timeout?.clear();
  }

  #onTimeout(): void {
    const flag = ResponseFlag.UpstreamRequestTimeout;
    if (this.#hasAnswered) {
      this.#parts.events.onBroken("response_timeout", flag);
      return;
    }
    this.#fail({
      status: 504,
      text: "upstream request timeout",
      details: "response_timeout",
      flag,
    });
  }

  #onReset(reason: string, flagName: keyof typeof ResponseFlag): void {
    const flag = ResponseFlag[flagName];
    const reasonText = reason.replaceAll(" ", "_");
    if (this.#hasAnswered) {
      const details = `upstream_reset_after_response_started{${reasonText}}`;
      this.#parts.events.onBroken(details, flag);
      return;
    }
    const details = `upstream_reset_before_response_started{${reasonText}}`;
    const status = flagName === "UpstreamProtocolError" ? 502 : 503;
    this.#fail({ status, text: `${beforeHeaders}${reason}`, details, flag });
  }

  #fail(reply: HostReply): void {
    if (this.#isClosed) return;
    this.close();
    this.#parts.events.onFailure(reply);
  }

  #goOn(): void {
    const then = this.#then;
    this.#then = undefined;
    then?.();
  }

  /** Nothing to wait for: at once. */
  #after(delayNs: number, then: () => void): void {
    if (delayNs === 0) then();
    else this.#later(delayNs, then);
  }

  #later(delayNs: number, then: () => void): void {
    this.#then = then;
    this.#next?.set(this.#parts.scheduler.nowNs + delayNs);
  }
}

function delayOf({ delay }: UpstreamOptions): number {
  return delay === undefined ? 0 : parseDuration(delay);
}
