/** Envoy configuration as data: the bootstrap, and listeners in a file that can change while Envoy runs. */
import { renameSync, writeFileSync } from "node:fs";
import { cluster } from "./clusters.ts";
import type { ClusterSpec } from "./clusters.ts";
import { address, anyPort, extensions, types } from "./json.ts";
import type { Json } from "./json.ts";
import {
  accessLog,
  bootstrapService,
  httpFilter,
  networkFilter,
  statsSink,
} from "./plugin-config.ts";
import type { PluginSpec } from "./plugin-config.ts";

export type { ClusterSpec } from "./clusters.ts";
export type { Json } from "./json.ts";
export type { PluginSpec } from "./plugin-config.ts";

export interface ListenerSpec {
  readonly name: string;
  /** In chain order. One network filter among them makes it a listener for TCP. */
  readonly plugins: readonly PluginSpec[];
  readonly bufferLimitBytes?: number;
  readonly maxRequestHeaderCount?: number;
  readonly maxRequestHeadersKb?: number;
  readonly directResponse?: { readonly status: number; readonly body: string };
  readonly allowUpgrade?: boolean;
}

/** The upstream to which every listener for HTTP routes. */
export const upstreamCluster = "upstream";
/** The server behind every listener for TCP. */
export const tcpCluster = "tcp-upstream";

export interface BootstrapSpec {
  readonly listenersFile: string;
  readonly clusters: readonly ClusterSpec[];
  readonly services?: readonly PluginSpec[];
  readonly statsSinks?: readonly PluginSpec[];
  /** Seconds between flushes of statistics; 5 when absent, as Envoy's. */
  readonly flushSeconds?: number;
}

export function bootstrap(spec: BootstrapSpec): Json {
  return {
    node: { id: "conformance-node", cluster: "conformance-cluster" },
    admin: { address: address(anyPort) },
    static_resources: { clusters: spec.clusters.map(cluster) },
    dynamic_resources: { lds_config: { path_config_source: { path: spec.listenersFile } } },
    bootstrap_extensions: (spec.services ?? []).map(bootstrapService),
    stats_sinks: (spec.statsSinks ?? []).map(statsSink),
    stats_flush_interval: `${String(spec.flushSeconds ?? 5)}s`,
  };
}

/** Envoy notices a rename into place, not a write. */
export function writeListeners(file: string, listeners: readonly ListenerSpec[]): void {
  const resources = listeners.map((spec) => ({
    "@type": `${types}envoy.config.listener.v3.Listener`,
    ...listener(spec),
  }));
  writeFileSync(`${file}.new`, JSON.stringify({ resources }, null, 1));
  renameSync(`${file}.new`, file);
}

function listener(spec: ListenerSpec): { readonly [name: string]: Json } {
  const isTcp = spec.plugins.some(({ kind }) => kind === "network");
  return {
    name: spec.name,
    address: address(anyPort),
    enable_reuse_port: true,
    ...(spec.bufferLimitBytes === undefined
      ? {}
      : { per_connection_buffer_limit_bytes: spec.bufferLimitBytes }),
    filter_chains: [{ filters: isTcp ? tcpFilters(spec) : [connectionManager(spec)] }],
  };
}

function tcpFilters(spec: ListenerSpec): Json[] {
  const proxy = {
    "@type": `${extensions}filters.network.tcp_proxy.v3.TcpProxy`,
    stat_prefix: spec.name,
    cluster: tcpCluster,
  };
  return [
    ...spec.plugins.map(networkFilter),
    { name: "envoy.filters.network.tcp_proxy", typed_config: proxy },
  ];
}

function connectionManager(spec: ListenerSpec): Json {
  const router = {
    name: "envoy.filters.http.router",
    typed_config: { "@type": `${extensions}filters.http.router.v3.Router` },
  };
  const filters = spec.plugins.filter(({ kind = "http" }) => kind === "http");
  const loggers = spec.plugins.filter(({ kind }) => kind === "access_log");
  const { maxRequestHeaderCount, maxRequestHeadersKb } = spec;
  const manager = {
    "@type": `${extensions}filters.network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: spec.name,
    codec_type: "AUTO",
    http_protocol_options: { enable_trailers: true },
    ...(maxRequestHeaderCount === undefined
      ? {}
      : { common_http_protocol_options: { max_headers_count: maxRequestHeaderCount } }),
    ...(maxRequestHeadersKb === undefined ? {} : { max_request_headers_kb: maxRequestHeadersKb }),
    ...(spec.allowUpgrade === true ? { upgrade_configs: [{ upgrade_type: "websocket" }] } : {}),
    route_config: {
      name: "all",
      virtual_hosts: [{ name: "all-hosts", domains: ["*"], routes: [route(spec)] }],
    },
    http_filters: [...filters.map(httpFilter), router],
    access_log: loggers.map(accessLog),
  };
  return { name: "envoy.filters.network.http_connection_manager", typed_config: manager };
}

function route({ directResponse }: ListenerSpec): Json {
  const common = { name: "a-route", match: { prefix: "/" } };
  if (directResponse === undefined)
    return { ...common, route: { cluster: upstreamCluster, timeout: "15s" } };
  const { status, body } = directResponse;
  return { ...common, direct_response: { status, body: { inline_string: body } } };
}
