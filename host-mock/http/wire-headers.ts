/**
 * What Envoy's codecs add to headers on their way out, and the connection manager to those of an answer.
 *
 * Source: Envoy `source/common/http/http1/codec_impl.cc` (encodeHeadersBase), `conn_manager_impl.cc` (encodeHeaders),
 * `conn_manager_utility.cc` (mutateResponseHeaders).
 */
import type { HeaderEntry } from "../state/header-entry.ts";
import type { HeaderMap } from "../state/header-map.ts";
import { known } from "./header-names.ts";

/** Methods whose requests have no body unless they say so. */
const bodiless: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "CONNECT", "TRACE"]);

/**
 * Why a codec does not send a request that filters have changed, as a binary string; null when it does. The first header
 * that does not fit is spoken of; an empty name fits.
 *
 * Source: Envoy `source/common/http/header_utility.cc` (checkRequiredRequestHeaders, checkValidRequestHeaders).
 */
export function whyUnsendable(headers: HeaderMap): string | null {
  const method = headers.text(known.method);
  if (method === undefined) return "missing required header: :method";
  if (method === "CONNECT") {
    if (!headers.has(known.authority)) return "missing required header: :authority";
    if (headers.has(known.path) && !headers.has(":protocol"))
      return "missing required header: :protocol";
  }
  const unfit = headers.find((entry) => isMisnamed(entry) || entry.controls !== null);
  if (unfit === undefined) return null;
  const shown = JSON.stringify(unfit.name.key).slice(1, -1);
  return isMisnamed(unfit) ? `invalid header name: ${shown}` : `invalid header value for: ${shown}`;
}

/** An empty name is none that does not fit, with the colon of a pseudo-header or without. */
function isMisnamed({ name: { key, isToken } }: HeaderEntry): boolean {
  return !isToken && key !== "" && key !== ":";
}

/** A request as the upstream gets it, in HTTP/1.1. */
export function requestOnWire(headers: HeaderMap, isEnd: boolean, isUpgrade: boolean): HeaderMap {
  const sent = headers.clone();
  if (sent.has(known.contentLength) || isUpgrade) return sent;
  if (!isEnd) sent.add(known.transferEncoding, "chunked");
  else if (!bodiless.has(sent.text(known.method) ?? "GET")) sent.add(known.contentLength, "0");
  return sent;
}

export interface AnswerSituation {
  readonly isHttp1: boolean;
  readonly isHead: boolean;
  readonly isEnd: boolean;
}

/** An answer as the client gets it. */
export function answerOnWire(headers: HeaderMap, situation: AnswerSituation): HeaderMap {
  const sent = headers.clone();
  if (!situation.isHttp1 || sent.has(known.contentLength)) return sent;
  const status = Number(sent.text(known.status));
  if (status < 200 || status === 204 || status === 304) return sent;
  if (situation.isEnd && !situation.isHead) sent.add(known.contentLength, "0");
  else sent.add(known.transferEncoding, "chunked");
  return sent;
}

const ofConnection: ReadonlySet<string> = new Set([
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
]);
const ofConnectionAndUpgrade: ReadonlySet<string> = new Set([
  ...ofConnection,
  "connection",
  "upgrade",
]);

/** What the connection manager does to an answer's headers behind the last filter: plugins see it in their log phase. */
export function finishAnswer(
  headers: HeaderMap,
  options: { readonly date: string; readonly isUpgrade: boolean; readonly closes: boolean },
): void {
  headers.removeEach(options.isUpgrade ? ofConnection : ofConnectionAndUpgrade);
  if (!headers.has(known.date)) headers.add(known.date, options.date);
  headers.put(known.server, "envoy");
  if (options.closes) headers.set(known.connection, "close");
}
