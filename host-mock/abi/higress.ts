/**
 * Calls that only Higress has, as on a host without Redis clusters and upstream hosts.
 *
 * Source: Higress' fork of proxy-wasm-cpp-host, `src/exports.cc`, and of Envoy, `context.cc`.
 */
import { noBytes } from "../state/bytes.ts";
import type { CallSite, HostFunctions } from "./call-site.ts";
import { Status } from "./status.ts";

export const higressFunctions: HostFunctions = {
  /** InvalidMemoryAccess; BadArgument: no such cluster. */
  proxy_redis_init(
    site: CallSite,
    clusterPtr: number,
    clusterSize: number,
    userPtr: number,
    userSize: number,
    passwordPtr: number,
    passwordSize: number,
  ) {
    const { memory } = site;
    const isReadable =
      memory.isRange(clusterPtr, clusterSize) &&
      memory.isRange(userPtr, userSize) &&
      memory.isRange(passwordPtr, passwordSize);
    return isReadable ? Status.BadArgument : Status.InvalidMemoryAccess;
  },

  /**
   * InvalidMemoryAccess, the token's address included; BadArgument: no such cluster.
   *
   *     tokenPtr: | u32 0 |
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
    const isReadable =
      memory.isRange(clusterPtr, clusterSize) && memory.isRange(queryPtr, querySize);
    if (!isReadable || !memory.writeU32(tokenPtr, 0)) return Status.InvalidMemoryAccess;
    return Status.BadArgument;
  },

  /** InvalidMemoryAccess; Unimplemented: this host does not take data past the filter. */
  proxy_inject_encoded_data_to_filter_chain(site: CallSite, bodyPtr: number, bodySize: number) {
    return site.memory.isRange(bodyPtr, bodySize)
      ? Status.Unimplemented
      : Status.InvalidMemoryAccess;
  },

  /** Ok and nothing: the route's cluster has no hosts. InvalidMemoryAccess. */
  proxy_get_upstream_hosts(site: CallSite, ptrPtr: number, sizePtr: number) {
    return site.giveBytes(noBytes, ptrPtr, sizePtr);
  },

  /** InvalidMemoryAccess; Unimplemented: there is no load balancer to ask. */
  proxy_set_upstream_override_host(site: CallSite, addressPtr: number, addressSize: number) {
    return site.memory.isRange(addressPtr, addressSize)
      ? Status.Unimplemented
      : Status.InvalidMemoryAccess;
  },
};
