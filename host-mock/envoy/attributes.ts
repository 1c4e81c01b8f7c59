import { Status } from "../abi/status.ts";
import type { PropertyAnswer } from "../abi/vm-host.ts";
import { encodePairs } from "../abi/pairs.ts";
import type { HttpStream } from "../http/stream.ts";
import { lossyUtf8, noBytes } from "../state/bytes.ts";
import type { HeaderMap } from "../state/header-map.ts";
import { boolValue, numberValue, textValue } from "../state/properties.ts";
import type { Context } from "./context.ts";
import { nodeMessage, type Node } from "./node.ts";

const notFound: PropertyAnswer = { status: Status.NotFound };
const notSerializable: PropertyAnswer = { status: Status.SerializationFailure };

/** Groups that exist but cannot be read as a whole. */
const groups: ReadonlySet<string> = new Set([
  "request",
  "response",
  "source",
  "destination",
  "connection",
  "upstream",
]);

/**
 * Properties that need no stream. The empty path has no value to show.
 *
 * Source: Envoy `source/extensions/common/wasm/context.cc` (getProperty, findValue).
 */
export function rootProperty(context: Context, path: readonly Uint8Array[]): PropertyAnswer {
  const [first, ...rest] = path.map(lossyUtf8);
  if (first === undefined) return notSerializable;
  const { owner } = context;
  switch (first) {
    case "plugin_name":
      return leaf(rest, textValue(context.plugin));
    case "plugin_root_id":
      return leaf(rest, textValue(context.root?.parts.rootIdText ?? ""));
    case "plugin_vm_id":
      return leaf(rest, textValue(owner.group.vmId));
    default:
  }
  const { options } = owner.thread.world;
  const node = { id: options.nodeId, cluster: options.nodeCluster };
  if (options.profile.hasLegacyAttributes) {
    if (first === "listener_direction") return leaf(rest, numberValue(0));
    return first === "node" ? nodeProperty(node, rest) : notFound;
  }
  if (first !== "xds") return notFound;
  if (rest.length === 0) return notSerializable;
  return rest[0] === "node" ? nodeProperty(node, rest.slice(1)) : notFound;
}

function nodeProperty(node: Node, path: readonly string[]): PropertyAnswer {
  const [field, ...rest] = path;
  if (field === undefined) return { status: Status.Ok, value: nodeMessage(node) };
  if (field === "id") return leaf(rest, textValue(node.id));
  return field === "cluster" ? leaf(rest, textValue(node.cluster)) : notFound;
}

/** The maps a stream's context can see now; they are not there once the headers went on. */
export interface VisibleMaps {
  readonly requestHeaders: HeaderMap | undefined;
  readonly responseHeaders: HeaderMap | undefined;
  readonly responseTrailers: HeaderMap | undefined;
}

/** Properties of a stream: its attributes, then what roots have, then its filter state. */
export function streamProperty(
  context: Context,
  stream: HttpStream,
  maps: VisibleMaps,
  path: readonly Uint8Array[],
): PropertyAnswer {
  const [first, ...rest] = path.map(lossyUtf8);
  if (first === undefined) return notSerializable;
  const { world } = context.owner.thread;
  if (groups.has(first) && rest.length === 0) return notSerializable;
  switch (first) {
    case "request":
      return requestProperty(stream, maps.requestHeaders, rest, stream.startedWallNs);
    case "response":
      return responseProperty(stream, maps, rest);
    case "connection":
      return connectionProperty(stream, rest);
    case "connection_id":
      return leaf(rest, numberValue(stream.id));
    case "source":
    case "destination":
      return addressProperty(first, rest);
    case "metadata":
      return rest.length === 0 ? { status: Status.Ok, value: noBytes } : notFound;
    case "filter_state":
      return filterStateProperty(stream, rest);
    case "xds":
      if (!world.options.profile.hasLegacyAttributes) return xdsProperty(context, path, rest);
      break;
    default:
  }
  const known = rootProperty(context, path);
  if (known.status !== Status.NotFound) return known;
  const stored = stream.filterState.get(`wasm.${first}`);
  return stored === undefined ? notFound : leaf(rest, stored);
}

function filterStateProperty(stream: HttpStream, path: readonly string[]): PropertyAnswer {
  const [key, ...rest] = path;
  if (key === undefined) return notSerializable;
  const stored = stream.filterState.get(key);
  return stored === undefined ? notFound : leaf(rest, stored);
}

