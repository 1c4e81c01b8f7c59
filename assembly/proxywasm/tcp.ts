import { BufferType, Status, StreamType } from "../abi/enums";
import { proxy_close_stream, proxy_continue_stream } from "../abi/imports";
import { GetBuffer, SetBuffer, TO_END } from "./buffer";
import { BytesResult } from "./result";

/**
 * Bytes of the downstream data that the callback holds, at most `length` from `start` on. Statuses:
 * Ok. In: the downstream data callback.
 * @example const data = proxywasm.GetDownstreamData(0, proxywasm.TO_END).value;
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function GetDownstreamData(start: u32, length: u32): BytesResult {
  return GetBuffer(BufferType.DownstreamData, start, length);
}

/**
 * Puts these bytes in the place of the downstream data that the callback holds. Statuses: Ok;
 * BadArgument without data. In: the downstream data callback.
 * @example proxywasm.ReplaceDownstreamData(bytes);
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function ReplaceDownstreamData(bytes: Uint8Array): Status {
  return SetBuffer(BufferType.DownstreamData, 0, TO_END, bytes);
}

/**
 * Appends bytes to the downstream data that the callback holds. Statuses: Ok; BadArgument without
 * data. In: the downstream data callback.
 * @example proxywasm.AppendDownstreamData(bytes);
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function AppendDownstreamData(bytes: Uint8Array): Status {
  return SetBuffer(BufferType.DownstreamData, TO_END, 0, bytes);
}

/**
 * Puts bytes before the downstream data that the callback holds. Statuses: Ok; BadArgument without
 * data. In: the downstream data callback.
 * @example proxywasm.PrependDownstreamData(bytes);
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function PrependDownstreamData(bytes: Uint8Array): Status {
  return SetBuffer(BufferType.DownstreamData, 0, 0, bytes);
}

/**
 * Bytes of the upstream data that the callback holds, at most `length` from `start` on. Statuses:
 * Ok. In: the upstream data callback.
 * @example const data = proxywasm.GetUpstreamData(0, proxywasm.TO_END).value;
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function GetUpstreamData(start: u32, length: u32): BytesResult {
  return GetBuffer(BufferType.UpstreamData, start, length);
}

/**
 * Puts these bytes in the place of the upstream data that the callback holds. Statuses: Ok;
 * BadArgument without data. In: the upstream data callback.
 * @example proxywasm.ReplaceUpstreamData(bytes);
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function ReplaceUpstreamData(bytes: Uint8Array): Status {
  return SetBuffer(BufferType.UpstreamData, 0, TO_END, bytes);
}

/**
 * Appends bytes to the upstream data that the callback holds. Statuses: Ok; BadArgument without
 * data. In: the upstream data callback.
 * @example proxywasm.AppendUpstreamData(bytes);
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function AppendUpstreamData(bytes: Uint8Array): Status {
  return SetBuffer(BufferType.UpstreamData, TO_END, 0, bytes);
}

/**
 * Puts bytes before the upstream data that the callback holds. Statuses: Ok; BadArgument without
 * data. In: the upstream data callback.
 * @example proxywasm.PrependUpstreamData(bytes);
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function PrependUpstreamData(bytes: Uint8Array): Status {
  return SetBuffer(BufferType.UpstreamData, 0, 0, bytes);
}

/**
 * Lets a paused connection go on reading from its client. Status: Ok. In: callbacks of a
 * connection.
 * @example proxywasm.ContinueTcpStream();
 * Source: Envoy `context.cc`, `continueStream`.
 */
export function ContinueTcpStream(): Status {
  return proxy_continue_stream(StreamType.Downstream);
}

/**
 * Closes the client's connection once what was written to it is sent.
 * Status: Ok. In: callbacks of a connection.
 * @example proxywasm.CloseDownstream();
 * Source: Envoy `context.cc`, `closeStream`.
 */
export function CloseDownstream(): Status {
  return proxy_close_stream(StreamType.Downstream);
}

/**
 * In Envoy the same as `CloseDownstream`: the filter's own connection is the client's.
 * Status: Ok. In: callbacks of a connection.
 * @example proxywasm.CloseUpstream();
 * Source: Envoy `context.cc`, `closeStream`.
 */
export function CloseUpstream(): Status {
  return proxy_close_stream(StreamType.Upstream);
}
