import type { ClusterOptions } from "../http/cluster-options.ts";

export type LogLevelName = "trace" | "debug" | "info" | "warn" | "error" | "critical" | "off";

export type FailurePolicy = "FAIL_CLOSED" | "FAIL_OPEN" | "FAIL_RELOAD";

export type PluginKind = "http" | "service" | "singleton";

/** An object becomes JSON text; a string and bytes are taken as they are; absent is zero bytes. */
export type ConfigurationValue =
  string | Uint8Array | Readonly<Record<string, unknown>> | readonly unknown[];

export interface PluginOptions {
  /** Unique; the property `plugin_name`. */
  readonly name: string;
  /** The module's bytes, or a path; a relative one starts at the working directory. */
  readonly wasm: string | Uint8Array;
  readonly rootId?: string;
  /** Plugins of one vmId see the same shared data; with the same VM configuration and code, the same VMs too. */
  readonly vmId?: string;
  readonly configuration?: ConfigurationValue;
  readonly vmConfiguration?: ConfigurationValue;
  /** What WASI's `environ_get` shows. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What a failed VM means for requests; "FAIL_CLOSED" when absent. */
  readonly failurePolicy?: FailurePolicy;
  /** `http` (default): a filter of every request. `service`: on every thread, no requests. `singleton`: main only. */
  readonly kind?: PluginKind;
  /** How leaderships are read: the SDK's witness lines (default), or sets of a wasm-go lease key. */
  readonly witness?: "log" | "lease";
}

/** Durations are text with a unit (`ns us ms s m h`). */
export interface MockEnvoyOptions {
  /** Worker threads, 1 … 100000; default 1. A plugin has a VM on the main thread too. */
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
  /** "fail" (default): a call to an unknown cluster is BadArgument and noted. "allow": it answers 200. */
  readonly undeclaredClusters?: "fail" | "allow";
  /** "outcome" (default) keeps what judging needs; "full" records every call and callback too. */
  readonly trace?: "outcome" | "full";
  /** Host calls recorded in "outcome" as well. */
  readonly alsoCalls?: readonly string[];
  /** Properties `xds.node.id` and `xds.node.cluster`; default "mock-node" and "mock-cluster". */
  readonly node?: { readonly id?: string; readonly cluster?: string };
  /** True: a plugin that refuses to start is recorded, and start() returns; nothing runs then. */
  readonly allowRefusedStart?: boolean;
  /** At least one; the order is the filter chain's. */
  readonly plugins: readonly PluginOptions[];
  readonly clusters?: Readonly<Record<string, ClusterOptions>>;
}
