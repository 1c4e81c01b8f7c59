import type { ListenerOptions } from "../http/listener-options.ts";
import type { ListenerEntry } from "./schema/listeners.ts";

/** A listener of the file as the host takes it. */
export function listenerOptions(entry: ListenerEntry): ListenerOptions {
  const { route_timeout: routeNs, idle_timeout: idleNs } = entry;
  return withoutAbsent({
    plugins: entry.plugins,
    bufferLimitBytes: entry.buffer_limit_bytes,
    maxRequestHeaderCount: entry.max_request_header_count,
    maxRequestHeadersKb: entry.max_request_headers_kb,
    allowUpgrade: entry.allow_upgrade,
    routeTimeout: routeNs === undefined ? undefined : `${routeNs}ns`,
    idleTimeout: idleNs === undefined ? undefined : `${idleNs}ns`,
    directResponse: entry.direct_response,
    direction: entry.direction,
    routeName: entry.route_name,
    virtualHostName: entry.virtual_host_name,
    filterChainName: entry.filter_chain_name,
    clusterName: entry.cluster_name,
    properties: entry.properties,
  });
}

type Present<Options> = { [Key in keyof Options]?: Exclude<Options[Key], undefined> };

/** An option that is there must have a value. */
export function withoutAbsent<Options extends object>(options: Options): Present<Options> {
  const present = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Present<Options>;
}
