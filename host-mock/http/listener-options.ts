import {
  requireFlag,
  requireKeys,
  requireNames,
  requireRecord,
  requireText,
  shown,
  unknownName,
} from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import type { PropertyValue } from "../state/properties.ts";
import { parseDuration } from "../time/duration.ts";
import { resolveProperties, type PropertyOverrides } from "./property-overrides.ts";
import { defaultRoute, type RouteNames } from "./stream-info.ts";

/** One listener: which plugins a request or connection passes, and what is allowed there. */
export interface ListenerOptions {
  /** Names of plugins in chain order; all plugins of kind http when absent. */
  readonly plugins?: readonly string[];
  /** What a stopped filter may hold of a body, in bytes; default 1048576. 0: any number. */
  readonly bufferLimitBytes?: number;
  /** More request headers than this, pseudo-headers not counted but `host`, are a 431; default 100. */
  readonly maxRequestHeaderCount?: number;
  /** Request headers of this many KiB or more are a 431; 1 … 8192, default 60. */
  readonly maxRequestHeadersKb?: number;
  /** The property `listener_direction`; default "unspecified". */
  readonly direction?: "unspecified" | "inbound" | "outbound";
  /** The property `xds.route_name`; default "". */
  readonly routeName?: string;
  /** The property `xds.virtual_host_name`; default "all". */
  readonly virtualHostName?: string;
  /** The property `xds.filter_chain_name`; default "". */
  readonly filterChainName?: string;
  /** The cluster that requests are routed to, the property `xds.cluster_name`; default "upstream". */
  readonly clusterName?: string;
  /** Values of properties of its streams, by path. */
  readonly properties?: PropertyOverrides;
  /** The route answers by itself; no upstream is asked. */
  readonly directResponse?: { readonly status: number; readonly body?: string };
  /** Whether `upgrade: websocket` is let through; default false: such a request is a 403. */
  readonly allowUpgrade?: boolean;
  /** From the end of a request to the end of its answer, a 504 after that; default "15s". "0ms": no limit. */
  readonly routeTimeout?: string;
  /** How long nothing may move in a stream; default "5m". "0ms": any time. */
  readonly idleTimeout?: string;
}

export type ListenerDirection = NonNullable<ListenerOptions["direction"]>;

/** A listener with its defaults filled in; durations in nanoseconds. */
export interface ResolvedListener {
  readonly name: string;
  readonly plugins: readonly string[];
  readonly bufferLimitBytes: number;
  readonly maxRequestHeaderCount: number;
  readonly maxRequestHeadersKb: number;
  readonly direction: ListenerDirection;
  readonly routeName: string;
  readonly virtualHostName: string;
  readonly filterChainName: string;
  readonly clusterName: string;
  readonly properties: ReadonlyMap<string, PropertyValue>;
  readonly directResponse: { readonly status: number; readonly body: string } | null;
  readonly allowUpgrade: boolean;
  readonly routeTimeoutNs: number;
  readonly idleTimeoutNs: number;
}

/** The listener that there is when none is declared. */
export const defaultListener = "default";

const routes = new WeakMap<ResolvedListener, RouteNames>();

/** What properties say of where its requests go. */
export function routeNames(listener: ResolvedListener): RouteNames {
  const known = routes.get(listener);
  if (known !== undefined) return known;
  const made = {
    route: listener.routeName,
    virtualHost: listener.virtualHostName,
    filterChain: listener.filterChainName,
    cluster: listener.directResponse === null ? listener.clusterName : undefined,
    direction: directions.indexOf(listener.direction),
  };
  routes.set(listener, made);
  return made;
}

/** A plugin as far as a listener asks for it. */
export interface ListedPlugin {
  readonly name: string;
  /** "http", "access_log", "network" … */
  readonly kind: string;
}

const keys = [
  "plugins",
  "bufferLimitBytes",
  "maxRequestHeaderCount",
  "maxRequestHeadersKb",
  "direction",
  "routeName",
  "virtualHostName",
  "filterChainName",
  "clusterName",
  "properties",
  "directResponse",
  "allowUpgrade",
  "routeTimeout",
  "idleTimeout",
] as const satisfies readonly (keyof ListenerOptions)[];

