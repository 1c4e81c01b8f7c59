import { lossyUtf8, noBytes } from "../state/bytes.ts";
import { FilterState } from "../state/filter-state.ts";
import type { PropertyValue } from "../state/properties.ts";

/** The connection to the upstream that serves a request. */
export interface UpstreamInfo {
  /** `ip:port` of the host. */
  readonly address: string;
  readonly port: number;
  /** Envoy's own end; undefined when no connection came about. */
  readonly localAddress?: string;
  /** Nanoseconds since the start of the run. */
  readonly readyNs?: number;
  /** The request's first byte left; undefined before. */
  firstSentNs?: number;
  /** The answer's last byte came; undefined before. */
  lastReceivedNs?: number;
}

/** Names of the configuration that serves a stream, as properties show them. */
export interface RouteNames {
  /** Undefined for a TCP connection, which has no route. */
  readonly route: string | undefined;
  readonly virtualHost: string | undefined;
  readonly filterChain: string;
  /** Undefined when Envoy answers by itself (a direct response). */
  readonly cluster: string | undefined;
  /** 0 unspecified, 1 inbound, 2 outbound. */
  readonly direction: number;
}

/** One virtual host and one route without names of their own, to the one upstream. */
export const defaultRoute: RouteNames = {
  route: "",
  virtualHost: "all",
  filterChain: "",
  cluster: "upstream",
  direction: 0,
};

/** Every client and the upstream have this address; the port tells what is which. */
export const addresses = {
  host: "127.0.0.1",
  clientPort: 50000,
  listenerPort: 10000,
  upstreamPort: 20000,
  /** Envoy's end of its connection to the upstream. */
  localPort: 30000,
} as const;

const upstreamAddress = `${addresses.host}:${addresses.upstreamPort}`;
const localAddress = `${addresses.host}:${addresses.localPort}`;

function portOf(address: string): number {
  return Number(address.slice(address.lastIndexOf(":") + 1));
}

/** The connection that carries a request to the upstream, open at that instant; to a host that was asked for. */
export function openUpstream(nowNs: number, wanted?: string): UpstreamInfo {
  return {
    address: wanted ?? upstreamAddress,
    port: wanted === undefined ? addresses.upstreamPort : portOf(wanted),
    localAddress,
    readyNs: nowNs,
    firstSentNs: nowNs,
  };
}

/** Details of a local reply as Envoy keeps them: no white space. */
export function codeDetails(details: string | Uint8Array | undefined): string {
  const text = typeof details === "string" ? details : lossyUtf8(details ?? noBytes);
  return text.replace(/\s/g, "_");
}

/** Bits of `response.flags`. Source: Envoy `envoy/stream_info/stream_info.h`. */
export const ResponseFlag = {
  NoHealthyUpstream: 0x2,
  UpstreamRequestTimeout: 0x4,
  UpstreamRemoteReset: 0x10,
  UpstreamConnectionFailure: 0x20,
  UpstreamConnectionTermination: 0x40,
  NoRouteFound: 0x100,
  DownstreamConnectionTermination: 0x4000,
  DownstreamProtocolError: 0x40000,
  UpstreamProtocolError: 0x800000,
} as const;

const noOverrides: ReadonlyMap<string, PropertyValue> = new Map();

/**
 * What Envoy notes down about a stream while it passes, for properties and logs.
 *
 * Source: Envoy `source/common/stream_info/stream_info_impl.h`.
 */
export class StreamInfo {
  /** Undefined for a TCP connection. */
  protocol: "HTTP/1.1" | "HTTP/2" | undefined = "HTTP/1.1";
  /** Unix nanoseconds when the request's headers had come. */
  startedWallNs = 0n;
  /** The same instant, nanoseconds since the start of the run. */
  startedNs = 0;
  /** The stream is complete; nanoseconds since the start of the run. */
  completedNs: number | undefined;
  /** Body bytes from the client so far. */
  receivedBytes = 0;
  /** Body bytes to the client so far. */
  sentBytes = 0;
  responseCode: number | undefined;
  responseCodeDetails: string | undefined;
  /** Bits of `ResponseFlag`. */
  responseFlags = 0;
  /** Times the router tried an upstream. */
  attemptCount = 0;
  /** The host that the load balancer takes, `IP:PORT`; undefined: the one there is. */
  upstreamHost: string | undefined;
  /** Set when the router has the request. */
  upstream: UpstreamInfo | undefined;
  route: RouteNames = defaultRoute;
  /** Values that the test gives, by path with components separated by NUL. */
  overrides: ReadonlyMap<string, PropertyValue> = noOverrides;
  #filterState: FilterState | undefined;

  /** What plugins keep with the stream. */
  get filterState(): FilterState {
    return (this.#filterState ??= new FilterState());
  }
}
