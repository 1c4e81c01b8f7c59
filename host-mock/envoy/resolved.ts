import { logLevelNames } from "../abi/enums.ts";
import {
  isRecord,
  nearest,
  requireFlag,
  requireKeys,
  requireRecord,
  requireText,
  shown,
} from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import type { ForeignFunction } from "./foreign/foreign-function.ts";
import { resolveForeignFunctions } from "./foreign/own-functions.ts";
import { unixSeconds } from "./instant.ts";
import { pausePointsOf, requireTracedNames } from "./known-names.ts";
import { profileByName, type Profile } from "../profiles/index.ts";
import { resolveHosts, type HostList } from "../http/upstream-hosts.ts";
import { utf8 } from "../state/bytes.ts";
import { parseDuration } from "../time/duration.ts";
import {
  pluginKinds,
  type ConfigurationValue,
  type MockEnvoyOptions,
  type PluginKind,
  type PluginOptions,
} from "./options.ts";
import { resolvePolicy, type PluginPolicy } from "./plugin-policy.ts";

/** Options as the host works with them: checked, defaults filled in, durations in nanoseconds. */
export interface ResolvedOptions {
  readonly concurrency: number;
  readonly seed: number;
  readonly profile: Profile;
  readonly startWallNs: bigint;
  readonly logLevel: number;
  readonly tickJitterNs: number;
  readonly callCostNs: number;
  readonly drainNs: number;
  readonly statsFlushNs: number;
  /** As imports, `env.proxy_set_shared_data`. */
  readonly pausePoints: ReadonlySet<string>;
  readonly allowUndeclared: boolean;
  readonly allowRefusedStart: boolean;
  readonly nodeId: string;
  readonly nodeCluster: string;
  readonly foreignFunctions: ReadonlyMap<string, ForeignFunction>;
  readonly upstreamHosts: ReadonlyMap<string, HostList>;
}

export interface ResolvedPlugin extends PluginPolicy {
  readonly name: string;
  readonly rootId: string;
  readonly vmId: string;
  readonly configuration: Uint8Array;
  readonly vmConfiguration: Uint8Array;
  readonly environment: readonly (readonly [string, string])[];
  readonly kind: PluginKind;
  readonly allowOnHeadersStopIteration: boolean;
  readonly witness: "log" | "lease";
}

const policies: readonly string[] = ["FAIL_CLOSED", "FAIL_OPEN", "FAIL_RELOAD"];
const reloadKeys = ["baseInterval"] as const;
const witnesses: readonly string[] = ["log", "lease"];
const concurrencyMax = 100_000;
const flushMinNs = 1_000_000;
const callCostMaxNs = 1_000_000_000;

const optionKeys = [
  "concurrency",
  "seed",
  "profile",
  "start",
  "logLevel",
  "tickJitter",
  "callCost",
  "drain",
  "statsFlushInterval",
  "undeclaredClusters",
  "trace",
  "alsoCalls",
  "pausePoints",
  "node",
  "allowRefusedStart",
  "plugins",
  "clusters",
  "dns",
  "listeners",
  "foreignFunctions",
  "upstreamHosts",
] as const satisfies readonly (keyof MockEnvoyOptions)[];

const pluginKeys = [
  "name",
  "wasm",
  "rootId",
  "vmId",
  "configuration",
  "vmConfiguration",
  "environment",
  "failurePolicy",
  "failOpen",
  "reload",
  "allowedCapabilities",
  "allowOnHeadersStopIteration",
  "kind",
  "witness",
] as const satisfies readonly (keyof PluginOptions)[];

