import { utf8 } from "../state/bytes.ts";
import { HeaderMap, type HeaderPair } from "../state/header-map.ts";

/**
 * A call's headers as the plugin's own part of them goes to the receiver: names in lower case, inline names joined, and
 * the length of a body. A length that the plugin gave is corrected where it stands.
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (httpCall).
 */
export function callHeaders(pairs: readonly HeaderPair[], bodyBytes: number): HeaderMap {
  const headers = HeaderMap.from(pairs, "request");
  if (bodyBytes === 0) return headers;
  const length = utf8(String(bodyBytes));
  if (!headers.has("content-length")) {
    headers.add("content-length", length);
    return headers;
  }
  const corrected = new HeaderMap("request");
  for (const [name, value] of headers.entries()) {
    corrected.add(name, isContentLength(name) ? length : value);
  }
  return corrected;
}

function isContentLength(name: Uint8Array): boolean {
  return String.fromCharCode(...name) === "content-length";
}

/**
 * What the receiver gets: the plugin's headers and Envoy's own. `timeoutMs` 0: none.
 *
 * Source: Envoy `source/common/http/async_client_impl.cc` (sendHeaders), `source/common/router/router.cc`, `source/common/http/http1/codec_impl.cc`.
 */
export function receivedHeaders(headers: HeaderMap, timeoutMs: number): HeaderMap {
  const received = headers.clone();
  received.set("x-envoy-internal", "true");
  if (timeoutMs > 0) received.set("x-envoy-expected-rq-timeout-ms", String(timeoutMs));
  if (!received.has("content-length") && !bodiless.has(received.text(":method") ?? "")) {
    received.add("content-length", "0");
  }
  return received;
}

/** Methods of requests that have no body unless they say so. */
const bodiless: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "TRACE", "CONNECT"]);

/** The plugin has promised a body that it did not give: the receiver waits for it. */
export function lacksBody(headers: HeaderMap, bodyBytes: number): boolean {
  return bodyBytes === 0 && Number(headers.text("content-length") ?? "0") > 0;
}
