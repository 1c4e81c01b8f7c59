import { HeaderName } from "../state/header-entry.ts";

/** Names that Envoy itself looks for in every request or answer, found once. */
export const known = {
  authority: HeaderName.of(":authority"),
  connection: HeaderName.of("connection"),
  contentLength: HeaderName.of("content-length"),
  date: HeaderName.of("date"),
  expect: HeaderName.of("expect"),
  keepAlive: HeaderName.of("keep-alive"),
  method: HeaderName.of(":method"),
  path: HeaderName.of(":path"),
  scheme: HeaderName.of(":scheme"),
  server: HeaderName.of("server"),
  status: HeaderName.of(":status"),
  te: HeaderName.of("te"),
  transferEncoding: HeaderName.of("transfer-encoding"),
  upgrade: HeaderName.of("upgrade"),
  xEnvoyUpstreamServiceTime: HeaderName.of("x-envoy-upstream-service-time"),
  xForwardedProto: HeaderName.of("x-forwarded-proto"),
  xRequestId: HeaderName.of("x-request-id"),
  expectedRqTimeoutMs: HeaderName.of("x-envoy-expected-rq-timeout-ms"),
} as const;
