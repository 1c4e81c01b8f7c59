import { lossyUtf8 } from "../state/bytes.ts";
import { HeaderMap } from "../state/header-map.ts";
import type { HttpProtocol, RequestOptions } from "./exchange.ts";
import { known } from "./header-names.ts";
import type { HostReply } from "./host-reply.ts";
import type { ResolvedListener } from "./listener-options.ts";
import { framesOf, pairsOf } from "./pairs.ts";
import { badRequest, whyUnacceptable, whyUnparsed } from "./request-head.ts";

/** What only speaks of the client's connection, or is Envoy's own to say. */
const ofConnection = ["connection", "keep-alive", "proxy-connection", "transfer-encoding"];

const ofEnvoy = [
  "x-envoy-internal",
  "x-envoy-retriable-status-codes",
  "x-envoy-retriable-header-names",
  "x-envoy-retry-on",
  "x-envoy-retry-grpc-on",
  "x-envoy-max-retries",
  "x-envoy-upstream-alt-stat-name",
  "x-envoy-upstream-rq-timeout-ms",
  "x-envoy-upstream-rq-per-try-timeout-ms",
  "x-envoy-upstream-rq-timeout-alt-response",
  "x-envoy-expected-rq-timeout-ms",
  "x-envoy-force-trace",
  "x-envoy-ip-tags",
  "x-envoy-original-url",
  "x-envoy-hedge-on-per-try-timeout",
];

const leftOutOfUpgrade: ReadonlySet<string> = new Set([
  ...ofConnection.filter((name) => name !== "connection"),
  ...ofEnvoy,
]);
const leftOut: ReadonlySet<string> = new Set(["upgrade", ...ofConnection, ...ofEnvoy]);

/** What a client sends, before Envoy has touched it. */
export function sentHeaders(request: RequestOptions): HeaderMap {
  const given = pairsOf(request.headers);
  let authority: string | Uint8Array | undefined;
  const hosts: (string | Uint8Array)[] = [];
  let scheme: string | Uint8Array | undefined;
  let forwarded: string | Uint8Array | undefined;
  for (const [name, value] of given) {
    const lower = name.toLowerCase();
    if (lower === ":authority" && !isHttp1(request)) authority ??= value;
    else if (lower === "host" || lower === ":authority") hosts.push(value);
    else if (lower === ":scheme") scheme ??= value;
    else if (lower === "x-forwarded-proto") forwarded ??= value;
  }
  const headers = new HeaderMap("request");
  // Several lines of HTTP/1.1 are joined.
  for (const host of authorities(request, authority, hosts)) headers.add(known.authority, host);
  headers.add(known.path, request.path ?? "/");
  headers.add(known.method, request.method ?? "GET");
  headers.add(known.scheme, scheme ?? schemeOf(forwarded));
  for (const [name, value] of given) {
    const lower = name.toLowerCase();
    if (lower !== "host" && !lower.startsWith(":")) headers.add(name, value);
  }
  if (!isHttp1(request) || isUpgrade(headers) || headers.has(known.contentLength)) return headers;
  const sizeBytes = framesOf(request.body).reduce((size, frame) => size + frame.length, 0);
  const hasTrailers = pairsOf(request.trailers).length > 0;
  const isChunked = headers.has(known.transferEncoding) || hasTrailers;
  if (hasTrailers) headers.set(known.transferEncoding, "chunked");
  if (sizeBytes > 0 && !isChunked) headers.add(known.contentLength, String(sizeBytes));
  return headers;
}

function authorities(
  request: RequestOptions,
  authority: string | Uint8Array | undefined,
  hosts: readonly (string | Uint8Array)[],
): readonly (string | Uint8Array)[] {
  if (isHttp1(request) && hosts.length > 0) return hosts;
  return [authority ?? hosts[0] ?? "localhost"];
}

/** Without a scheme of its own a request has that of the client in front of Envoy. */
function schemeOf(forwarded: string | Uint8Array | undefined): string {
  if (forwarded === undefined) return "http";
  const text = typeof forwarded === "string" ? forwarded : lossyUtf8(forwarded);
  return text.toLowerCase() === "https" ? "https" : "http";
}

export function isHttp1(request: RequestOptions): boolean {
  return request.protocol !== "HTTP/2";
}

/** Whether the client asks for another protocol on this connection. */
export function isUpgrade(headers: HeaderMap): boolean {
  const isWanted = headers.has(known.upgrade) && !asksForHttp2(headers);
  return isWanted && tokensOf(headers, "connection").includes("upgrade");
}

