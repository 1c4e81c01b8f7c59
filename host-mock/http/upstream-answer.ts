import { noBytes } from "../state/bytes.ts";
import type { HeaderEntry } from "../state/header-entry.ts";
import { HeaderMap } from "../state/header-map.ts";
import { parseDuration } from "../time/duration.ts";
import type { UpstreamAnswerOptions } from "./exchange.ts";
import type { Step } from "./frame-pump.ts";
import { dropReturns, hasKnownCoding, hasLengthAndCoding, hasSoundLength } from "./head-syntax.ts";
import { known } from "./header-names.ts";
import { framesOf, pairsOf } from "./pairs.ts";

/** An upstream's answer, as far as it does not depend on time. */
export interface PlannedAnswer {
  readonly headers: HeaderMap;
  /** The headers are all there is. */
  readonly isEnd: boolean;
  readonly frames: readonly Uint8Array[];
  readonly trailers: HeaderMap | undefined;
}

/** Whether an answer of this status never has a body. */
function isBodiless(status: number): boolean {
  return status === 204 || status === 304;
}

const answerHeadersMax = 100;

/**
 * Whether Envoy's codec takes an answer's head: its names and values, not more than 100 of them, a length that is one
 * number and stands alone, no coding but chunked, and neither of both for a status that has no body.
 *
 * Source: Envoy `source/common/http/http1/codec_impl.cc` (onHeadersCompleteBase), `http1/balsa_parser.cc`.
 */
function isTaken(status: number, headers: HeaderMap): boolean {
  if (headers.count > answerHeadersMax || headers.find(isMalformed) !== undefined) return false;
  if (!hasSoundLength(headers) || !hasKnownCoding(headers)) return false;
  if (hasLengthAndCoding(headers)) return false;
  if (status >= 200 && status !== 204) return true;
  return !headers.has(known.transferEncoding) && hasNoLength(headers);
}

function isMalformed({ name, controls }: HeaderEntry): boolean {
  return !name.isToken || (controls !== null && (controls.hasLineEnd || controls.hasOther));
}

function hasNoLength(headers: HeaderMap): boolean {
  return (headers.text(known.contentLength) ?? "0") === "0";
}

/** The request, as far as its answer depends on it. */
export interface Asked {
  readonly isHead: boolean;
  readonly isUpgrade: boolean;
}

/**
 * What an HTTP/1.1 server sends for these options, null where Envoy's codec does not take its head: one frame has its length, several or trailers are chunked, no body
 * has the length 0; a header that the test gives decides. Of another answer than 101 to an upgrade Envoy takes the headers
 * alone.
 *
 * Source: Envoy `source/common/http/http1/codec_impl.cc` (onHeadersCompleteBase).
 */
export function planAnswer(options: UpstreamAnswerOptions, asked: Asked): PlannedAnswer | null {
  const status = options.status ?? 200;
  const headers = HeaderMap.from(pairsOf(options.headers), "response");
  const given = framesOf(options.body);
  const trailers = pairsOf(options.trailers);
  const sent = headers.clone();
  if (!isBodiless(status) && status !== 101) addFraming(sent, given, trailers.length > 0);
  if (!isTaken(status, sent)) return null;
  headers.add(known.status, String(status));
  // The codec keeps it to itself.
  headers.remove(known.keepAlive);
  dropReturns(headers);
  if (status === 204) headers.remove(known.contentLength);
  if (asked.isUpgrade && status !== 101) {
    for (const name of ["content-length", "transfer-encoding"]) headers.remove(name);
    return { headers, isEnd: true, frames: [], trailers: undefined };
  }
  if (status === 101) {
    if (!headers.has(known.upgrade)) headers.add(known.upgrade, "websocket");
    if (!headers.has(known.connection)) headers.add(known.connection, "Upgrade");
    return { headers, isEnd: false, frames: given, trailers: undefined };
  }
  const { isHead } = asked;
  if (isHead || isBodiless(status)) {
    if (isHead && given.length > 0) addFraming(headers, given, trailers.length > 0);
    return { headers, isEnd: true, frames: [], trailers: undefined };
  }
  addFraming(headers, given, trailers.length > 0);
  const isEnd = given.length === 0 && !headers.has(known.transferEncoding);
  return {
    headers,
    isEnd,
    frames: given,
    trailers: trailers.length > 0 ? HeaderMap.from(trailers, "responseTrailers") : undefined,
  };
}

function addFraming(headers: HeaderMap, frames: readonly Uint8Array[], hasTrailers: boolean): void {
  if (headers.has(known.contentLength) || headers.has(known.transferEncoding)) return;
  if (hasTrailers || frames.length > 1) headers.add(known.transferEncoding, "chunked");
  else headers.add(known.contentLength, String(frames[0]?.length ?? 0));
}

/** What an upstream does besides sending frames. */
export interface UpstreamActs {
  trailers(trailers: HeaderMap): void;
  breakOff(): void;
  /** Closes a connection that speaks another protocol. */
  hangUp(): void;
}

/** What the upstream does after its headers, and when. */
export function bodySteps(
  answer: PlannedAnswer,
  options: UpstreamAnswerOptions,
  acts: UpstreamActs,
): Step[] {
  const gapNs = options.frameGap === undefined ? 0 : parseDuration(options.frameGap);
  const { breakAfter = Infinity } = options;
  const sent = answer.frames.slice(0, breakAfter);
  const steps: Step[] = sent.map((bytes, index) => ({
    afterNs: index * gapNs,
    bytes,
    isEnd: false,
  }));
  if (breakAfter !== Infinity) {
    steps.push({ afterNs: sent.length * gapNs, act: () => acts.breakOff() });
    return steps;
  }
  const { trailers } = answer;
  if (trailers !== undefined)
    steps.push({ afterNs: sent.length * gapNs, act: () => acts.trailers(trailers) });
  else if (options.status === 101)
    steps.push({ afterNs: sent.length * gapNs, act: () => acts.hangUp() });
  else {
    const afterNs = Math.max(0, sent.length - 1) * gapNs;
    steps.push({ afterNs, bytes: noBytes, isEnd: true });
  }
  return steps;
}
