import { HeaderMap } from "../state/header-map.ts";
import type { TextOrBytes } from "./pairs.ts";

/** What a plugin or the host itself wants to answer. */
export interface LocalReply {
  readonly status: number;
  readonly body: Uint8Array;
  readonly headers: readonly (readonly [TextOrBytes, TextOrBytes])[];
  /** −1, or anything outside 0 … 16: derived from the HTTP status where the client speaks gRPC. */
  readonly grpcStatus: number;
  /** Why, for `response.code_details`; "" when absent. */
  readonly details?: string | Uint8Array;
}

/** The request, as far as a reply depends on it. */
export interface ReplySituation {
  readonly isGrpc: boolean;
  readonly isHead: boolean;
}

export interface MadeReply {
  readonly headers: HeaderMap;
  /** Empty: the headers end the response. */
  readonly body: Uint8Array;
}

const noBody = new Uint8Array(0);

/**
 * Headers and body of a local reply.
 *
 * A body sets `content-length`, and `content-type: text/plain` unless one was given; an empty body removes both. A gRPC
 * client gets 200 with `grpc-status` and `grpc-message` and no body; a HEAD request headers only.
 *
 * Source: Envoy `source/common/http/utility.cc` (prepareLocalReply, encodeLocalReply).
 */
export function makeLocalReply(reply: LocalReply, situation: ReplySituation): MadeReply {
  // It is kept in 16 bits.
  const status = reply.status & 0xffff;
  const headers = HeaderMap.from([[":status", String(status)]], "response");
  for (const [name, value] of reply.headers) headers.add(name, value);
  // Whatever a plugin gave: Envoy's rewriting of local replies sets the status once more.
  headers.set(":status", String(status));
  if (situation.isGrpc) return grpcReply({ ...reply, status }, headers);
  if (reply.body.length === 0) {
    headers.remove("content-length");
    headers.remove("content-type");
    return { headers, body: noBody };
  }
  headers.put("content-length", String(reply.body.length));
  if (!headers.has("content-type")) headers.add("content-type", "text/plain");
  return { headers, body: situation.isHead ? noBody : reply.body };
}

function grpcReply(reply: LocalReply, headers: HeaderMap): MadeReply {
  const isSet = reply.grpcStatus >= 0 && reply.grpcStatus <= 16;
  headers.put(":status", "200");
  headers.put("content-type", "application/grpc");
  headers.set("grpc-status", String(isSet ? reply.grpcStatus : grpcStatusOf(reply.status)));
  if (reply.body.length > 0) headers.set("grpc-message", percentEncoded(reply.body));
  return { headers, body: noBody };
}

/** Source: Envoy `source/common/grpc/status.cc` (httpToGrpcStatus). */
export function grpcStatusOf(httpStatus: number): number {
  const known: Readonly<Record<number, number>> = {
    400: 13,
    401: 16,
    403: 7,
    404: 12,
    429: 14,
    502: 14,
    503: 14,
    504: 14,
  };
  return known[httpStatus] ?? 2;
}

/** Everything but printable ASCII, and `%` itself, as %XX. */
function percentEncoded(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    text += isPlain
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return text;
}

/** Whether the client speaks gRPC, by its content type. */
export function isGrpcRequest(headers: HeaderMap): boolean {
  const type = headers.text("content-type");
  return type !== undefined && /^application\/grpc(\+|;|$)/.test(type);
}
