/**
 * What an HTTP/1.1 codec and the connection manager make of the request line and the syntax of a client's head.
 *
 * Source: Envoy `source/common/http/http1/balsa_parser.cc` (isUrlValid), `http1/codec_impl.cc` (onHeadersCompleteBase,
 * handlePath), `header_utility.cc` (requestHeadersValid), `conn_manager_impl.cc` (decodeHeaders).
 */
import type { HeaderEntry } from "../state/header-entry.ts";
import type { HeaderMap } from "../state/header-map.ts";
import { dropReturns, hasKnownCoding, hasLengthAndCoding, hasSoundLength } from "./head-syntax.ts";
import { known } from "./header-names.ts";
import type { HostReply } from "./host-reply.ts";

/** The codec's 400 for a head that is none. */
export function badRequest(details: string): HostReply {
  return { status: 400, text: "Bad Request", details, flag: 0 };
}

const unknownCoding: HostReply = {
  status: 501,
  text: "Not Implemented",
  details: "http1.invalid_transfer_encoding",
  flag: 0,
};
const fragment: HostReply = {
  status: 400,
  text: "",
  details: "path_normalization_failed",
  flag: 0,
};
const noPath: HostReply = { status: 404, text: "", details: "absolute_path_rejected", flag: 0 };

const localTarget = /^[/*][\t\f!-~]*$/;
const absoluteTarget = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?]*)([/?][\t\f!-~]*)?$/;
const connectTarget = /^([^/?]*)([/?][\t\f!-~]*)?$/;
const hostText = /^[-!$%&'()*+,.:;=@[\]_~0-9A-Za-z]*$/;
const authorityText = /^[-._~!$&'()*+,;=:[\]@%0-9A-Za-z]*$/;

function isTarget(target: string, isConnect: boolean): boolean {
  if (localTarget.test(target)) return true;
  const host = (isConnect ? connectTarget : absoluteTarget).exec(target)?.[1];
  return host !== undefined && target !== "" && hostText.test(host) && !host.includes("@@");
}

/** A line end in a value begins another line, which is none. */
function breaksLine({ name, controls }: HeaderEntry): boolean {
  return !name.isPseudo && controls !== null && controls.hasLineEnd;
}

function hasBadByte({ name, controls }: HeaderEntry): boolean {
  return name.hasControls || (controls !== null && (controls.hasLineEnd || controls.hasOther));
}

function isMisnamed({ name }: HeaderEntry): boolean {
  return !name.isPseudo && !name.isToken;
}

/** What the parser finds, line by line, before it counts; null when it takes the head. */
export function whyUnparsed(headers: HeaderMap): HostReply | null {
  if (headers.find(breaksLine) !== undefined) return badRequest("http1.codec_error");
  if (headers.find(hasBadByte) !== undefined) return badRequest("http1.invalid_characters");
  const isConnect = headers.text(known.method) === "CONNECT";
  const isSound =
    isTarget(headers.text(known.path) ?? "", isConnect) &&
    headers.find(isMisnamed) === undefined &&
    hasSoundLength(headers);
  return isSound ? null : badRequest("http1.codec_error");
}

/** What the codec finds in a head that is whole; null when it takes it. */
export function whyUnacceptable(headers: HeaderMap): HostReply | null {
  if (!hasKnownCoding(headers)) return unknownCoding;
  if (hasLengthAndCoding(headers))
    return badRequest("http1.content_length_and_chunked_not_allowed");
  const target = headers.text(known.path) ?? "";
  const method = headers.text(known.method);
  const parts = targetParts(target, method);
  if (typeof parts === "string") return badRequest(parts);
  const authority = parts?.authority ?? headers.text(known.authority) ?? "";
  return authorityText.test(authority) ? null : badRequest("http.invalid_authority");
}

interface TargetParts {
  readonly authority: string;
  readonly scheme?: string;
  readonly path?: string;
}

/** Parts of a target that is more than a path, undefined for a path, or why it is none. */
function targetParts(target: string, method: string | undefined): TargetParts | string | undefined {
  const isConnect = method === "CONNECT";
  if (!isConnect && (target.startsWith("/") || (target === "*" && method === "OPTIONS")))
    return undefined;
  if (isConnect) return /^[^/?]+$/.test(target) ? { authority: target } : "http1.invalid_url";
  const [, scheme = "", authority = "", rest = ""] =
    /^([^:]*):\/\/([^/?#]*)(.*)$/.exec(target) ?? [];
  if (authority === "") return "http1.invalid_url";
  if (!/^https?$/i.test(scheme)) return "http1.invalid_scheme";
  return { authority, scheme: scheme.toLowerCase(), path: rest === "" ? "/" : rest };
}

/**
 * Makes the pseudo-headers of a target that is an absolute URL or, for CONNECT, a host, and passes over returns in
 * values. What the connection manager does not let any filter see then is answered.
 */
export function takeTarget(headers: HeaderMap): HostReply | null {
  dropReturns(headers);
  const method = headers.text(known.method) ?? "GET";
  const parts = targetParts(headers.text(known.path) ?? "", method);
  if (typeof parts === "object") {
    const { authority, path, scheme } = parts;
    headers.put(known.authority, authority);
    if (path === undefined || scheme === undefined) {
      headers.remove(known.path);
      return null;
    }
    for (const [name, value] of [
      [known.scheme, scheme],
      [known.path, path],
      [known.method, method],
    ] as const)
      headers.set(name, value);
  }
  const path = headers.text(known.path) ?? "";
  if (!path.startsWith("/")) return noPath;
  return path.includes("#") ? fragment : null;
}
