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
 * All request headers in order, repeated and empty ones included; pseudo-headers (`:path`) too.
 * Statuses: Ok (also, with no entry, when the callback has no such map); ParseFailure for an
 * answer that is no list. In: request callbacks while the headers are held, and the log callback.
 * @example const all = proxywasm.GetHttpRequestHeaders().headers;
 * Source: Envoy `context.cc`, header maps.
 */
export function GetHttpRequestHeaders(): HeadersResult {
  return getHeaders(MapType.HttpRequestHeaders);
}

/**
 * The first value of a request header, name in any case. Statuses: Ok; NotFound when it is absent;
 * BadArgument when the callback has no such map. In: request callbacks while the headers are held,
 * and the log callback.
 * @example const id = proxywasm.GetHttpRequestHeader("x-request-id").Text();
 * Source: Envoy `context.cc`, header maps.
 */
export function GetHttpRequestHeader(name: string): HeaderResult {
  return getHeader(MapType.HttpRequestHeaders, name);
}

/**
 * Appends a request header; others of that name stay. Statuses: Ok; BadArgument when the callback
 * has no such map or may not change it. In: request callbacks while the headers are held, and the
 * log callback.
 * @example proxywasm.AddHttpRequestHeader("x-a", "1");
 * Source: Envoy `context.cc`, header maps.
 */
export function AddHttpRequestHeader(name: string, value: string): Status {
  return addHeader(MapType.HttpRequestHeaders, name, value);
}

/**
 * Makes this the request header's only value, whether it was there or not. Statuses: Ok;
 * BadArgument when the callback has no such map or may not change it. In: request callbacks while
 * the headers are held, and the log callback.
 * @example proxywasm.ReplaceHttpRequestHeader("x-a", "1");
 * Source: Envoy `context.cc`, header maps.
 */
export function ReplaceHttpRequestHeader(name: string, value: string): Status {
  return replaceHeader(MapType.HttpRequestHeaders, name, value);
}

/**
 * Takes every value of a request header out. Statuses: Ok, also when there was none; BadArgument
 * when the callback has no such map or may not change it. In: request callbacks while the headers
 * are held, and the log callback.
 * @example proxywasm.RemoveHttpRequestHeader("x-a");
 * Source: Envoy `context.cc`, header maps.
 */
export function RemoveHttpRequestHeader(name: string): Status {
  return removeHeader(MapType.HttpRequestHeaders, name);
}

/**
 * Puts this list in the place of all request headers. Statuses: Ok; BadArgument when the callback
 * has no such map or may not change it, and for more than 1,024 headers or 1 MiB. In: request
 * callbacks while the headers are held, and the log callback.
 * @example proxywasm.ReplaceHttpRequestHeaders(headers.With("x-a", "1"));
 * Source: Envoy `context.cc`, header maps.
 */
export function ReplaceHttpRequestHeaders(headers: Headers): Status {
  return setHeaders(MapType.HttpRequestHeaders, headers);
}
