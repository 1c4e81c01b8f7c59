import { BufferType, Status } from "../abi/enums";
import { GetBuffer, SetBuffer, TO_END } from "./buffer";
import { BytesResult } from "./result";

/**
 * Bytes of the request body that the callback holds: the chunk, or all that is buffered when
 * earlier chunks were paused; at most `length` from `start` on. Statuses: Ok (empty without a
 * body). In: the request body callback, and later ones while the body is held.
 * @example const body = proxywasm.GetHttpRequestBody(0, proxywasm.TO_END).value;
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function GetHttpRequestBody(start: u32, length: u32): BytesResult {
  return GetBuffer(BufferType.HttpRequestBody, start, length);
}

/**
 * Puts these bytes in the place of the request body that the callback holds. A `content-length`
 * header must be changed or removed by hand. Statuses: Ok; BadArgument without a body.
 * In: the request body callback, and later ones while the body is held.
 * @example proxywasm.ReplaceHttpRequestBody(bytes);
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function ReplaceHttpRequestBody(bytes: Uint8Array): Status {
  return SetBuffer(BufferType.HttpRequestBody, 0, TO_END, bytes);
}

/**
 * Appends bytes to the request body that the callback holds. A `content-length`
 * header must be changed or removed by hand. Statuses: Ok; BadArgument without a body.
 * In: the request body callback, and later ones while the body is held.
 * @example proxywasm.AppendHttpRequestBody(bytes);
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function AppendHttpRequestBody(bytes: Uint8Array): Status {
  return SetBuffer(BufferType.HttpRequestBody, TO_END, 0, bytes);
}

/**
 * Puts bytes before the request body that the callback holds. A `content-length`
 * header must be changed or removed by hand. Statuses: Ok; BadArgument without a body.
 * In: the request body callback, and later ones while the body is held.
 * @example proxywasm.PrependHttpRequestBody(bytes);
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function PrependHttpRequestBody(bytes: Uint8Array): Status {
  return SetBuffer(BufferType.HttpRequestBody, 0, 0, bytes);
}

/**
 * As `SetBuffer` on the request body. Statuses: Ok; BadArgument without a body or for a range that
 * is neither start, end nor all. In: the request body callback, and later ones while the body is
 * held.
 * @example proxywasm.SetHttpRequestBody(0, proxywasm.TO_END, bytes);
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function SetHttpRequestBody(start: u32, length: u32, bytes: Uint8Array): Status {
  return SetBuffer(BufferType.HttpRequestBody, start, length, bytes);
}

/**
 * Bytes of the response body that the callback holds: the chunk, or all that is buffered when
 * earlier chunks were paused; at most `length` from `start` on. Statuses: Ok (empty without a
 * body). In: the response body callback, and later ones while the body is held.
 * @example const body = proxywasm.GetHttpResponseBody(0, proxywasm.TO_END).value;
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function GetHttpResponseBody(start: u32, length: u32): BytesResult {
  return GetBuffer(BufferType.HttpResponseBody, start, length);
}

/**
 * Puts these bytes in the place of the response body that the callback holds. A `content-length`
 * header must be changed or removed by hand. Statuses: Ok; BadArgument without a body.
 * In: the response body callback, and later ones while the body is held.
 * @example proxywasm.ReplaceHttpResponseBody(bytes);
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function ReplaceHttpResponseBody(bytes: Uint8Array): Status {
  return SetBuffer(BufferType.HttpResponseBody, 0, TO_END, bytes);
}

/**
 * Appends bytes to the response body that the callback holds. A `content-length`
 * header must be changed or removed by hand. Statuses: Ok; BadArgument without a body.
 * In: the response body callback, and later ones while the body is held.
 * @example proxywasm.AppendHttpResponseBody(bytes);
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function AppendHttpResponseBody(bytes: Uint8Array): Status {
  return SetBuffer(BufferType.HttpResponseBody, TO_END, 0, bytes);
}

/**
 * Puts bytes before the response body that the callback holds. A `content-length`
 * header must be changed or removed by hand. Statuses: Ok; BadArgument without a body.
 * In: the response body callback, and later ones while the body is held.
 * @example proxywasm.PrependHttpResponseBody(bytes);
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function PrependHttpResponseBody(bytes: Uint8Array): Status {
  return SetBuffer(BufferType.HttpResponseBody, 0, 0, bytes);
}

/**
 * As `SetBuffer` on the response body. Statuses: Ok; BadArgument without a body or for a range that
 * is neither start, end nor all. In: the response body callback, and later ones while the body is
 * held.
 * @example proxywasm.SetHttpResponseBody(0, proxywasm.TO_END, bytes);
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function SetHttpResponseBody(start: u32, length: u32, bytes: Uint8Array): Status {
  return SetBuffer(BufferType.HttpResponseBody, start, length, bytes);
}
