/**
 * Calls that only Higress has.
 *
 * Source: Higress' fork of proxy-wasm-cpp-host, `src/exports.cc`, and of Envoy, `context.cc`.
 */
import { lossyUtf8 } from "../state/bytes.ts";
import type { CallSite, HostFunctions } from "./call-site.ts";
import { encodePairs } from "./pairs.ts";
import { Status } from "./status.ts";

export const higressFunctions: HostFunctions = {
  /**
   * Says who logs in to a cluster's Redis from this thread, and how long calls may take. What stands after a `?` in the
   * cluster are options: `db`, `buffer_flush_timeout` (ms), `max_buffer_size_before_flush` (bytes).
   * InvalidMemoryAccess; BadArgument: no such cluster.
   */
  proxy_redis_init(
    site: CallSite,
    clusterPtr: number,
    clusterSize: number,
    userPtr: number,
    userSize: number,
    passwordPtr: number,
    passwordSize: number,
    timeoutMs: number,
  ) {
    const cluster = site.memory.viewBytes(clusterPtr, clusterSize);
    const user = site.memory.viewBytes(userPtr, userSize);
    const password = site.memory.viewBytes(passwordPtr, passwordSize);
    if (cluster === undefined || user === undefined || password === undefined)
      return Status.InvalidMemoryAccess;
    return site.context().redisInit({
      target: lossyUtf8(cluster),
      user: lossyUtf8(user),
      password: lossyUtf8(password),
      timeoutMs,
    });
  },

  /**
   * Sends a command, as RESP, for the root of the acting context; `proxy_on_redis_call_response` tells the outcome.
   * InvalidMemoryAccess, the token's address included; BadArgument: no such cluster; InternalFailure: it cannot be sent.
   *
   *     tokenPtr: | u32 token |, 0 first and for each failure
   */
  proxy_redis_call(
    site: CallSite,
    clusterPtr: number,
    clusterSize: number,
    queryPtr: number,
    querySize: number,
    tokenPtr: number,
  ) {
    const { memory } = site;
    const cluster = memory.viewBytes(clusterPtr, clusterSize);
    const query = memory.readBytes(queryPtr, querySize);
    if (cluster === undefined || query === undefined || !memory.writeU32(tokenPtr, 0))
      return Status.InvalidMemoryAccess;
    const { status, token } = site.context().redisCall(lossyUtf8(cluster), query);
    memory.writeU32(tokenPtr, status === Status.Ok ? token : 0);
    return status;
  },

  /** Sends response data past this filter, at once. InvalidMemoryAccess; Ok also where there is no stream. */
  proxy_inject_encoded_data_to_filter_chain(
    site: CallSite,
    bodyPtr: number,
    bodySize: number,
    isEnd: number,
  ) {
    const body = site.memory.readBytes(bodyPtr, bodySize);
    if (body === undefined) return Status.InvalidMemoryAccess;
    site.context().injectEncodedData(body, isEnd !== 0);
    return Status.Ok;
  },

  /**
   * The hosts of the route's cluster: pairs of address and text. InvalidMemoryAccess.
   *
   *     ptrPtr: | u32 pointer |    sizePtr: | u32 size |, 0 and 0 without hosts
   */
  proxy_get_upstream_hosts(site: CallSite, ptrPtr: number, sizePtr: number) {
    return site.giveBytes(encodePairs(site.context().upstreamHosts()), ptrPtr, sizePtr);
  },

  /** Asks the load balancer for a host, `IP:PORT`; one that the cluster lacks is passed over. InvalidMemoryAccess. */
  proxy_set_upstream_override_host(site: CallSite, addressPtr: number, addressSize: number) {
    const address = site.memory.viewBytes(addressPtr, addressSize);
    if (address === undefined) return Status.InvalidMemoryAccess;
    site.context().setUpstreamOverrideHost(lossyUtf8(address));
    return Status.Ok;
  },
};
