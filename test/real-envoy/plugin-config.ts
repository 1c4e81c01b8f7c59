/** A wasm plugin as Envoy's configuration has it, in each place where one can stand. */
import { extensions, types } from "./json.ts";
import type { Json } from "./json.ts";

/** Where a plugin stands: a filter, a logger, a bootstrap service on every thread or on main only, a stats sink. */
export type PluginPlace =
  "http" | "network" | "service" | "singleton" | "access_log" | "stats_sink";

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
  readonly environment?: Readonly<Record<string, string>>;
  readonly failurePolicy?: "FAIL_CLOSED" | "FAIL_OPEN" | "FAIL_RELOAD";
  readonly failOpen?: boolean;
  readonly reload?: { readonly baseInterval: string } | undefined;
  readonly allowedCapabilities?: readonly string[];
  readonly allowOnHeadersStopIteration?: boolean;
  /** "http" when absent. */
  readonly kind?: PluginPlace;
}

export function httpFilter(spec: PluginSpec): Json {
  return extension("envoy.filters.http.wasm", "filters.http.wasm.v3.Wasm", spec);
}

export function networkFilter(spec: PluginSpec): Json {
  return extension("envoy.filters.network.wasm", "filters.network.wasm.v3.Wasm", spec);
}

export function accessLog(spec: PluginSpec): Json {
  return extension("envoy.access_loggers.wasm", "access_loggers.wasm.v3.WasmAccessLog", spec);
}

export function statsSink(spec: PluginSpec): Json {
  return extension("envoy.stat_sinks.wasm", "stat_sinks.wasm.v3.Wasm", spec);
}

export function bootstrapService(spec: PluginSpec): Json {
  return {
    name: "envoy.bootstrap.wasm",
    typed_config: {
      "@type": `${extensions}wasm.v3.WasmService`,
      singleton: spec.kind === "singleton",
      config: pluginConfig(spec),
    },
  };
}

function extension(name: string, type: string, spec: PluginSpec): Json {
  return { name, typed_config: { "@type": extensions + type, config: pluginConfig(spec) } };
}

function pluginConfig(spec: PluginSpec): Json {
  const { allowedCapabilities, configuration } = spec;
  return {
    name: spec.name,
    root_id: spec.rootId ?? "",
    vm_config: vmConfig(spec),
    ...(configuration === undefined
      ? {}
      : {
          configuration: text(
            typeof configuration === "string" ? configuration : JSON.stringify(configuration),
          ),
        }),
    ...(spec.failurePolicy === undefined ? {} : { failure_policy: spec.failurePolicy }),
    ...(spec.failOpen === undefined ? {} : { fail_open: spec.failOpen }),
    ...(spec.reload === undefined
      ? {}
      : { reload_config: { backoff: { base_interval: seconds(spec.reload.baseInterval) } } }),
    ...(allowedCapabilities === undefined
      ? {}
      : {
          capability_restriction_config: {
            allowed_capabilities: Object.fromEntries(allowedCapabilities.map((name) => [name, {}])),
          },
        }),
    ...(spec.allowOnHeadersStopIteration === undefined
      ? {}
      : { allow_on_headers_stop_iteration: spec.allowOnHeadersStopIteration }),
  };
}

/** Envoy's form of `200ms`. */
function seconds(duration: string): string {
  return `${String(Number(duration.replace("ms", "")) / 1000)}s`;
}

function vmConfig(spec: PluginSpec): Json {
  const { environment, vmConfiguration } = spec;
  return {
    vm_id: spec.vmId ?? "",
    runtime: "envoy.wasm.runtime.v8",
    code: { local: { filename: spec.wasm } },
    ...(vmConfiguration === undefined ? {} : { configuration: text(vmConfiguration) }),
    ...(environment === undefined ? {} : { environment_variables: { key_values: environment } }),
  };
}

function text(value: string): Json {
  return { "@type": `${types}google.protobuf.StringValue`, value };
}
