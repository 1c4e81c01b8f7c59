import type { PropertyAnswer } from "../abi/vm-host.ts";
import type { StreamInfo } from "../http/stream-info.ts";
import type { HeaderMap } from "../state/header-map.ts";
import { readProperty, type StreamSource } from "./attributes/index.ts";
import type { Context } from "./context.ts";

/** The maps a stream's context can see now; they are not there once the headers went on. */
export interface VisibleMaps {
  readonly requestHeaders: HeaderMap | undefined;
  readonly responseHeaders: HeaderMap | undefined;
  readonly responseTrailers: HeaderMap | undefined;
}

/** Properties that need no stream. */
export function rootProperty(context: Context, path: readonly Uint8Array[]): PropertyAnswer {
  return contextProperty(context, path, undefined);
}

/** Properties of a stream: its attributes, then what roots have, then its filter state. */
export function streamProperty(
  context: Context,
  stream: { readonly id: number; readonly info: StreamInfo },
  maps: VisibleMaps,
  path: readonly Uint8Array[],
): PropertyAnswer {
  const source = { info: stream.info, connectionId: stream.id, ...maps };
  return contextProperty(context, path, source);
}

function contextProperty(
  context: Context,
  path: readonly Uint8Array[],
  stream: StreamSource | undefined,
): PropertyAnswer {
  const { owner, root } = context;
  const { options } = owner.thread.world;
  return readProperty(
    {
      plugin: {
        name: context.plugin,
        rootId: root?.parts.rootIdText ?? "",
        vmId: owner.group.vmId,
      },
      node: { id: options.nodeId, cluster: options.nodeCluster },
      profile: options.profile,
      stream,
    },
    path,
  );
}
