/** What client and upstream saw of a request, as lines. */
import { shownBytes, shownPairs } from "./bytes-shown.ts";
import type { HeaderPairs } from "./bytes-shown.ts";

/** One side of an exchange; text is one character a byte. */
export interface Message {
  /** `200` of an answer, `GET /path` of a request. */
  readonly head: string;
  readonly headers: HeaderPairs;
  readonly body: string;
  readonly trailers: HeaderPairs;
  /** It broke off before its end. */
  readonly isBroken: boolean;
}

/** What belongs to one connection, and says nothing of the message. */
const hopByHop = new Set(["connection", "transfer-encoding", "keep-alive"]);

/** `null`: nothing came. */
export function messageLine(who: string, message: Message | null): string {
  if (message === null) return `${who}: nothing`;
  const { head, headers, body, trailers, isBroken } = message;
  const kept = headers.filter(([name]) => !hopByHop.has(name.toLowerCase()));
  return [
    `${who}: ${head}`,
    shownPairs(kept),
    ...(body === "" ? [] : [`body ${shownBytes(body)}`]),
    ...(trailers.length === 0 ? [] : [`trailers ${shownPairs(trailers)}`]),
    ...(isBroken ? ["broken off"] : []),
  ].join(" ");
}

/** A gRPC call as its server saw it. */
export interface GrpcMessage {
  readonly path: string;
  readonly authority: string;
  readonly metadata: HeaderPairs;
  readonly messages: readonly string[];
}

export function grpcLine(who: string, call: GrpcMessage): string {
  const { path, authority, metadata, messages } = call;
  const all: HeaderPairs = [["host", authority], ...metadata];
  return `${who}: ${path} ${shownPairs(all)} messages (${messages.map(shownBytes).join(", ")})`;
}