/** E_OPTION, or E_UNKNOWN_NAME for a profile, with what to do. */
export function resolveOptions(options: MockEnvoyOptions): ResolvedOptions {
  requireKeys("MockEnvoy", options, optionKeys);
  requireSimple(options);
  const callCostNs = parseDuration(options.callCost ?? "0us", "callCost");
  if (callCostNs > callCostMaxNs) {
    throw new MockHostError("E_OPTION", `callCost is ${options.callCost ?? ""}`, {
      remedy: "give at most 1s; a host call costs less than a microsecond",
    });
  }
  const concurrency = options.concurrency ?? 1;
  requireInteger("concurrency", concurrency, 1, concurrencyMax);
  const seed = options.seed ?? 1;
  requireInteger("seed", seed, 0, Number.MAX_SAFE_INTEGER);
  const level = options.logLevel ?? "debug";
  requireOneOf("logLevel", level, logLevelNames);
  requireOneOf("undeclaredClusters", options.undeclaredClusters ?? "fail", ["fail", "allow"]);
  requireOneOf("trace", options.trace ?? "outcome", ["outcome", "full"]);
  return {
    concurrency,
    seed,
    profile: profileByName(options.profile ?? "envoy"),
    startWallNs: wallNsOf(options.start ?? "2026-01-01T00:00:00Z"),
    logLevel: logLevelNames.indexOf(level),
    tickJitterNs: parseDuration(options.tickJitter ?? "0ms", "tickJitter"),
    callCostNs,
    drainNs: parseDuration(options.drain ?? "600s", "drain"),
    statsFlushNs: flushNsOf(options.statsFlushInterval ?? "5s"),
    pausePoints: pausePointsOf(options.pausePoints),
    allowUndeclared: options.undeclaredClusters === "allow",
    allowRefusedStart: options.allowRefusedStart ?? false,
    nodeId: options.node?.id ?? "mock-node",
    nodeCluster: options.node?.cluster ?? "mock-cluster",
    foreignFunctions: resolveForeignFunctions(options.foreignFunctions),
    upstreamHosts: resolveHosts(options.upstreamHosts),
  };
}

/** E_OPTION for a flag that is none, a text that is none, and what else needs no default. */
function requireSimple(options: MockEnvoyOptions): void {
  const { node, clusters, dns } = options;
  if (node !== undefined) {
    requireKeys("node", node, ["id", "cluster"]);
    requireText("node: id", node.id);
    requireText("node: cluster", node.cluster);
  }
  requireFlag("allowRefusedStart", options.allowRefusedStart);
  requireText("profile", options.profile);
  requireText("start", options.start);
  requireTracedNames("alsoCalls", options.alsoCalls);
  if (clusters !== undefined)
    requireRecord("clusters", clusters, "give an object of clusters by name");
  if (dns !== undefined) requireRecord("dns", dns, "give an object of addresses by name");
}

/** E_OPTION for wrong or repeated values. */
export function resolvePlugins(plugins: readonly PluginOptions[]): ResolvedPlugin[] {
  const isList: boolean = Array.isArray(plugins);
  if (!isList || plugins.length === 0) {
    throw new MockHostError("E_OPTION", "there is no plugin", {
      remedy: "give plugins at least one entry",
    });
  }
  const names = new Set<string>();
  return plugins.map((plugin) => {
    requireKeys("a plugin", plugin, pluginKeys);
    if (typeof plugin.name !== "string" || plugin.name === "") {
      throw new MockHostError("E_OPTION", "a plugin has no name", {
        remedy: "give each plugin a name of its own",
      });
    }
    if (names.has(plugin.name)) {
      throw new MockHostError("E_OPTION", `two plugins are called ${plugin.name}`, {
        remedy: "give each plugin a name of its own",
      });
    }
    names.add(plugin.name);
    return resolvePlugin(plugin);
  });
}

