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
 * All response headers in order, repeated and empty ones included; pseudo-headers (`:path`) too.
 * Statuses: Ok (also, with no entry, when the callback has no such map); ParseFailure for an
 * answer that is no list. In: response callbacks while the headers are held, and the log callback.
 * @example const all = proxywasm.GetHttpResponseHeaders().headers;
 * Source: Envoy `context.cc`, header maps.
 */
export function GetHttpResponseHeaders(): HeadersResult {
  return getHeaders(MapType.HttpResponseHeaders);
}

/**
 * The first value of a response header, name in any case. Statuses: Ok; NotFound when it is absent;
 * BadArgument when the callback has no such map. In: response callbacks while the headers are held,
 * and the log callback.
 * @example const id = proxywasm.GetHttpResponseHeader("x-request-id").Text();
 * Source: Envoy `context.cc`, header maps.
 */
export function GetHttpResponseHeader(name: string): HeaderResult {
  return getHeader(MapType.HttpResponseHeaders, name);
}

/**
 * Appends a response header; others of that name stay. Statuses: Ok; BadArgument when the callback
 * has no such map or may not change it. In: response callbacks while the headers are held, and the
 * log callback.
 * @example proxywasm.AddHttpResponseHeader("x-a", "1");
 * Source: Envoy `context.cc`, header maps.
 */
export function AddHttpResponseHeader(name: string, value: string): Status {
  return addHeader(MapType.HttpResponseHeaders, name, value);
}

/**
 * Makes this the response header's only value, whether it was there or not. Statuses: Ok;
 * BadArgument when the callback has no such map or may not change it. In: response callbacks while
 * the headers are held, and the log callback.
 * @example proxywasm.ReplaceHttpResponseHeader("x-a", "1");
 * Source: Envoy `context.cc`, header maps.
 */
export function ReplaceHttpResponseHeader(name: string, value: string): Status {
  return replaceHeader(MapType.HttpResponseHeaders, name, value);
}

/**
 * Takes every value of a response header out. Statuses: Ok, also when there was none; BadArgument
 * when the callback has no such map or may not change it. In: response callbacks while the headers
 * are held, and the log callback.
 * @example proxywasm.RemoveHttpResponseHeader("x-a");
 * Source: Envoy `context.cc`, header maps.
 */
export function RemoveHttpResponseHeader(name: string): Status {
  return removeHeader(MapType.HttpResponseHeaders, name);
}

/**
 * Puts this list in the place of all response headers. Statuses: Ok; BadArgument when the callback
 * has no such map or may not change it, and for more than 1,024 headers or 1 MiB. In: response
 * callbacks while the headers are held, and the log callback.
 * @example proxywasm.ReplaceHttpResponseHeaders(headers.With("x-a", "1"));
 * Source: Envoy `context.cc`, header maps.
 */
export function ReplaceHttpResponseHeaders(headers: Headers): Status {
  return setHeaders(MapType.HttpResponseHeaders, headers);
}
