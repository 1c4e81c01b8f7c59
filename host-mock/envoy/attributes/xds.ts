import type { StreamInfo } from "../../http/stream-info.ts";
import { writeBytes, writeMessage, writeVarint } from "../../state/protobuf.ts";
import { locality } from "./connection.ts";
import {
  emptyMap,
  list,
  message,
  nothing,
  number,
  optionalText,
  text,
  type AttributeValue,
  type Fields,
} from "./value.ts";

/** Who Envoy says it is. */
export interface Node {
  readonly id: string;
  readonly cluster: string;
}

/** The version that the host stands for. */
const version = { major_number: 1, minor_number: 40, patch: 0 } as const;

/**
 * `envoy.config.core.v3.Node`: fields 1 (id), 2 (cluster), 6 (user_agent_name), 8 (user_agent_build_version). The list
 * of extensions is empty.
 */
export function nodeAttributes(node: Node): AttributeValue {
  const numbers = joined(
    writeVarint(1, version.major_number),
    writeVarint(2, version.minor_number),
  );
  const build = writeMessage(1, numbers);
  const bytes = joined(
    writeBytes(1, node.id),
    writeBytes(2, node.cluster),
    writeBytes(6, "envoy"),
    writeMessage(8, build),
  );
  return message(bytes, {
    id: () => text(node.id),
    cluster: () => text(node.cluster),
    metadata: () => emptyMap,
    dynamic_parameters: () => emptyMap,
    locality: () => locality,
    user_agent_name: () => text("envoy"),
    user_agent_version: () => text(""),
    user_agent_build_version: () =>
      message(build, { version: () => versionMessage(numbers), metadata: () => emptyMap }),
    extensions: () => list([]),
    client_features: () => list([]),
    listening_addresses: () => list([]),
  });
}

function versionMessage(bytes: Uint8Array): AttributeValue {
  return message(bytes, {
    major_number: () => number(version.major_number),
    minor_number: () => number(version.minor_number),
    patch: () => number(version.patch),
  });
}

/** `envoy.config.core.v3.Metadata` without entries. */
export const noMetadata = message(new Uint8Array(0), {
  filter_metadata: () => emptyMap,
  typed_filter_metadata: () => emptyMap,
});

/**
 * Fields of `xds`; without a stream only the node is known.
 *
 * Source: Envoy `source/extensions/filters/common/expr/context.cc` (XDSLookupValues).
 */
export function xdsFields(node: Node, info: StreamInfo | undefined): Fields {
  const own: Fields = { node: () => nodeAttributes(node) };
  if (info === undefined) return own;
  const { route } = info;
  return {
    ...own,
    cluster_name: () => optionalText(route.cluster),
    cluster_metadata: () => (route.cluster === undefined ? undefined : noMetadata),
    route_name: () => optionalText(route.route),
    route_metadata: () => noMetadata,
    virtual_host_name: () => optionalText(route.virtualHost),
    virtual_host_metadata: () => noMetadata,
    upstream_host_metadata: () => (info.upstream === undefined ? undefined : nothing),
    upstream_host_locality_metadata: () => (info.upstream === undefined ? undefined : nothing),
    filter_chain_name: () => text(route.filterChain),
    listener_metadata: () => noMetadata,
    listener_direction: () => number(route.direction),
  };
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
