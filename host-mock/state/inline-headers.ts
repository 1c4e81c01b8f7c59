/**
 * Names of which Envoy keeps one entry: a second `add` is joined into it. The lists are those of Envoy 1.40.0, found
 * by adding names twice.
 *
 * Source: Envoy `envoy/http/header_map.h` (INLINE_* lists) and the inline headers that compiled-in extensions
 * register (compressor, CORS, cache, CSRF, gRPC transcoding, `cdn-loop`); the latter depend on the build.
 */

/** What a map holds, which decides its inline names. */
export type HeaderMapKind = "request" | "response" | "requestTrailers" | "responseTrailers";

const common = `
  connection content-type content-length keep-alive proxy-connection proxy-status x-request-id
  transfer-encoding upgrade via x-envoy-attempt-count x-envoy-decorator-operation`;

const request = `
  :authority :method :path :scheme :protocol te user-agent expect grpc-timeout x-forwarded-for
  x-forwarded-host x-forwarded-proto x-forwarded-port x-forwarded-client-cert x-client-trace-id
  x-envoy-downstream-service-cluster x-envoy-downstream-service-node x-envoy-external-address
  x-envoy-force-trace x-envoy-hedge-on-per-try-timeout x-envoy-internal x-envoy-ip-tags
  x-envoy-max-retries x-envoy-original-path x-envoy-original-url x-envoy-original-host
  x-envoy-retriable-header-names x-envoy-retriable-status-codes x-envoy-retry-on
  x-envoy-retry-grpc-on x-envoy-upstream-alt-stat-name x-envoy-upstream-rq-per-try-timeout-ms
  x-envoy-upstream-rq-timeout-alt-response x-envoy-upstream-rq-timeout-ms
  x-envoy-expected-rq-timeout-ms x-envoy-upstream-stream-duration-ms x-envoy-is-timeout-retry
  grpc-accept-encoding accept accept-encoding access-control-request-headers
  access-control-request-method access-control-request-private-network authorization
  cache-control cdn-loop content-encoding origin pragma referer if-match if-none-match
  if-modified-since if-unmodified-since if-range`;

const response = `
  :status date location server grpc-status grpc-message x-envoy-degraded
  x-envoy-immediate-health-check-fail x-envoy-ratelimited x-envoy-upstream-canary
  x-envoy-upstream-healthchecked-cluster x-envoy-upstream-service-time
  access-control-allow-private-network access-control-allow-credentials
  access-control-allow-headers access-control-allow-methods access-control-allow-origin
  access-control-expose-headers access-control-max-age cache-control content-encoding age expires
  last-modified etag vary`;

function names(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.trim().split(/\s+/)));
}

export const inlineNames: Readonly<Record<HeaderMapKind, ReadonlySet<string>>> = {
  request: names(common, request),
  response: names(common, response),
  requestTrailers: new Set(),
  responseTrailers: names("grpc-status grpc-message"),
};