function xdsProperty(
  context: Context,
  path: readonly Uint8Array[],
  rest: readonly string[],
): PropertyAnswer {
  switch (rest[0]) {
    case "listener_direction":
      return leaf(rest.slice(1), numberValue(0));
    case "filter_chain_name":
    case "route_name":
    case "virtual_host_name":
    case "cluster_name":
      return leaf(rest.slice(1), noBytes);
    default:
      return rootProperty(context, path);
  }
}

function requestProperty(
  stream: HttpStream,
  headers: HeaderMap | undefined,
  path: readonly string[],
  startedNs: bigint,
): PropertyAnswer {
  const [field = "", ...rest] = path;
  switch (field) {
    case "protocol":
      return leaf(rest, textValue("HTTP/1.1"));
    case "time":
      return leaf(rest, numberValue(startedNs));
    case "headers":
      return mapProperty(headers, rest);
    case "size":
      return leaf(rest, numberValue(sizeOf(headers, stream.receivedBytes)));
    case "total_size":
      return leaf(rest, numberValue(stream.receivedBytes + (headers?.sizeBytes ?? 0)));
    default:
  }
  if (headers === undefined) return notFound;
  if (field === "url_path" || field === "query") {
    const target = headers.text(":path");
    if (target === undefined) return notFound;
    const [urlPath = "", ...query] = target.split("#", 1)[0]!.split("?");
    return leaf(rest, textValue(field === "query" ? query.join("?") : urlPath));
  }
  const name = requestFields[field];
  const value = name === undefined ? undefined : headers.get(name);
  return value === undefined ? notFound : leaf(rest, value);
}

const requestFields: Readonly<Record<string, string>> = {
  path: ":path",
  host: ":authority",
  scheme: ":scheme",
  method: ":method",
  id: "x-request-id",
  useragent: "user-agent",
  referer: "referer",
};

function responseProperty(
  stream: HttpStream,
  maps: VisibleMaps,
  path: readonly string[],
): PropertyAnswer {
  const [field = "", ...rest] = path;
  switch (field) {
    case "code":
      return stream.status === null ? notFound : leaf(rest, numberValue(stream.status));
    case "headers":
      return mapProperty(maps.responseHeaders, rest);
    case "trailers":
      return mapProperty(maps.responseTrailers, rest);
    case "flags":
      return leaf(rest, numberValue(0));
    case "size":
      return leaf(rest, numberValue(stream.body.length));
    default:
      return notFound;
  }
}

function connectionProperty(stream: HttpStream, path: readonly string[]): PropertyAnswer {
  const [field = "", ...rest] = path;
  if (field === "id") return leaf(rest, numberValue(stream.id));
  if (field === "mtls") return leaf(rest, boolValue(false));
  return field === "requested_server_name" ? leaf(rest, noBytes) : notFound;
}

/** Every client comes from one address; the listener stands at another. */
function addressProperty(side: "source" | "destination", path: readonly string[]): PropertyAnswer {
  const [field = "", ...rest] = path;
  const port = side === "source" ? 50000 : 10000;
  if (field === "address") return leaf(rest, textValue(`127.0.0.1:${port}`));
  return field === "port" ? leaf(rest, numberValue(port)) : notFound;
}

/** One header, several values joined by a comma; or all as serialised pairs, names unique. */
function mapProperty(map: HeaderMap | undefined, path: readonly string[]): PropertyAnswer {
  const [name, ...rest] = path;
  if (name === undefined) {
    const names = new Set(map?.entries().map(([key]) => lossyUtf8(key)));
    const pairs = [...names].map((key) => [textValue(key), joinedValue(map!, key)!] as const);
    return { status: Status.Ok, value: encodePairs(pairs) };
  }
  const value = map === undefined ? undefined : joinedValue(map, name);
  return value === undefined ? notFound : leaf(rest, value);
}

function joinedValue(map: HeaderMap, name: string): Uint8Array | undefined {
  const values = map.getAll(name);
  if (values.length <= 1) return values[0];
  const all: number[] = [];
  for (const [index, value] of values.entries()) {
    if (index > 0) all.push(0x2c);
    for (const byte of value) all.push(byte);
  }
  return Uint8Array.from(all);
}

function sizeOf(headers: HeaderMap | undefined, receivedBytes: number): number {
  const text = headers?.text("content-length");
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : receivedBytes;
}

/** A value without children. */
function leaf(rest: readonly string[], value: Uint8Array): PropertyAnswer {
  return rest.length > 0 ? notFound : { status: Status.Ok, value };
}
