import { MapType, Status } from "../abi/enums";
import { Headers } from "../memory/headers";
import {
  addHeader,
  getHeader,
  getHeaders,
  removeHeader,
  replaceHeader,
  setHeaders,
} from "./header-map";
import { HeaderResult, HeadersResult } from "./result";

/**
 * All request trailers in order, repeated and empty ones included. Statuses: Ok (also, with no
 * entry, when the callback has no such map); ParseFailure for an answer that is no list. In: the
 * request trailers callback; adding also with the last chunk of the body.
 * @example const all = proxywasm.GetHttpRequestTrailers().headers;
 * Source: Envoy `context.cc`, header maps.
 */
export function GetHttpRequestTrailers(): HeadersResult {
  return getHeaders(MapType.HttpRequestTrailers);
}

/**
 * The first value of a request trailer, name in any case. Statuses: Ok; NotFound when it is absent;
 * BadArgument when the callback has no such map. In: the request trailers callback; adding also
 * with the last chunk of the body.
 * @example const id = proxywasm.GetHttpRequestTrailer("x-request-id").Text();
 * Source: Envoy `context.cc`, header maps.
 */
export function GetHttpRequestTrailer(name: string): HeaderResult {
  return getHeader(MapType.HttpRequestTrailers, name);
}

/**
 * Appends a request trailer; others of that name stay. Statuses: Ok; BadArgument when the callback
 * has no such map or may not change it. In: the request trailers callback; adding also with the
 * last chunk of the body.
 * @example proxywasm.AddHttpRequestTrailer("x-a", "1");
 * Source: Envoy `context.cc`, header maps.
 */
export function AddHttpRequestTrailer(name: string, value: string): Status {
  return addHeader(MapType.HttpRequestTrailers, name, value);
}

/**
 * Makes this the request trailer's only value, whether it was there or not. Statuses: Ok;
 * BadArgument when the callback has no such map or may not change it. In: the request trailers
 * callback; adding also with the last chunk of the body.
 * @example proxywasm.ReplaceHttpRequestTrailer("x-a", "1");
 * Source: Envoy `context.cc`, header maps.
 */
export function ReplaceHttpRequestTrailer(name: string, value: string): Status {
  return replaceHeader(MapType.HttpRequestTrailers, name, value);
}

/**
 * Takes every value of a request trailer out. Statuses: Ok, also when there was none; BadArgument
 * when the callback has no such map or may not change it. In: the request trailers callback; adding
 * also with the last chunk of the body.
 * @example proxywasm.RemoveHttpRequestTrailer("x-a");
 * Source: Envoy `context.cc`, header maps.
 */
export function RemoveHttpRequestTrailer(name: string): Status {
  return removeHeader(MapType.HttpRequestTrailers, name);
}

/**
 * Puts this list in the place of all request trailers. Statuses: Ok; BadArgument when the callback
 * has no such map or may not change it, and for more than 1,024 headers or 1 MiB. In: the request
 * trailers callback; adding also with the last chunk of the body.
 * @example proxywasm.ReplaceHttpRequestTrailers(headers.With("x-a", "1"));
 * Source: Envoy `context.cc`, header maps.
 */
export function ReplaceHttpRequestTrailers(headers: Headers): Status {
  return setHeaders(MapType.HttpRequestTrailers, headers);
}

/**
 * All response trailers in order, repeated and empty ones included. Statuses: Ok (also, with no
 * entry, when the callback has no such map); ParseFailure for an answer that is no list. In: the
 * response trailers callback; adding also with the last chunk of the body.
 * @example const all = proxywasm.GetHttpResponseTrailers().headers;
 * Source: Envoy `context.cc`, header maps.
 */
export function GetHttpResponseTrailers(): HeadersResult {
  return getHeaders(MapType.HttpResponseTrailers);
}

/**
 * The first value of a response trailer, name in any case. Statuses: Ok; NotFound when it is
 * absent; BadArgument when the callback has no such map. In: the response trailers callback; adding
 * also with the last chunk of the body.
 * @example const id = proxywasm.GetHttpResponseTrailer("x-request-id").Text();
 * Source: Envoy `context.cc`, header maps.
 */
export function GetHttpResponseTrailer(name: string): HeaderResult {
  return getHeader(MapType.HttpResponseTrailers, name);
}

/**
 * Appends a response trailer; others of that name stay. Statuses: Ok; BadArgument when the callback
 * has no such map or may not change it. In: the response trailers callback; adding also with the
 * last chunk of the body.
 * @example proxywasm.AddHttpResponseTrailer("x-a", "1");
 * Source: Envoy `context.cc`, header maps.
 */
export function AddHttpResponseTrailer(name: string, value: string): Status {
  return addHeader(MapType.HttpResponseTrailers, name, value);
}

/**
 * Makes this the response trailer's only value, whether it was there or not. Statuses: Ok;
 * BadArgument when the callback has no such map or may not change it. In: the response trailers
 * callback; adding also with the last chunk of the body.
 * @example proxywasm.ReplaceHttpResponseTrailer("x-a", "1");
 * Source: Envoy `context.cc`, header maps.
 */
export function ReplaceHttpResponseTrailer(name: string, value: string): Status {
  return replaceHeader(MapType.HttpResponseTrailers, name, value);
}

/**
 * Takes every value of a response trailer out. Statuses: Ok, also when there was none; BadArgument
 * when the callback has no such map or may not change it. In: the response trailers callback;
 * adding also with the last chunk of the body.
 * @example proxywasm.RemoveHttpResponseTrailer("x-a");
 * Source: Envoy `context.cc`, header maps.
 */
export function RemoveHttpResponseTrailer(name: string): Status {
  return removeHeader(MapType.HttpResponseTrailers, name);
}

/**
 * Puts this list in the place of all response trailers. Statuses: Ok; BadArgument when the callback
 * has no such map or may not change it, and for more than 1,024 headers or 1 MiB. In: the response
 * trailers callback; adding also with the last chunk of the body.
 * @example proxywasm.ReplaceHttpResponseTrailers(headers.With("x-a", "1"));
 * Source: Envoy `context.cc`, header maps.
 */
export function ReplaceHttpResponseTrailers(headers: Headers): Status {
  return setHeaders(MapType.HttpResponseTrailers, headers);
}
