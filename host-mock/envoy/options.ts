import type { ClusterOptions } from "../http/cluster-options.ts";
import type { DnsNames } from "../http/dns.ts";
import type { UpstreamHosts } from "../http/upstream-hosts.ts";
import type { ForeignFunctionOptions } from "./foreign/own-functions.ts";
import type { ListenerOptions } from "../http/listener-options.ts";

export type LogLevelName = "trace" | "debug" | "info" | "warn" | "error" | "critical" | "off";

export type FailurePolicy = "FAIL_CLOSED" | "FAIL_OPEN" | "FAIL_RELOAD";

export const pluginKinds = [
  "http",
  "network",
  "service",
  "singleton",
  "access_log",
  "stats_sink",
] as const;

export type PluginKind = (typeof pluginKinds)[number];

/** An object becomes JSON text; a string and bytes are taken as they are; absent is zero bytes. */
export type ConfigurationValue =
  string | Uint8Array | Readonly<Record<string, unknown>> | readonly unknown[];

export interface PluginOptions {
  /** Unique; the property `plugin_name`. */
  readonly name: string;
  /** The module's bytes, or a path; a relative one starts at the working directory. */
  readonly wasm: string | Uint8Array;
  readonly rootId?: string;
  /** Plugins of one vmId see the same shared data; with all else that makes a VM alike, the same VMs too. */
  readonly vmId?: string;
  readonly configuration?: ConfigurationValue;
  readonly vmConfiguration?: ConfigurationValue;
  /** What WASI's `environ_get` shows. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What a failed VM means for new requests; "FAIL_CLOSED" when absent. Requests under way then get 503. */
  readonly failurePolicy?: FailurePolicy;
  /** The older switch: true lets new requests and those under way pass a failed VM. Not beside a failurePolicy. */
  readonly failOpen?: boolean;
  /** FAIL_RELOAD: a new VM at the earliest `baseInterval` (default "1s", at least "2ms") to 1.5 times it after a load. */
  readonly reload?: { readonly baseInterval?: string };
  /** Capability restriction: imports and exports the VM may use; absent or empty: all. Another list makes another VM. */
  readonly allowedCapabilities?: readonly string[];
  /** True keeps the answer StopIteration of a headers callback: body callbacks come while the headers are held. */
  readonly allowOnHeadersStopIteration?: boolean;
  /**
   * `http` (default): a filter of every request. `network`: a filter of TCP connections. `access_log`: a logger of
   * requests. `service`: a bootstrap service on every thread, no requests; `singleton`: one on main only. `stats_sink`:
   * gets the statistics at each flush, on main only.
   */
  readonly kind?: PluginKind;
  /** How leaderships are read: the SDK's witness lines (default), or sets of a wasm-go lease key. */
  readonly witness?: "log" | "lease";
}

/** Durations are text with a unit (`ns us ms s m h`). */
export interface MockEnvoyOptions {
  /**
   * Worker threads, 1 … 100000; default 1. A plugin has a VM on the main thread too. Node holds the memories of about
   * 10,000 VMs in one process: one VM more than there is room for is E_OPTION.
   */
  readonly concurrency?: number;
  /** An integer of 0 … 2^53 − 1; default 1. Draws phases, jitter, `random_get` and the order of equal instants. */
  readonly seed?: number;
  /** The host to be: "envoy" (default) or "higress". */
  readonly profile?: string;
  /** Wall clock at the start, ISO 8601; default "2026-01-01T00:00:00Z". The monotonic clock starts at 1 h. */
  readonly start?: string;
  /** What `proxy_get_log_level` answers; default "debug". */
  readonly logLevel?: LogLevelName;
  /** Each timer is late by a draw of up to this; default "0ms". */
  readonly tickJitter?: string;
  /** Added to both clocks by each host call; default "0us". */
  readonly callCost?: string;
  /** How long old contexts live after a reconfigure; default "600s" as in Envoy. */
  readonly drain?: string;
  /** How often histograms and stats sinks get the statistics; default "5s". */
  readonly statsFlushInterval?: string;
  /** "fail" (default): a call to an unknown cluster is BadArgument and noted. "allow": it answers 200. */
  readonly undeclaredClusters?: "fail" | "allow";
  /** "outcome" (default) keeps what judging needs; "full" records every call and callback too. */
  readonly trace?: "outcome" | "full";
  /** Host calls recorded in "outcome" as well. */
  readonly alsoCalls?: readonly string[];
  /**
   * Host calls before which a thread can be paused in the middle of a callback. The modules are rewritten for it, once
   * and kept on disk, and run slower; what is traced stays the same.
   */
  readonly pausePoints?: readonly string[];
  /** Properties `xds.node.id` and `xds.node.cluster`; default "mock-node" and "mock-cluster". */
  readonly node?: { readonly id?: string; readonly cluster?: string };
  /** True: a plugin that refuses to start is recorded, and start() returns; nothing runs then. */
  readonly allowRefusedStart?: boolean;
  /** At least one; the order is the filter chain's. */
  readonly plugins: readonly PluginOptions[];
  readonly clusters?: Readonly<Record<string, ClusterOptions>>;
  /** What `envoy_resolve_dns` finds, by name; every other name fails. */
  readonly dns?: DnsNames;
  /** By name; default: one, "default", with all http plugins. A request that names none goes to the first. */
  readonly listeners?: Readonly<Record<string, ListenerOptions>>;
  /** Higress: what `proxy_get_upstream_hosts` shows, by the cluster that the listener routes to. */
  readonly upstreamHosts?: UpstreamHosts;
  /** What `proxy_call_foreign_function` finds by name, before Envoy's own functions. */
  readonly foreignFunctions?: ForeignFunctionOptions;
}
