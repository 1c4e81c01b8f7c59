import { noBytes } from "../state/bytes.ts";
import { HeaderMap } from "../state/header-map.ts";
import { parseDuration } from "../time/duration.ts";
import { asksToClose, isHttp1 } from "./client-headers.ts";
import type { RequestOptions } from "./exchange.ts";
import { FramePump, type Step } from "./frame-pump.ts";
import { known } from "./header-names.ts";
import { framesOf, pairsOf } from "./pairs.ts";
import type { Lane, Scheduler } from "./scheduler.ts";
import { answerOnWire, finishAnswer } from "./wire-headers.ts";

export interface ClientParts {
  readonly lane: Lane;
  readonly scheduler: Scheduler;
  readonly request: RequestOptions;
  /** What a stopped filter may hold, which is also how much is read at once. */
  readonly limitBytes: number;
  readonly isUpgrade: boolean;
  onData(bytes: Uint8Array, isEnd: boolean): void;
  onTrailers(trailers: HeaderMap): void;
}

/** What decides how an answer's headers go out. */
export interface AnswerState {
  readonly date: string;
  /** The headers are the whole answer. */
  readonly isEnd: boolean;
  /** The connection speaks another protocol from now on. */
  readonly isSwitched: boolean;
  /** The client has sent all of its request. */
  readonly isRequestWhole: boolean;
}

const kernelReadBytes = 16 * 1024;

/** The client of one request: it sends at its own pace, and keeps what it gets. */
export class ClientSide {
  headers: HeaderMap | undefined;
  readonly chunks: Uint8Array[] = [];
  trailers: HeaderMap | undefined;
  /** Its connection or stream ended before the answer did. */
  isReset = false;
  /** The headers are the whole request. */
  readonly endsAtHeaders: boolean;
  readonly #isHttp1: boolean;
  readonly #isHead: boolean;
  readonly #asksToClose: boolean;
  /** Undefined for a request that is nothing but headers. */
  readonly #pump: FramePump | undefined;

  constructor(parts: ClientParts, sent: HeaderMap) {
    const { request, limitBytes, isUpgrade } = parts;
    this.#isHttp1 = isHttp1(request);
    this.#isHead = sent.text(known.method) === "HEAD";
    this.#asksToClose = asksToClose(sent);
    const frames = framesOf(request.body);
    // A list without a frame is a body all the same: in HTTP/2 an empty frame with the end.
    const hasEmptyBody = this.#isHttp1
      ? sent.has(known.transferEncoding)
      : Array.isArray(request.body);
    this.endsAtHeaders =
      frames.length === 0 && pairsOf(request.trailers).length === 0 && !hasEmptyBody && !isUpgrade;
    if (this.endsAtHeaders) return;
    const readBytes = Math.ceil(limitBytes / kernelReadBytes) * kernelReadBytes;
    const http1Bytes = limitBytes === 0 ? Infinity : readBytes;
    this.#pump = new FramePump({
      lane: parts.lane,
      scheduler: parts.scheduler,
      steps: isUpgrade ? framesAlone(frames, gapOf(request)) : this.#steps(parts, frames),
      pieceBytes: this.#isHttp1 ? http1Bytes : kernelReadBytes,
      read: (bytes, isEnd) => parts.onData(bytes, isEnd),
    });
  }

  /** Sends what comes behind the headers. */
  start(): void {
    this.#pump?.start();
  }

  /** An answer's headers behind the last filter: Envoy adds its own to them, and the codec to what goes out. */
  takeHeaders(headers: HeaderMap, state: AnswerState): void {
    const { date, isEnd, isSwitched, isRequestWhole } = state;
    const closes = this.#isHttp1 && (this.#asksToClose || !(isRequestWhole || isSwitched));
    finishAnswer(headers, { date, isUpgrade: isSwitched, closes });
    // From now on it sends what is no HTTP any more.
    if (isSwitched) this.#pump?.start(true);
    this.headers = answerOnWire(headers, {
      isHttp1: this.#isHttp1,
      isHead: this.#isHead,
      isEnd,
    });
  }

  /** Envoy does not read from it for now, or does again. An HTTP/2 client goes on: its window is wide. */
  onPressure(isHigh: boolean): void {
    if (!this.#isHttp1) return;
    if (isHigh) this.#pump?.pause();
    else this.#pump?.resume();
  }

  stop(): void {
    this.#pump?.stop();
  }

  /** A body ends in an empty frame in HTTP/1.1, and in its last one in HTTP/2. */
  #steps(parts: ClientParts, frames: readonly Uint8Array[]): Step[] {
    const gapNs = gapOf(parts.request);
    const trailers = pairsOf(parts.request.trailers);
    const steps = framesAlone(frames, gapNs);
    if (trailers.length > 0) {
      const act = () => parts.onTrailers(HeaderMap.from(trailers, "requestTrailers"));
      return [...steps, { afterNs: frames.length * gapNs, act }];
    }
    const last = steps.at(-1);
    if (!this.#isHttp1 && last !== undefined && "bytes" in last)
      return [...steps.slice(0, -1), { ...last, isEnd: true }];
    return [...steps, { afterNs: last?.afterNs ?? 0, bytes: noBytes, isEnd: true }];
  }
}

function framesAlone(frames: readonly Uint8Array[], gapNs: number): Step[] {
  return frames.map((bytes, index) => ({ afterNs: index * gapNs, bytes, isEnd: false }));
}

function gapOf({ frameGap }: RequestOptions): number {
  return frameGap === undefined ? 0 : parseDuration(frameGap);
}
