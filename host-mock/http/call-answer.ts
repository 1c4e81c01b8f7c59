import { utf8 } from "../state/bytes.ts";
import { HeaderMap } from "../state/header-map.ts";
import type { Reply } from "./cluster.ts";
import { joinedBytes } from "./pairs.ts";

/** An answer as the guest may read it; null stands for a reset. */
export type CallAnswer = {
  readonly headers: HeaderMap;
  readonly body: Uint8Array;
  /** Undefined: the answer had none. */
  readonly trailers: HeaderMap | undefined;
} | null;

/** More than this of an answer's body is a reset. */
export const answerBytesMax = 32 * 1024 * 1024;

const timeoutBody = "upstream request timeout";
export const beforeHeaders =
  "upstream connect error or disconnect/reset before headers. reset reason: ";

export const connectionFailure = "remote connection failure";

/** Envoy's own answer at the timeout. */
export function timedOut(): CallAnswer {
  return localAnswer(504, timeoutBody);
}

/** Envoy's own answer when nobody listens at the receiver's address. */
export function connectionRefused(): CallAnswer {
  return localAnswer(503, `${beforeHeaders}${connectionFailure}`);
}

/** Envoy's own answer when the receiver closes the connection before it answers. */
export function disconnected(): CallAnswer {
  return localAnswer(503, `${beforeHeaders}connection termination`);
}

/** When the parts of an answer come: what tells a timeout before the headers from one in the middle. */
export interface AnswerTimes {
  readonly headersNs: number;
  /** The end of the answer, or the break. */
  readonly endNs: number;
  readonly isBroken: boolean;
}

/** `fromNs`: the call's arrival at the receiver. */
export function answerTimes(reply: Reply, fromNs: number): AnswerTimes {
  const headersNs = fromNs + reply.delayNs;
  const { breakAfter, frames } = reply;
  const isBroken = breakAfter !== null;
  const frameCount = isBroken ? Math.min(breakAfter, frames.length) : frames.length;
  return { headersNs, endNs: headersNs + Math.max(0, frameCount - 1) * reply.gapNs, isBroken };
}

/**
 * The receiver's answer as it comes out of Envoy: without a length given, one frame has its length, several frames or
 * trailers are `transfer-encoding: chunked`; the router adds how long it all took, in milliseconds.
 *
 * Source: Envoy `source/common/router/router.cc` (onUpstreamHeaders).
 */
export function remoteAnswer(reply: Reply, tookNs: number): CallAnswer {
  const headers = HeaderMap.from([[":status", String(reply.status)], ...reply.headers], "response");
  const body = joinedBytes(reply.frames);
  if (body.length > answerBytesMax) return null;
  if (!headers.has("content-length") && !headers.has("transfer-encoding")) {
    const isChunked = reply.frames.length > 1 || reply.trailers.length > 0;
    if (isChunked) headers.add("transfer-encoding", "chunked");
    else if (body.length > 0) headers.add("content-length", String(body.length));
  }
  headers.set("x-envoy-upstream-service-time", String(Math.floor(tookNs / 1e6)));
  const trailers =
    reply.trailers.length === 0 ? undefined : HeaderMap.from(reply.trailers, "responseTrailers");
  return { headers, body, trailers };
}

/** An answer that Envoy itself makes. */
function localAnswer(status: number, text: string): CallAnswer {
  const body = utf8(text);
  const headers = HeaderMap.from(
    [
      [":status", String(status)],
      ["content-length", String(body.length)],
      ["content-type", "text/plain"],
    ],
    "response",
  );
  return { headers, body, trailers: undefined };
}
