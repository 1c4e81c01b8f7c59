/** Envoy configuration as data: the bootstrap, and listeners in a file that can change while Envoy runs. */
import { renameSync, writeFileSync } from "node:fs";

export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export interface PluginSpec {
  /** The property `plugin_name`. */
  readonly name: string;
  /** Absolute path of the module. */
  readonly wasm: string;
  readonly rootId?: string;
  readonly vmId?: string;
  /** An object becomes JSON text; absent: no configuration at all. */
  readonly configuration?: Json;
  readonly vmConfiguration?: string;
}

export interface ListenerSpec {
  readonly name: string;
  readonly plugins: readonly PluginSpec[];
}

export interface ClusterSpec {
  readonly name: string;
  readonly port: number;
}

const types = "type.googleapis.com/";
const extensions = `${types}envoy.extensions.`;

/** The upstream to which every listener routes. */
export const upstreamCluster = "upstream";

export function bootstrap(spec: { listenersFile: string; clusters: readonly ClusterSpec[] }): Json {
  return {
    node: { id: "conformance-node", cluster: "conformance-cluster" },
    admin: { address: address(anyPort) },
    static_resources: { clusters: spec.clusters.map(cluster) },
    dynamic_resources: { lds_config: { path_config_source: { path: spec.listenersFile } } },
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
  const router = {
    name: "envoy.filters.http.router",
    typed_config: { "@type": `${extensions}filters.http.router.v3.Router` },
  };
  const manager = {
    "@type": `${extensions}filters.network.http_connection_manager.v3.HttpConnectionManager`,
    stat_prefix: spec.name,
    codec_type: "AUTO",
    route_config: {
      name: "all",
      virtual_hosts: [
        {
          name: "all",
          domains: ["*"],
          routes: [{ match: { prefix: "/" }, route: { cluster: upstreamCluster, timeout: "15s" } }],
        },
      ],
    },
    http_filters: [...spec.plugins.map(wasmFilter), router],
  };
  return {
    name: spec.name,
    address: address(anyPort),
    enable_reuse_port: true,
    filter_chains: [
      {
        filters: [{ name: "envoy.filters.network.http_connection_manager", typed_config: manager }],
      },
    ],
  };
}

function wasmFilter(spec: PluginSpec): Json {
  const vmConfig: Record<string, Json> = {
    vm_id: spec.vmId ?? "",
    runtime: "envoy.wasm.runtime.v8",
    code: { local: { filename: spec.wasm } },
  };
  if (spec.vmConfiguration !== undefined) vmConfig["configuration"] = text(spec.vmConfiguration);
  const config: Record<string, Json> = {
    name: spec.name,
    root_id: spec.rootId ?? "",
    vm_config: vmConfig,
  };
  if (spec.configuration !== undefined) {
    const { configuration } = spec;
    config["configuration"] = text(
      typeof configuration === "string" ? configuration : JSON.stringify(configuration),
    );
  }
  return {
    name: "envoy.filters.http.wasm",
    typed_config: { "@type": `${extensions}filters.http.wasm.v3.Wasm`, config },
  };
}

function text(value: string): Json {
  return { "@type": `${types}google.protobuf.StringValue`, value };
}

function cluster(spec: ClusterSpec): Json {
  const endpoint = { endpoint: { address: address(spec.port) } };
  return {
    name: spec.name,
    connect_timeout: "2s",
    type: "STATIC",
    load_assignment: { cluster_name: spec.name, endpoints: [{ lb_endpoints: [endpoint] }] },
  };
}

/** The kernel chooses; a listener that is replaced by one of its name keeps what it got. */
const anyPort = 0;

function address(port: number): Json {
  return { socket_address: { address: "127.0.0.1", port_value: port } };
}