const texts = ["routeName", "virtualHostName", "filterChainName", "clusterName"] as const;
const directions: readonly string[] = ["unspecified", "inbound", "outbound"];
const ofRequests: readonly string[] = ["http", "access_log"];
const listed: readonly string[] = [...ofRequests, "network"];
const uint32Max = 0xffffffff;

/** E_OPTION for a wrong value, E_UNKNOWN_NAME for a plugin that does not exist. */
export function resolveListeners(
  listeners: Readonly<Record<string, ListenerOptions>> | undefined,
  plugins: readonly ListedPlugin[],
): ReadonlyMap<string, ResolvedListener> {
  if (listeners !== undefined)
    requireRecord("listeners", listeners, "give an object of listeners by name");
  const given = Object.entries(listeners ?? { [defaultListener]: {} });
  if (given.length === 0) {
    throw new MockHostError("E_OPTION", "listeners has no entry", {
      remedy: "declare one, or leave listeners out",
    });
  }
  return new Map(given.map(([name, options]) => [name, resolveListener(name, options, plugins)]));
}

function resolveListener(
  name: string,
  options: ListenerOptions,
  plugins: readonly ListedPlugin[],
): ResolvedListener {
  const of = (field: string): string => `listener ${name}: ${field}`;
  requireKeys(`listener ${name}`, options, keys);
  for (const field of texts) requireText(of(field), options[field]);
  requireFlag(of("allowUpgrade"), options.allowUpgrade);
  const number = (field: keyof ListenerOptions, standard: number, min: number, max: number) => {
    const value: unknown = options[field] ?? standard;
    if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max)
      return Number(value);
    throw new MockHostError("E_OPTION", `${of(field)} is ${shown(value)}`, {
      remedy: `give an integer of ${min} … ${max}`,
    });
  };
  const direction = options.direction ?? "unspecified";
  if (!directions.includes(direction)) {
    throw new MockHostError("E_OPTION", `${of("direction")} is ${shown(direction)}`, {
      remedy: `write one of ${directions.join(", ")}`,
    });
  }
  return {
    name,
    plugins: chainOf(name, options, plugins),
    bufferLimitBytes: number("bufferLimitBytes", 1024 * 1024, 0, uint32Max),
    maxRequestHeaderCount: number("maxRequestHeaderCount", 100, 1, uint32Max),
    maxRequestHeadersKb: number("maxRequestHeadersKb", 60, 1, 8192),
    direction,
    routeName: options.routeName ?? "",
    virtualHostName: options.virtualHostName ?? defaultRoute.virtualHost ?? "",
    filterChainName: options.filterChainName ?? "",
    clusterName: options.clusterName ?? defaultRoute.cluster ?? "",
    properties: resolveProperties(of("properties"), options.properties),
    directResponse: directResponseOf(of("directResponse"), options),
    allowUpgrade: options.allowUpgrade ?? false,
    routeTimeoutNs: parseDuration(options.routeTimeout ?? "15s", of("routeTimeout")),
    idleTimeoutNs: parseDuration(options.idleTimeout ?? "5m", of("idleTimeout")),
  };
}

function chainOf(
  name: string,
  options: ListenerOptions,
  plugins: readonly ListedPlugin[],
): readonly string[] {
  const fitting = plugins.filter(({ kind }) => listed.includes(kind));
  if (options.plugins === undefined)
    return fitting.filter(({ kind }) => ofRequests.includes(kind)).map((plugin) => plugin.name);
  requireNames(`listener ${name}: plugins`, options.plugins, "give a list of plugins' names");
  const known = fitting.map((plugin) => plugin.name);
  const seen = new Set<string>();
  for (const wanted of options.plugins) {
    if (!known.includes(wanted)) throw unknownName("plugin of a listener", wanted, known);
    if (seen.has(wanted)) {
      throw new MockHostError("E_OPTION", `listener ${name} names plugin ${wanted} twice`, {
        remedy: "name each plugin once, in the order of the chain",
      });
    }
    seen.add(wanted);
  }
  return [...options.plugins];
}

function directResponseOf(
  called: string,
  { directResponse }: ListenerOptions,
): ResolvedListener["directResponse"] {
  if (directResponse === undefined) return null;
  requireKeys(called, directResponse, ["status", "body"]);
  const { status, body = "" } = directResponse;
  requireText(`${called}: body`, body);
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new MockHostError("E_OPTION", `${called}: status is ${String(status)}`, {
      remedy: "give 200 … 599",
    });
  }
  return { status, body };
}
