import { utf8 } from "../state/bytes.ts";
import type { LocalReply } from "./local-reply.ts";

/** What Envoy itself answers. */
export interface HostReply {
  readonly status: number;
  readonly text: string | Uint8Array;
  /** For `response.code_details`. */
  readonly details: string;
  /** A bit of `ResponseFlag`; 0: none. */
  readonly flag: number;
}

export function asLocalReply({ status, text, details }: HostReply): LocalReply {
  const body = typeof text === "string" ? utf8(text) : text;
  return { status, body, headers: [], grpcStatus: -1, details };
}

/** A stopped filter holds more of a request's body than it may. */
export const tooLargeRequest: HostReply = {
  status: 413,
  text: "Payload Too Large",
  details: "request_payload_too_large",
  flag: 0,
};

/** And of an answer's. */
export const tooLargeAnswer: HostReply = {
  status: 500,
  text: "Internal Server Error",
  details: "response_payload_too_large",
  flag: 0,
};

/** A filter took the status out of an answer. */
export const missingStatus: HostReply = {
  status: 502,
  text: "missing required header: :status",
  details: "filter_removed_required_response_headers{missing_required_header:_:status}",
  flag: 0,
};

/** A request asks for another protocol, and its listener does not know of such. */
export const forbiddenUpgrade: HostReply = {
  status: 403,
  text: "",
  details: "upgrade_failed",
  flag: 0,
};

/** Whether an answer's status is a number; another one counts as missing. */
export function isStatus(text: string): boolean {
  return /^\s*\+?\d+\s*$/.test(text);
}
