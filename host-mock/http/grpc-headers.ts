import { latin1, utf8 } from "../state/bytes.ts";
import { HeaderMap, type HeaderPair } from "../state/header-map.ts";

/** What a call's headers are made of. */
export interface GrpcHeaderParts {
  readonly authority: string;
  readonly serviceName: string;
  readonly method: string;
  /** The plugin's. */
  readonly metadata: readonly HeaderPair[];
  /** Of a GrpcService message. */
  readonly serviceMetadata: readonly HeaderPair[];
  /** Undefined: a stream, which has no timeout. */
  readonly timeoutMs: number | undefined;
}

/**
 * The headers of a call as its receiver gets them.
 *
 * Source: Envoy `source/common/grpc/common.cc` (prepareHeaders, toGrpcTimeout), `async_client_impl.cc` (initialize), `source/common/http/header_utility.cc`.
 */
export function grpcHeaders(parts: GrpcHeaderParts): HeaderMap {
  const { timeoutMs } = parts;
  const headers = HeaderMap.from([
    [":method", "POST"],
    [":path", `/${parts.serviceName}/${parts.method}`],
    [":authority", parts.authority],
    [":scheme", "http"],
    ["te", "trailers"],
  ]);
  if (timeoutMs !== undefined) headers.add("grpc-timeout", grpcTimeout(timeoutMs));
  headers.add("content-type", "application/grpc");
  for (const pair of [...parts.serviceMetadata, ...parts.metadata]) headers.add(...encoded(pair));
  headers.set("x-envoy-internal", "true");
  if (timeoutMs !== undefined && timeoutMs > 0) {
    headers.set("x-envoy-expected-rq-timeout-ms", String(timeoutMs));
  }
  return headers;
}

/** The value of a name with `-bin` is sent in base64. */
function encoded([name, value]: HeaderPair): HeaderPair {
  const text = typeof name === "string" ? name : latin1(name);
  if (!text.toLowerCase().endsWith("-bin")) return [name, value];
  return [name, btoa(latin1(typeof value === "string" ? utf8(value) : value))];
}

const digitsMax = 99_999_999;
const units = [
  ["m", 1],
  ["S", 1000],
  ["M", 60_000],
  ["H", 3_600_000],
] as const;

/** At most eight digits and a unit. */
function grpcTimeout(timeoutMs: number): string {
  for (const [unit, scaleMs] of units) {
    const count = Math.floor(timeoutMs / scaleMs);
    if (count <= digitsMax) return `${count}${unit}`;
  }
  return `${digitsMax}H`;
}
