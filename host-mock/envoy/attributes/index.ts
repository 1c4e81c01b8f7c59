import { Status } from "../../abi/status.ts";
import type { PropertyAnswer } from "../../abi/vm-host.ts";
import { addresses, type StreamInfo } from "../../http/stream-info.ts";
import type { HeaderMap } from "../../state/header-map.ts";
import { latin1 } from "../../state/bytes.ts";
import { valueBytes } from "../../state/properties.ts";
import type { Profile } from "../../profiles/index.ts";
import { connectionAttributes, peerAttributes, upstreamAttributes } from "./connection.ts";
import { filterStateAttributes, pluginValue } from "./filter-state.ts";
import { requestAttributes } from "./request.ts";
import { responseAttributes } from "./response.ts";
import { group, nothing, number, text, type AttributeValue } from "./value.ts";
import { nodeAttributes, noMetadata, xdsFields, type Node } from "./xds.ts";

/** What stands around a context: enough for every property. */
export interface AttributeSource {
  readonly plugin: { readonly name: string; readonly rootId: string; readonly vmId: string };
  readonly node: Node;
  readonly profile: Profile;
  /** Undefined on a root. */
  readonly stream: StreamSource | undefined;
}

/** A stream, and the maps its context sees now. */
export interface StreamSource {
  readonly info: StreamInfo;
  readonly connectionId: number;
  readonly requestHeaders: HeaderMap | undefined;
  readonly responseHeaders: HeaderMap | undefined;
  readonly responseTrailers: HeaderMap | undefined;
}

const notFound: PropertyAnswer = { status: Status.NotFound };

/**
 * The value of a path. NotFound for what is not there, SerializationFailure for a whole group and for the empty path. A
 * value that the test gives stands before everything else, for exactly its path.
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (getProperty, findValue), `expr/evaluator.cc`.
 */
export function readProperty(source: AttributeSource, path: readonly Uint8Array[]): PropertyAnswer {
  const names = path.map(latin1);
  const overrides = source.stream?.info.overrides;
  const given =
    overrides === undefined || overrides.size === 0 ? undefined : overrides.get(names.join("\0"));
  if (given === null) return notFound;
  if (given !== undefined) return { status: Status.Ok, value: valueBytes(given) };
  let value = names.length === 0 ? nothing : firstValue(source, names[0]!);
  for (let at = 1; at < names.length; at++) value = value?.child(names[at]!);
  if (value === undefined) return notFound;
  const bytes = value.bytes();
  return bytes === undefined
    ? { status: Status.SerializationFailure }
    : { status: Status.Ok, value: bytes };
}

function firstValue(source: AttributeSource, name: string): AttributeValue | undefined {
  const { stream, plugin, profile } = source;
  switch (name) {
    case "plugin_name":
      return text(plugin.name);
    case "plugin_root_id":
      return text(plugin.rootId);
    case "plugin_vm_id":
      return text(plugin.vmId);
    case "xds":
      if (stream !== undefined || !profile.hasLegacyAttributes) return xdsGroup(source);
      break;
    default:
  }
  const known =
    (stream === undefined ? undefined : streamValue(stream, name)) ??
    (profile.hasLegacyAttributes ? legacyValue(source, name) : undefined);
  if (known !== undefined || stream === undefined) return known;
  return pluginValue(stream.info.filterState, name);
}

function streamValue(stream: StreamSource, name: string): AttributeValue | undefined {
  const { info } = stream;
  switch (name) {
    case "request":
      return requestAttributes(info, stream.requestHeaders);
    case "response":
      return responseAttributes(info, stream.responseHeaders, stream.responseTrailers);
    case "connection":
      return connectionAttributes(stream.connectionId);
    case "connection_id":
      return number(stream.connectionId);
    case "source":
      return peerAttributes(addresses.clientPort);
    case "destination":
      return peerAttributes(addresses.listenerPort);
    case "upstream":
      return upstreamAttributes(info);
    case "metadata":
      return noMetadata;
    case "filter_state":
      return filterStateAttributes(info.filterState);
    case "upstream_filter_state":
      return info.upstream === undefined ? undefined : group({});
    default:
      return undefined;
  }
}

function xdsGroup({ node, stream, profile }: AttributeSource): AttributeValue {
  const fields = xdsFields(node, stream?.info);
  const { xdsAttributes } = profile;
  return {
    ...group(fields),
    child: (name) =>
      xdsAttributes === null || xdsAttributes.has(name) ? group(fields).child(name) : undefined,
  };
}

/** Top-level names of before Envoy 1.33; a direct response has no cluster there. */
function legacyValue({ node, stream }: AttributeSource, name: string): AttributeValue | undefined {
  if (name === "node") return nodeAttributes(node);
  if (name === "listener_direction") return number(stream?.info.route.direction ?? 0);
  if (name === "listener_metadata") return noMetadata;
  // The route's name is told of a direct response too.
  const isRouted = stream?.info.route.cluster !== undefined || name === "route_name";
  const isOfRoute = stream !== undefined && isRouted && legacyRouteNames.has(name);
  return isOfRoute ? group(xdsFields(node, stream.info)).child(name) : undefined;
}

const legacyRouteNames: ReadonlySet<string> = new Set([
  "cluster_name",
  "cluster_metadata",
  "route_name",
  "route_metadata",
  "upstream_host_metadata",
]);