/** An upgrade that Envoy passes over, whose headers it leaves out. */
function asksForHttp2(headers: HeaderMap): boolean {
  return headers.text(known.upgrade)?.toLowerCase() === "h2c";
}

const tooMany: HostReply = {
  status: 431,
  text: "Request Header Fields Too Large",
  details: "http1.too_many_headers",
  flag: 0,
};
const tooLarge: HostReply = { ...tooMany, details: "http1.headers_too_large" };

/** Methods that an HTTP/1.1 codec knows. */
const methods: ReadonlySet<string> = new Set(
  `ACL BIND CHECKOUT CONNECT COPY DELETE GET HEAD LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY
   OPTIONS PATCH POST PROPFIND PROPPATCH PURGE PUT REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK
   UNSUBSCRIBE`.split(/\s+/),
);

/**
 * What the codec answers in place of everything else, as a head is none, or too much; null when it takes it.
 * HTTP/1.1 counts the fields, the host among them, and the bytes of the whole head; HTTP/2 counts the pseudo-headers
 * too, and the bytes of names and values.
 *
 * Source: Envoy `source/common/http/http1/balsa_parser.cc`, `http1/codec_impl.cc`, `http2/codec_impl.cc` (saveHeader).
 */
export function whyRefused(
  headers: HeaderMap,
  protocol: HttpProtocol,
  listener: ResolvedListener,
): HostReply | null {
  const { maxRequestHeaderCount, maxRequestHeadersKb } = listener;
  const isOne = protocol === "HTTP/1.1";
  if (isOne && !methods.has(headers.text(known.method) ?? "GET"))
    return badRequest("http1.codec_error");
  const unparsed = isOne ? whyUnparsed(headers) : null;
  if (unparsed !== null) return unparsed;
  const count = isOne ? headers.count - headers.pseudoCount + 1 : headers.count;
  if (count > maxRequestHeaderCount) return tooMany;
  const sizeBytes = isOne ? headBytes(headers) : headers.sizeBytes;
  if (sizeBytes > maxRequestHeadersKb * 1024) return tooLarge;
  return isOne ? whyUnacceptable(headers) : null;
}

const lineEndBytes = "\r\n".length;

/** The request line, `host`, all other headers and the empty line. */
function headBytes(headers: HeaderMap): number {
  const authority = headers.has(known.authority)
    ? "host: ".length + headers.valueSizeBytes(known.authority) + lineEndBytes
    : 0;
  const requestLine = headers.valueSizeBytes(known.method) + headers.valueSizeBytes(known.path);
  const regularCount = headers.count - headers.pseudoCount;
  return (
    requestLine +
    "  HTTP/1.1".length +
    2 * lineEndBytes +
    authority +
    headers.regularSizeBytes +
    regularCount * (": ".length + lineEndBytes)
  );
}

/**
 * What the connection manager makes of a request's headers before the filters see them.
 *
 * Source: Envoy `source/common/http/conn_manager_utility.cc` (mutateRequestHeaders, cleanInternalHeaders),
 * `http1/codec_impl.cc`.
 */
export function takeIn(headers: HeaderMap, requestId: string): void {
  const keepsUpgrade = isUpgrade(headers);
  if (asksForHttp2(headers)) headers.remove("http2-settings");
  for (const name of tokensOf(headers, "connection")) {
    if (!keptNominated.has(name) && !name.startsWith(":")) headers.remove(name);
  }
  if (headers.text(known.te)?.toLowerCase() !== "trailers") headers.remove(known.te);
  if (headers.text(known.expect)?.toLowerCase() === "100-continue") headers.remove(known.expect);
  headers.removeEach(keepsUpgrade ? leftOutOfUpgrade : leftOut);
  if (!headers.has(known.xForwardedProto)) headers.add(known.xForwardedProto, "http");
  if (!headers.has(known.xRequestId)) headers.add(known.xRequestId, requestId);
}

/** Words of `connection` that are no names of headers to leave out, or have rules of their own. */
const keptNominated: ReadonlySet<string> = new Set(["upgrade", "close", "te"]);

const noTokens: readonly string[] = [];

function tokensOf(headers: HeaderMap, name: string): readonly string[] {
  const text = headers.text(name);
  if (text === undefined) return noTokens;
  return text
    .split(",")
    .map((token) => token.trim().toLowerCase())
    .filter((token) => token !== "");
}

/** The client wants its connection closed after the answer. */
export function asksToClose(headers: HeaderMap): boolean {
  return tokensOf(headers, "connection").includes("close");
}