function resolvePlugin(plugin: PluginOptions): ResolvedPlugin {
  const of = (field: string) => `plugin ${plugin.name}: ${field}`;
  if (typeof plugin.wasm !== "string" && !((plugin.wasm as unknown) instanceof Uint8Array)) {
    throw new MockHostError("E_OPTION", `${of("wasm")} is ${shown(plugin.wasm)}`, {
      remedy: "give the module's bytes or its path",
    });
  }
  requireOneOf(of("failurePolicy"), plugin.failurePolicy ?? "FAIL_CLOSED", policies);
  if (plugin.reload !== undefined) requireKeys(of("reload"), plugin.reload, reloadKeys);
  requireOneOf(of("kind"), plugin.kind ?? "http", pluginKinds);
  requireFlag(of("allowOnHeadersStopIteration"), plugin.allowOnHeadersStopIteration);
  requireOneOf(of("witness"), plugin.witness ?? "log", witnesses);
  requireText(of("rootId"), plugin.rootId);
  requireText(of("vmId"), plugin.vmId);
  return {
    name: plugin.name,
    rootId: plugin.rootId ?? "",
    vmId: plugin.vmId ?? "",
    configuration: configurationBytes(plugin.configuration, of("configuration")),
    vmConfiguration: configurationBytes(plugin.vmConfiguration, of("vmConfiguration")),
    environment: environmentOf(of("environment"), plugin.environment),
    ...resolvePolicy(plugin, of),
    kind: plugin.kind ?? "http",
    allowOnHeadersStopIteration: plugin.allowOnHeadersStopIteration ?? false,
    witness: plugin.witness ?? "log",
  };
}

/** E_OPTION for variables that no process can have. */
function environmentOf(
  called: string,
  environment: PluginOptions["environment"],
): ResolvedPlugin["environment"] {
  if (environment === undefined) return [];
  requireRecord(called, environment, "give an object of texts by name");
  const variables = Object.entries(environment);
  for (const [name, value] of variables) {
    if (typeof value !== "string") {
      throw new MockHostError("E_OPTION", `${called}: ${name} is ${shown(value)}`, {
        remedy: "give a text",
      });
    }
    if (name !== "" && !/[=\0]/.test(name) && !value.includes("\0")) continue;
    throw new MockHostError("E_OPTION", `${called}: ${shown(name)} is no variable`, {
      remedy: "give a name without = and NUL, and a value without NUL",
    });
  }
  return variables;
}

/** An object becomes JSON text, as Envoy does with a Struct; text and bytes stay as they are. */
export function configurationBytes(
  value: ConfigurationValue | undefined,
  called = "a configuration",
): Uint8Array {
  if (value === undefined) return new Uint8Array(0);
  if (typeof value === "string") return utf8(value);
  if (value instanceof Uint8Array) return value;
  if (!Array.isArray(value) && !isRecord(value)) {
    throw new MockHostError("E_OPTION", `${called} is ${shown(value)}`, {
      remedy: "give a plain object, a list, a text or a Uint8Array",
    });
  }
  try {
    return utf8(JSON.stringify(value));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    throw new MockHostError("E_OPTION", `a configuration has no JSON text (${why})`, {
      remedy: "give plain objects, lists, texts and numbers, or the text itself",
      cause,
    });
  }
}

/** E_OPTION for less than Envoy takes. */
function flushNsOf(interval: string): number {
  const ns = parseDuration(interval, "statsFlushInterval");
  if (ns >= flushMinNs) return ns;
  throw new MockHostError("E_OPTION", `statsFlushInterval is ${interval}`, {
    remedy: "give at least 1ms",
  });
}

function wallNsOf(start: string): bigint {
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z$/.exec(start);
  const seconds = match === null ? NaN : unixSeconds(match[1]!);
  if (match === null || Number.isNaN(seconds)) {
    throw new MockHostError("E_OPTION", `start ${JSON.stringify(start)} is no instant`, {
      remedy: "write it as 2026-01-01T00:00:00Z",
    });
  }
  return BigInt(seconds) * 1_000_000_000n + BigInt((match[2] ?? "").padEnd(9, "0"));
}

function requireInteger(name: string, value: number, min: number, max: number): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  throw new MockHostError("E_OPTION", `${name} is ${shown(value)}`, {
    remedy: `give an integer of ${min} … ${max}`,
  });
}

function requireOneOf(name: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  throw new MockHostError("E_OPTION", `${name} is ${shown(value)}${nearest(value, choices)}`, {
    remedy: `write one of ${choices.join(", ")}`,
  });
}
