import { BufferType, MapType, Status } from "../abi/enums";
import { proxy_get_status, proxy_http_call } from "../abi/imports";
import { Headers } from "../memory/headers";
import { OUT_PTR, OUT_SIZE, OUT_WORD } from "../memory/out";
import { encodePairs } from "../memory/pairs";
import { encodeBuffer } from "../memory/utf8";
import { takeWhenOk } from "./answers";
import { GetBuffer, TO_END } from "./buffer";
import { getHeader, getHeaders } from "./header-map";
import { BytesResult, HeaderResult, HeadersResult, TokenResult } from "./result";

/** The token that names the call in its answer; 0 unless `status` is Ok. */
export class DispatchResult extends TokenResult {
  constructor(status: Status, token: u32) {
    super(status, token);
  }
}

/**
 * Sends an HTTP request to a cluster. `headers` must have `:method`, `:path` and `:authority`;
 * Envoy takes trailers and does not send them. `timeoutMs` is in milliseconds, below 2³¹; 0 means
 * none. The answer comes to the root's HTTP call callback, a timeout as a response of status 504.
 * Statuses: Ok; BadArgument for an unknown cluster, a missing pseudo-header, a timeout out of
 * bounds, more than 1,024 headers or 1 MiB of them; InternalFailure when it could not be sent, and
 * then no answer follows. In: any callback, not in top-level code.
 * @example proxywasm.DispatchHttpCall("collector", headers, body, new wrapper.Headers(), 500);
 * Source: Envoy `context.cc`, `httpCall`.
 */
export function DispatchHttpCall(
  cluster: string,
  headers: Headers,
  body: Uint8Array,
  trailers: Headers,
  timeoutMs: u32,
): DispatchResult {
  const name = encodeBuffer(cluster);
  const head = encodePairs(headers);
  const tail = encodePairs(trailers);
  if (head === null || tail === null) return new DispatchResult(Status.BadArgument, 0);
  const status = <Status>(
    proxy_http_call(
      changetype<usize>(name),
      name.byteLength,
      changetype<usize>(head),
      head.byteLength,
      body.dataStart,
      body.byteLength,
      changetype<usize>(tail),
      tail.byteLength,
      timeoutMs,
      OUT_WORD,
    )
  );
  return new DispatchResult(status, status == Status.Ok ? load<u32>(OUT_WORD) : 0);
}

/**
 * The headers of the answer, `:status` among them. Statuses: Ok (with no entry outside the
 * callback); ParseFailure. In: the HTTP call callback.
 * @example const code = proxywasm.GetHttpCallResponseHeaders().headers.Get(":status");
 * Source: Envoy `context.cc`, header maps.
 */
export function GetHttpCallResponseHeaders(): HeadersResult {
  return getHeaders(MapType.HttpCallResponseHeaders);
}

/**
 * The first value of a header of the answer. Statuses: Ok; NotFound; BadArgument outside the
 * callback. In: the HTTP call callback.
 * @example proxywasm.GetHttpCallResponseHeader(":status").Text()
 * Source: Envoy `context.cc`, header maps.
 */
export function GetHttpCallResponseHeader(name: string): HeaderResult {
  return getHeader(MapType.HttpCallResponseHeaders, name);
}

/**
 * Bytes of the answer's body, at most `length` from `start` on. Statuses: Ok; NotFound outside the
 * callback and when the call was reset. In: the HTTP call callback.
 * @example const body = proxywasm.GetHttpCallResponseBody(0, proxywasm.TO_END).value;
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function GetHttpCallResponseBody(start: u32 = 0, length: u32 = TO_END): BytesResult {
  return GetBuffer(BufferType.HttpCallResponseBody, start, length);
}

/**
 * The trailers of the answer. Statuses: Ok (with no entry when there are none); ParseFailure. In:
 * the HTTP call callback.
 * @example proxywasm.GetHttpCallResponseTrailers().headers.Size()
 * Source: Envoy `context.cc`, header maps.
 */
export function GetHttpCallResponseTrailers(): HeadersResult {
  return getHeaders(MapType.HttpCallResponseTrailers);
}

/** Why the last call failed: `value` is the message, `code` the host's number for it. */
export class CallStatusResult extends BytesResult {
  constructor(
    status: Status,
    value: Uint8Array,
    public readonly code: u32,
  ) {
    super(status, value);
  }
}

/**
 * Code and message of the root's last failed call: 11 and "reset" for HTTP, the gRPC status and its
 * message for gRPC. The code stays as it is when later calls succeed. Status: Ok. In: the answer's
 * callback.
 * @example proxywasm.GetCallStatus().Text()
 * Source: Envoy `context.cc`, `getStatus`.
 */
export function GetCallStatus(): CallStatusResult {
  const status = <Status>proxy_get_status(OUT_WORD, OUT_PTR, OUT_SIZE);
  const code = status == Status.Ok ? load<u32>(OUT_WORD) : 0;
  return new CallStatusResult(status, takeWhenOk(status), code);
}
