/** Source: proxy-wasm-cpp-host `src/exports.cc` (http_call), Envoy `context.cc` (httpCall). */
import { latin1, tryUtf8 } from "../state/bytes.ts";
import type { CallSite, HostFunctions } from "./call-site.ts";
import { decodePairs } from "./pairs.ts";
import { Status } from "./status.ts";

export const httpCallFunctions: HostFunctions = {
  /**
   * Starts a call to a cluster, for the root of the acting context. InvalidMemoryAccess, the
   * token's address included; BadArgument for a timeout of 2^31 ms or more, an unknown cluster, or
   * headers without :path, :method or :authority; InternalFailure when it cannot start. `timeoutMs`
   * 0 means no timeout.
   *
   *     tokenPtr: | u32 token |, 0 first and for each failure
   */
  proxy_http_call(
    site: CallSite,
    clusterPtr: number,
    clusterSize: number,
    headersPtr: number,
    headersSize: number,
    bodyPtr: number,
    bodySize: number,
    trailersPtr: number,
    trailersSize: number,
    timeoutMs: number,
    tokenPtr: number,
  ) {
    const { memory } = site;
    const cluster = memory.viewBytes(clusterPtr, clusterSize);
    const headers = memory.viewBytes(headersPtr, headersSize);
    const body = memory.readBytes(bodyPtr, bodySize);
    const trailers = memory.viewBytes(trailersPtr, trailersSize);
    if (
      cluster === undefined ||
      headers === undefined ||
      body === undefined ||
      trailers === undefined
    ) {
      return Status.InvalidMemoryAccess;
    }
    const request = {
      cluster: tryUtf8(cluster) ?? latin1(cluster),
      headers: decodePairs(headers),
      body,
      trailers: decodePairs(trailers),
      timeoutMs,
    };
    if (!memory.writeU32(tokenPtr, 0)) return Status.InvalidMemoryAccess;
    const { status, token } = site.context().httpCall(request);
    memory.writeU32(tokenPtr, status === Status.Ok ? token : 0);
    return status;
  },
};
