import { noBytes } from "../state/bytes.ts";
import { HeaderMap } from "../state/header-map.ts";
import { answerTimes, beforeHeaders, connectionFailure } from "./call-answer.ts";
import type { Reply } from "./cluster.ts";
import { GrpcStatus } from "./grpc-status.ts";
import type { GrpcPart } from "./grpc-receiver.ts";
import { joinedBytes } from "./pairs.ts";

/** An answer of Envoy's own: what the plugin reads, and the details behind it. */
interface OwnAnswer {
  readonly message: string;
  readonly details: string;
}

const beforeResponse = "upstream_reset_before_response_started";

export const OwnAnswers = {
  refused: {
    message: `${beforeHeaders}${connectionFailure}`,
    details: `${beforeResponse}{remote_connection_failure|delayed_connect_error:_Connection_refused}`,
  },
  disconnected: {
    message: `${beforeHeaders}connection termination`,
    details: `${beforeResponse}{connection_termination}`,
  },
  timedOut: { message: "upstream request timeout", details: "response_timeout" },
} as const satisfies Readonly<Record<string, OwnAnswer>>;

/** An answer that Envoy's router makes for a gRPC client: all of it in the headers. */
export function ownAnswer({ message, details }: OwnAnswer): GrpcPart {
  const headers = HeaderMap.from(
    [
      [":status", "200"],
      ["content-type", "application/grpc"],
      ["grpc-status", String(GrpcStatus.Unavailable)],
      ["grpc-message", message],
    ],
    "response",
  );
  return { kind: "headers", headers, isEnd: true, details };
}

/**
 * What an HTTP receiver's answer is to a gRPC client, with when it comes: messages where its bytes are such, else a
 * broken stream.
 */
export function httpParts(
  reply: Reply,
): readonly { readonly part: GrpcPart; readonly afterNs: number }[] {
  const { headersNs, endNs, isBroken } = answerTimes(reply, 0);
  const headers = HeaderMap.from([[":status", String(reply.status)], ...reply.headers], "response");
  const isEnd = reply.frames.length === 0 && reply.trailers.length === 0 && !isBroken;
  const parts = [{ part: { kind: "headers", headers, isEnd } as GrpcPart, afterNs: headersNs }];
  if (isEnd) return parts;
  const frames = reply.frames.slice(0, reply.breakAfter ?? reply.frames.length);
  let unread: Uint8Array = noBytes;
  for (const [index, frame] of frames.entries()) {
    const afterNs = headersNs + index * reply.gapNs;
    const { messages, rest } = messagesIn(joinedBytes([unread, frame]));
    for (const message of messages) parts.push({ part: { kind: "message", message }, afterNs });
    if (rest === null) return [...parts, { part: { kind: "garbage" }, afterNs }];
    unread = rest;
  }
  if (isBroken) return [...parts, { part: { kind: "reset" }, afterNs: endNs }];
  const trailers = HeaderMap.from(reply.trailers, "responseTrailers");
  return [...parts, { part: { kind: "trailers", trailers }, afterNs: endNs }];
}

const prefixSize = 5;
/** Flag of a message, 0 or this. */
const compressed = 1;

/**
 * The length-prefixed messages, and what is left for the next frame; null where the stream is broken: what begins as no
 * message does takes the whole frame with it, a compressed message only itself and what follows.
 *
 * Source: Envoy `source/common/grpc/codec.cc`, `async_client_impl.cc` (onData).
 */
function messagesIn(bytes: Uint8Array): {
  readonly messages: readonly Uint8Array[];
  readonly rest: Uint8Array | null;
} {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const messages: Uint8Array[] = [];
  let at = 0;
  let isBroken = false;
  while (at < bytes.length) {
    if (bytes[at]! > compressed) return { messages: [], rest: null };
    const start = at + prefixSize;
    if (start > bytes.length) break;
    const end = start + view.getUint32(at + 1);
    if (end > bytes.length) break;
    isBroken ||= bytes[at] === compressed && end > start;
    if (!isBroken) messages.push(bytes.slice(start, end));
    at = end;
  }
  return { messages, rest: isBroken ? null : bytes.subarray(at) };
}
