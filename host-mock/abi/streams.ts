/**
 * Source: proxy-wasm-cpp-host `src/exports.cc`, Envoy `source/extensions/common/wasm/context.cc`.
 */
import type { CallSite, HostFunctions } from "./call-site.ts";
import { StreamType } from "./enums.ts";
import { decodePairs } from "./pairs.ts";
import { Status } from "./status.ts";

export const streamFunctions: HostFunctions = {
  /**
   * BadArgument for an unknown type, Unimplemented for upstream (3); else Ok, without such a stream
   * too.
   */
  proxy_continue_stream(site: CallSite, type: number) {
    if (type > StreamType.Upstream) return Status.BadArgument;
    if (type === StreamType.Upstream) return Status.Unimplemented;
    return site.context().continueStream(type);
  },

  /** BadArgument for an unknown type; else Ok, without such a stream too. */
  proxy_close_stream(site: CallSite, type: number) {
    if (type > StreamType.Upstream) return Status.BadArgument;
    site.context().closeStream(type);
    return Status.Ok;
  },

  proxy_continue_request(site: CallSite) {
    return site.context().continueStream(StreamType.Request);
  },

  proxy_continue_response(site: CallSite) {
    return site.context().continueStream(StreamType.Response);
  },

  /** Always Ok: routes are found when a request goes upstream, so none is cached. */
  proxy_clear_route_cache() {
    return Status.Ok;
  },

  /**
   * InvalidMemoryAccess, else Ok, whatever the context and the status. `grpcStatus` −1 means none.
   */
  proxy_send_local_response(
    site: CallSite,
    status: number,
    detailsPtr: number,
    detailsSize: number,
    bodyPtr: number,
    bodySize: number,
    headersPtr: number,
    headersSize: number,
    grpcStatus: number,
  ) {
    const { memory } = site;
    const details = memory.readBytes(detailsPtr, detailsSize);
    const body = memory.readBytes(bodyPtr, bodySize);
    const block = memory.viewBytes(headersPtr, headersSize);
    if (details === undefined || body === undefined || block === undefined)
      return Status.InvalidMemoryAccess;
    const headers = decodePairs(block);
    site
      .context()
      .sendLocalResponse({ status, details, body, headers, grpcStatus: grpcStatus | 0 });
    return Status.Ok;
  },
};
