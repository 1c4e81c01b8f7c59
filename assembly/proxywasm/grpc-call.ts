import { BufferType, MapType, Status } from "../abi/enums";
import {
  proxy_grpc_call,
  proxy_grpc_cancel,
  proxy_grpc_close,
  proxy_grpc_send,
  proxy_grpc_stream,
} from "../abi/imports";
import { Headers } from "../memory/headers";
import { OUT_WORD } from "../memory/out";
import { encodePairs } from "../memory/pairs";
import { encodeBuffer } from "../memory/utf8";
import { GetBuffer, TO_END } from "./buffer";
import { getHeaders } from "./header-map";
import { DispatchResult } from "./http-call";
import { BytesResult, HeadersResult } from "./result";

/**
 * Calls a unary gRPC method. `upstream` is a cluster's name or a serialised
 * `envoy.config.core.v3.GrpcService`; `message` is serialised already. `timeoutMs` is in
 * milliseconds. A success comes to the gRPC receive callback, a failure to the gRPC close callback,
 * never both. Statuses: Ok; ParseFailure for an unknown upstream; BadArgument, also for more than
 * 1,024 metadata pairs or 1 MiB of them; InternalFailure. In: any callback, not in top-level code.
 * @example proxywasm.DispatchGrpcCall(auth, "auth.v1.Auth", "Check", metadata, bytes, 500);
 * Source: Envoy `context.cc`, `grpcCall`.
 */
export function DispatchGrpcCall(
  upstream: Uint8Array,
  service: string,
  method: string,
  metadata: Headers,
  message: Uint8Array,
  timeoutMs: u32,
): DispatchResult {
  const serviceName = encodeBuffer(service);
  const methodName = encodeBuffer(method);
  const pairs = encodePairs(metadata);
  if (pairs === null) return new DispatchResult(Status.BadArgument, 0);
  const status = <Status>(
    proxy_grpc_call(
      upstream.dataStart,
      upstream.byteLength,
      changetype<usize>(serviceName),
      serviceName.byteLength,
      changetype<usize>(methodName),
      methodName.byteLength,
      changetype<usize>(pairs),
      pairs.byteLength,
      message.dataStart,
      message.byteLength,
      timeoutMs,
      OUT_WORD,
    )
  );
  return new DispatchResult(status, status == Status.Ok ? load<u32>(OUT_WORD) : 0);
}

/**
 * Opens a gRPC stream. Arguments and statuses as `DispatchGrpcCall`. Answers come to the gRPC
 * callbacks. In: any callback, not in top-level code.
 * @example proxywasm.OpenGrpcStream(utf8.encode("events"), "events.v1.Events", "Watch", metadata);
 * Source: Envoy `context.cc`, `grpcStream`.
 */
export function OpenGrpcStream(
  upstream: Uint8Array,
  service: string,
  method: string,
  metadata: Headers,
): DispatchResult {
  const serviceName = encodeBuffer(service);
  const methodName = encodeBuffer(method);
  const pairs = encodePairs(metadata);
  if (pairs === null) return new DispatchResult(Status.BadArgument, 0);
  const status = <Status>(
    proxy_grpc_stream(
      upstream.dataStart,
      upstream.byteLength,
      changetype<usize>(serviceName),
      serviceName.byteLength,
      changetype<usize>(methodName),
      methodName.byteLength,
      changetype<usize>(pairs),
      pairs.byteLength,
      OUT_WORD,
    )
  );
  return new DispatchResult(status, status == Status.Ok ? load<u32>(OUT_WORD) : 0);
}

/**
 * Sends a message on a stream, and with `endOfStream` the last one. Statuses: Ok; NotFound for an
 * unknown token; BadArgument for a call's token. In: any callback, not in top-level code.
 * @example proxywasm.SendGrpcMessage(token, bytes, false);
 * Source: Envoy `context.cc`, `grpcSend`.
 */
export function SendGrpcMessage(token: u32, message: Uint8Array, endOfStream: bool): Status {
  return proxy_grpc_send(token, message.dataStart, message.byteLength, endOfStream ? 1 : 0);
}

/**
 * Gives a call or stream up; no callback follows. Statuses: Ok; NotFound; BadArgument. In: any
 * callback, not in top-level code.
 * @example proxywasm.CancelGrpc(token);
 * Source: Envoy `context.cc`, `grpcCancel`.
 */
export function CancelGrpc(token: u32): Status {
  return proxy_grpc_cancel(token);
}

/**
 * Ends this side of a stream; answers may still come. Gives a call up. Statuses: Ok; NotFound;
 * BadArgument. In: any callback, not in top-level code.
 * @example proxywasm.CloseGrpc(token);
 * Source: Envoy `context.cc`, `grpcClose`.
 */
export function CloseGrpc(token: u32): Status {
  return proxy_grpc_close(token);
}

/**
 * The message received. Status: Ok. In: the gRPC receive callback.
 * @example proxywasm.GetGrpcMessage().value
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function GetGrpcMessage(): BytesResult {
  return GetBuffer(BufferType.GrpcReceiveBuffer, 0, TO_END);
}

/**
 * The initial metadata received. Statuses: Ok; ParseFailure. In: its callback.
 * @example proxywasm.GetGrpcInitialMetadata().headers
 * Source: Envoy `context.cc`, header maps.
 */
export function GetGrpcInitialMetadata(): HeadersResult {
  return getHeaders(MapType.GrpcReceiveInitialMetadata);
}

/**
 * The trailing metadata received. Statuses: Ok; ParseFailure. In: its callback.
 * @example proxywasm.GetGrpcTrailingMetadata().headers
 * Source: Envoy `context.cc`, header maps.
 */
export function GetGrpcTrailingMetadata(): HeadersResult {
  return getHeaders(MapType.GrpcReceiveTrailingMetadata);
}
