import { MapType, Status } from "../abi/enums";
import {
  proxy_add_header_map_value,
  proxy_get_header_map_pairs,
  proxy_get_header_map_value,
  proxy_remove_header_map_value,
  proxy_replace_header_map_value,
  proxy_set_header_map_pairs,
} from "../abi/imports";
import { Headers } from "../memory/headers";
import { OUT_PTR, OUT_SIZE } from "../memory/out";
import { encodePairs } from "../memory/pairs";
import { encodeBuffer } from "../memory/utf8";
import { headersAnswer, takeWhenOk } from "./answers";
import { HeaderResult, HeadersResult } from "./result";

// The calls of every map; the public functions name the map. Source: Envoy `context.cc`.

export function getHeader(map: MapType, name: string): HeaderResult {
  const key = encodeBuffer(name);
  const status = <Status>(
    proxy_get_header_map_value(map, changetype<usize>(key), key.byteLength, OUT_PTR, OUT_SIZE)
  );
  return new HeaderResult(status, takeWhenOk(status));
}

export function getHeaders(map: MapType): HeadersResult {
  return headersAnswer(proxy_get_header_map_pairs(map, OUT_PTR, OUT_SIZE));
}

export function addHeader(map: MapType, name: string, value: string): Status {
  const key = encodeBuffer(name);
  const text = encodeBuffer(value);
  return proxy_add_header_map_value(
    map,
    changetype<usize>(key),
    key.byteLength,
    changetype<usize>(text),
    text.byteLength,
  );
}

export function replaceHeader(map: MapType, name: string, value: string): Status {
  const key = encodeBuffer(name);
  const text = encodeBuffer(value);
  return proxy_replace_header_map_value(
    map,
    changetype<usize>(key),
    key.byteLength,
    changetype<usize>(text),
    text.byteLength,
  );
}

export function removeHeader(map: MapType, name: string): Status {
  const key = encodeBuffer(name);
  return proxy_remove_header_map_value(map, changetype<usize>(key), key.byteLength);
}

export function setHeaders(map: MapType, headers: Headers): Status {
  const pairs = encodePairs(headers);
  // The host would take an oversized list for an empty one and drop every header.
  if (pairs === null) return Status.BadArgument;
  return proxy_set_header_map_pairs(map, changetype<usize>(pairs), pairs.byteLength);
}
