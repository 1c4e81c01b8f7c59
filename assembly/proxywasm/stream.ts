import { Status, StreamType } from "../abi/enums";
import {
  proxy_close_stream,
  proxy_continue_stream,
  proxy_done,
  proxy_send_local_response,
  proxy_set_effective_context,
} from "../abi/imports";
import { Headers } from "../memory/headers";
import { encodePairs } from "../memory/pairs";

/** For `SendHttpResponse`: the response carries no gRPC status. */
export const NO_GRPC_STATUS: i32 = -1;

/**
 * Answers the request here; the upstream sees nothing of it, if the headers were not passed on yet.
 * Whatever the callback returns, the stream stops. `grpcStatus` counts for gRPC requests alone.
 * Statuses: Ok, also where there is no request to answer; BadArgument for more than 1,024 headers
 * or 1 MiB of them. In: callbacks of a stream, or after `SetEffectiveContext`.
 * @example proxywasm.SendHttpResponse(403, new wrapper.Headers(), wrapper.utf8.encode("no"));
 * Source: Envoy `context.cc`, `sendLocalResponse`.
 */
export function SendHttpResponse(
  statusCode: u32,
  headers: Headers,
  body: Uint8Array,
  grpcStatus: i32 = NO_GRPC_STATUS,
): Status {
  const pairs = encodePairs(headers);
  if (pairs === null) return Status.BadArgument;
  return proxy_send_local_response(
    statusCode,
    0,
    0,
    body.dataStart,
    body.byteLength,
    changetype<usize>(pairs),
    pairs.byteLength,
    grpcStatus,
  );
}

/**
 * Lets a paused request go on, after the callback has returned. Its headers cannot be changed any
 * more, so change them first. Statuses: Ok. In: callbacks of a stream, or after
 * `SetEffectiveContext`.
 * @example proxywasm.ResumeHttpRequest();
 * Source: Envoy `context.cc`, `continueStream`.
 */
export function ResumeHttpRequest(): Status {
  return proxy_continue_stream(StreamType.Request);
}

/**
 * Lets a paused response go on, after the callback has returned. Statuses: Ok. In: callbacks of a
 * stream, or after `SetEffectiveContext`.
 * @example proxywasm.ResumeHttpResponse();
 * Source: Envoy `context.cc`, `continueStream`.
 */
export function ResumeHttpResponse(): Status {
  return proxy_continue_stream(StreamType.Response);
}

/**
 * Resets the stream: the client sees a broken one, no status. Statuses: Ok, BadArgument for an
 * unknown type. In: callbacks of a stream, or after `SetEffectiveContext`.
 * @example proxywasm.CloseStream(proxywasm.StreamType.Request);
 * Source: Envoy `context.cc`, `closeStream`.
 */
export function CloseStream(type: StreamType): Status {
  return proxy_close_stream(type);
}

/**
 * Lets host calls act on another context of this VM until the callback ends; 0 goes back. Statuses:
 * Ok; BadArgument when the context lives no more. In: any callback, not in top-level code.
 * @example const isAlive = proxywasm.SetEffectiveContext(id) == proxywasm.Status.Ok;
 * Source: proxy-wasm-cpp-host `exports.cc`.
 */
export function SetEffectiveContext(contextId: u32): Status {
  return proxy_set_effective_context(contextId);
}

/**
 * Says that the clean-up which the done callback asked time for has ended; the root is deleted
 * after this callback. Statuses: Ok; NotFound when the host does not wait. In: any callback of that
 * root or its streams.
 * @example proxywasm.PluginDone();
 * Source: proxy-wasm-cpp-host `context.cc`.
 */
export function PluginDone(): Status {
  return proxy_done();
}
