/**
 * gRPC as on a host whose clusters speak none: no service can be resolved, so no token is ever
 * given out.
 *
 * Source: proxy-wasm-cpp-host `src/exports.cc`, Envoy `context.cc` (grpcCall … grpcClose).
 */
import type { CallSite, HostFunctions } from "./call-site.ts";
import { Status } from "./status.ts";

const tokenKindMask = 3;
const callToken = 1;
const streamToken = 2;

function areRanges(site: CallSite, ...numbers: readonly number[]): boolean {
  for (let at = 0; at < numbers.length; at += 2) {
    if (!site.memory.isRange(numbers[at]!, numbers[at + 1]!)) return false;
  }
  return true;
}

/** NotFound for a token that could be a call's or a stream's, BadArgument for others. */
function ended(token: number): number {
  const kind = token & tokenKindMask;
  return kind === callToken || kind === streamToken ? Status.NotFound : Status.BadArgument;
}

export const grpcFunctions: HostFunctions = {
  /** InvalidMemoryAccess; ParseFailure: the service is no cluster of this host. */
  proxy_grpc_call(
    site: CallSite,
    servicePtr: number,
    serviceSize: number,
    serviceNamePtr: number,
    serviceNameSize: number,
    methodPtr: number,
    methodSize: number,
    metadataPtr: number,
    metadataSize: number,
    requestPtr: number,
    requestSize: number,
  ) {
    const names = [servicePtr, serviceSize, serviceNamePtr, serviceNameSize, methodPtr, methodSize];
    const isReadable = areRanges(
      site,
      ...names,
      metadataPtr,
      metadataSize,
      requestPtr,
      requestSize,
    );
    return isReadable ? Status.ParseFailure : Status.InvalidMemoryAccess;
  },

  /** InvalidMemoryAccess; ParseFailure: the service is no cluster of this host. */
  proxy_grpc_stream(
    site: CallSite,
    servicePtr: number,
    serviceSize: number,
    serviceNamePtr: number,
    serviceNameSize: number,
    methodPtr: number,
    methodSize: number,
    metadataPtr: number,
    metadataSize: number,
  ) {
    const names = [servicePtr, serviceSize, serviceNamePtr, serviceNameSize, methodPtr, methodSize];
    return areRanges(site, ...names, metadataPtr, metadataSize)
      ? Status.ParseFailure
      : Status.InvalidMemoryAccess;
  },

  /** InvalidMemoryAccess; BadArgument for what is no stream's token; NotFound. */
  proxy_grpc_send(site: CallSite, token: number, messagePtr: number, messageSize: number) {
    if (!site.memory.isRange(messagePtr, messageSize)) return Status.InvalidMemoryAccess;
    return (token & tokenKindMask) === streamToken ? Status.NotFound : Status.BadArgument;
  },

  proxy_grpc_cancel(_site: CallSite, token: number) {
    return ended(token);
  },

  proxy_grpc_close(_site: CallSite, token: number) {
    return ended(token);
  },
};
