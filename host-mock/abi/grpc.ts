/** Source: proxy-wasm-cpp-host `src/exports.cc`, Envoy `context.cc` (grpcCall … grpcClose). */
import type { CallSite, HostFunctions } from "./call-site.ts";
import { decodePairs } from "./pairs.ts";
import { Status } from "./status.ts";
import type { GrpcStreamRequest, TokenAnswer } from "./vm-host.ts";

/** What call and stream have in common; undefined when a range is bad. Copies. */
function requestAt(site: CallSite, words: readonly number[]): GrpcStreamRequest | undefined {
  const { memory } = site;
  const service = memory.readBytes(words[0]!, words[1]!);
  const serviceName = memory.readBytes(words[2]!, words[3]!);
  const method = memory.readBytes(words[4]!, words[5]!);
  const metadata = memory.viewBytes(words[6]!, words[7]!);
  if (!service || !serviceName || !method || !metadata) return undefined;
  return { service, serviceName, method, metadata: decodePairs(metadata) };
}

/** The token's word is looked at after the start, and written only then. */
function give(site: CallSite, { status, token }: TokenAnswer, tokenPtr: number): number {
  return status === Status.Ok ? site.giveU32(token, tokenPtr) : status;
}

export const grpcFunctions: HostFunctions = {
  /**
   * Starts a unary call, for the root of the acting context. InvalidMemoryAccess; ParseFailure: the
   * service is neither a message GrpcService nor a cluster's name; InternalFailure: a message that
   * names no known cluster. A message without a target and a cluster without hosts crash Envoy: the
   * VM fails. `timeoutMs` 0 means no timeout.
   *
   *     tokenPtr: | u32 token |, untouched by a failure
   */
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
    messagePtr: number,
    messageSize: number,
    timeoutMs: number,
    tokenPtr: number,
  ) {
    const request = requestAt(site, [
      ...[servicePtr, serviceSize, serviceNamePtr, serviceNameSize],
      ...[methodPtr, methodSize, metadataPtr, metadataSize],
    ]);
    const message = site.memory.readBytes(messagePtr, messageSize);
    if (request === undefined || message === undefined) return Status.InvalidMemoryAccess;
    return give(site, site.context().grpcCall({ ...request, message, timeoutMs }), tokenPtr);
  },

  /**
   * Opens a stream, for the root of the acting context. The statuses of `proxy_grpc_call`.
   *
   *     tokenPtr: | u32 token |, untouched by a failure
   */
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
    tokenPtr: number,
  ) {
    const request = requestAt(site, [
      ...[servicePtr, serviceSize, serviceNamePtr, serviceNameSize],
      ...[methodPtr, methodSize, metadataPtr, metadataSize],
    ]);
    if (request === undefined) return Status.InvalidMemoryAccess;
    return give(site, site.context().grpcStream(request), tokenPtr);
  },

  /** A message of a stream. InvalidMemoryAccess; BadArgument for what is no stream's token; NotFound. */
  proxy_grpc_send(
    site: CallSite,
    token: number,
    messagePtr: number,
    messageSize: number,
    endStream: number,
  ) {
    const message = site.memory.readBytes(messagePtr, messageSize);
    if (message === undefined) return Status.InvalidMemoryAccess;
    return site.context().grpcSend(token, message, endStream !== 0);
  },

  /** Ends a call or a stream at once; no callback comes. BadArgument for a token of another kind; NotFound. */
  proxy_grpc_cancel(site: CallSite, token: number) {
    return site.context().grpcCancel(token);
  },

  /** Cancels a call; ends the plugin's side of a stream. BadArgument for a token of another kind; NotFound. */
  proxy_grpc_close(site: CallSite, token: number) {
    return site.context().grpcClose(token);
  },
};
