import type { StreamInfo } from "../../http/stream-info.ts";
import { grpcStatusOf } from "../../http/local-reply.ts";
import type { HeaderMap } from "../../state/header-map.ts";
import { headerValues } from "./header-values.ts";
import { group, number, optionalNumber, optionalText, type AttributeValue } from "./value.ts";

const invalidGrpcStatus = -1;
const grpcStatusMax = 16;

/**
 * `response`.
 *
 * Source: Envoy `source/extensions/filters/common/expr/context.cc` (ResponseLookupValues).
 */
export function responseAttributes(
  info: StreamInfo,
  headers: HeaderMap | undefined,
  trailers: HeaderMap | undefined,
): AttributeValue {
  const sizes = () => (headers?.sizeBytes ?? 0) + (trailers?.sizeBytes ?? 0);
  return group({
    code: () => optionalNumber(info.responseCode),
    code_details: () => optionalText(info.responseCodeDetails),
    flags: () => number(info.responseFlags),
    grpc_status: () => optionalNumber(grpcStatus(info, headers, trailers)),
    headers: () => headerValues(headers),
    headers_bytes: () => number(headers?.sizeBytes ?? 0),
    trailers: () => headerValues(trailers),
    size: () => number(info.sentBytes),
    total_size: () => number(info.sentBytes + sizes()),
    backend_latency: () => optionalNumber(latencyNs(info)),
  });
}

/** That of the trailers, else of the headers, else what the HTTP status means. */
function grpcStatus(
  info: StreamInfo,
  headers: HeaderMap | undefined,
  trailers: HeaderMap | undefined,
): number | undefined {
  const given = trailers?.text("grpc-status") ?? headers?.text("grpc-status");
  if (given !== undefined && given !== "") {
    const isKnown = /^\s*\+?\d+\s*$/.test(given) && Number(given) <= grpcStatusMax;
    return isKnown ? Number(given) : invalidGrpcStatus;
  }
  return info.responseCode === undefined ? undefined : grpcStatusOf(info.responseCode);
}

function latencyNs({ upstream }: StreamInfo): number | undefined {
  if (upstream?.firstSentNs === undefined || upstream.lastReceivedNs === undefined)
    return undefined;
  return upstream.lastReceivedNs - upstream.firstSentNs;
}
