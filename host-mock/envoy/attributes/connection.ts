import { addresses, type StreamInfo } from "../../http/stream-info.ts";
import {
  bool,
  group,
  message,
  number,
  optionalNumber,
  optionalText,
  text,
  type AttributeValue,
} from "./value.ts";

/**
 * `connection`: plain text, without TLS, so that nothing of certificates is known.
 *
 * Source: Envoy `source/extensions/filters/common/expr/context.cc` (ConnectionLookupValues).
 */
export function connectionAttributes(connectionId: number): AttributeValue {
  return group({
    id: () => number(connectionId),
    mtls: () => bool(false),
    requested_server_name: () => text(""),
  });
}

/** `source` and `destination`. Source: as above (PeerWrapper). */
export function peerAttributes(port: number): AttributeValue {
  return group({
    address: () => text(`${addresses.host}:${String(port)}`),
    port: () => number(port),
  });
}

/** `upstream`: what is known once the router has the request. Source: as above (UpstreamLookupValues). */
export function upstreamAttributes(info: StreamInfo): AttributeValue {
  const { upstream } = info;
  const known = <T>(value: T): T | undefined => (upstream === undefined ? undefined : value);
  return group({
    address: () => optionalText(upstream?.address),
    port: () => optionalNumber(upstream?.port),
    local_address: () => optionalText(upstream?.localAddress),
    locality: () => known(locality),
    transport_failure_reason: () => known(text("")),
    request_attempt_count: () => number(info.attemptCount),
    cx_pool_ready_duration: () => optionalNumber(upstream?.readyNs === undefined ? undefined : 0),
    num_endpoints: () => (info.route.cluster === undefined ? undefined : number(1)),
  });
}

/** `envoy.config.core.v3.Locality` without names. */
export const locality = message(new Uint8Array(0), {
  region: () => text(""),
  zone: () => text(""),
  sub_zone: () => text(""),
});
