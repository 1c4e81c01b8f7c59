import { MockHostError } from "../../errors.ts";
import { fromLatin1, lossyUtf8 } from "../../state/bytes.ts";
import type { StoredValue } from "../../state/filter-state.ts";

/** Makes the object of a key from its value; undefined: the value is refused. */
type Make = (value: string) => StoredValue | undefined;

const text: Make = (value) => ({ kind: "text", text: lossyUtf8(fromLatin1(value)) });
const someText: Make = (value) => (value === "" ? undefined : text(value));
const opaque: Make = () => ({ kind: "opaque" });

/** A decimal of at most `max`, shown as a number is. */
const number =
  (max: bigint): Make =>
  (value) => {
    if (!/^\s*\+?\d+\s*$/.test(value)) return undefined;
    const parsed = BigInt(value.trim().replace(/^\+/, ""));
    return parsed <= max ? { kind: "text", text: String(parsed) } : undefined;
  };

const flag: Make = (value) => ({ kind: "text", text: String(value === "true") });

const address: Make = (value) => {
  const match = /^(?:([\d.]+)|\[([\da-fA-F:.]+)\]):(\d{1,5})$/.exec(value);
  const port = Number(match?.[3]);
  const ip = canonicalIp(match?.[1] ?? match?.[2] ?? "");
  return ip === undefined || port > 65535 ? undefined : { kind: "address", ip, port };
};

/** Shown as Envoy shows an address: with the port 0. */
const ip: Make = (value) => {
  const known = canonicalIp(value);
  if (known === undefined) return undefined;
  return { kind: "text", text: known.includes(":") ? `[${known}]:0` : `${known}:0` };
};

/** E_UNSUPPORTED: what the object takes is not known here. */
function unknownTo(key: string): Make {
  return () => {
    throw new MockHostError("E_UNSUPPORTED", `set_envoy_filter_state of ${key}`, {
      remedy: "which values it takes is not built; leave it out",
    });
  };
}

const u32Max = 2n ** 32n - 1n;
const u64Max = 2n ** 64n - 1n;

/**
 * Keys for which Envoy 1.40.0 makes objects of a text, found by trying every name of its binary.
 *
 * Source: Envoy `docs/root/configuration/advanced/well_known_filter_state.rst`.
 */
export const filterStateObjects: ReadonlyMap<string, Make> = new Map([
  ["envoy.ai.model.request", someText],
  ["envoy.filters.listener.original_dst.local_ip", address],
  ["envoy.filters.listener.original_dst.remote_ip", address],
  ["envoy.hashable_string", text],
  ["envoy.network.application_protocols", opaque],
  ["envoy.network.ip", ip],
  ["envoy.network.network_namespace", text],
  ["envoy.network.transport_socket.original_dst_address", address],
  ["envoy.network.upstream_server_name", text],
  ["envoy.network.upstream_subject_alt_names", text],
  ["envoy.ratelimit.hits_addend", number(u32Max)],
  ["envoy.router.debug_config", opaque],
  ["envoy.tcp_proxy.cluster", text],
  ["envoy.tcp_proxy.disable_tunneling", flag],
  ["envoy.tcp_proxy.per_connection_idle_timeout_ms", number(u64Max)],
  ["envoy.upstream.dynamic_host", text],
  ["envoy.upstream.dynamic_port", number(u32Max)],
  ...["envoy.ai.llm_protocol.request", "envoy.network.transport_socket.http_11_proxy.info"].map(
    (key): [string, Make] => [key, unknownTo(key)],
  ),
]);

/** An IPv4 or IPv6 address as text in its usual form; undefined for what is none. */
function canonicalIp(value: string): string | undefined {
  const parts = value.split(".");
  if (parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part)))
    return parts.every((part) => Number(part) <= 255) ? value : undefined;
  if (!/^[\da-fA-F:]+$/.test(value) || !value.includes(":")) return undefined;
  try {
    return new URL(`http://[${value}]/`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
}
