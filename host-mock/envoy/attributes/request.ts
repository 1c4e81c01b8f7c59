import { fromLatin1, latin1 } from "../../state/bytes.ts";
import type { HeaderMap } from "../../state/header-map.ts";
import type { StreamInfo } from "../../http/stream-info.ts";
import { headerValues } from "./header-values.ts";
import {
  group,
  leaf,
  number,
  optionalNumber,
  optionalText,
  type AttributeValue,
  type Fields,
} from "./value.ts";

/**
 * `request`. What stands in a header is there while the context sees the request's headers.
 *
 * Source: Envoy `source/extensions/filters/common/expr/context.cc` (RequestLookupValues).
 */
export function requestAttributes(
  info: StreamInfo,
  headers: HeaderMap | undefined,
): AttributeValue {
  const header = (name: string) => (): AttributeValue | undefined => {
    const value = headers?.get(name);
    return value === undefined ? undefined : leaf(value);
  };
  const fields: Fields = {
    path: header(":path"),
    url_path: () => targetPart(headers, (target) => target.split("?", 1)[0]!),
    query: () => targetPart(headers, queryOf),
    host: header(":authority"),
    scheme: header(":scheme"),
    method: header(":method"),
    referer: header("referer"),
    id: header("x-request-id"),
    useragent: header("user-agent"),
    headers: () => headerValues(headers),
    headers_bytes: () => number(headers?.sizeBytes ?? 0),
    time: () => number(info.startedWallNs),
    size: () => sizeOf(headers, info.receivedBytes),
    total_size: () => number(info.receivedBytes + (headers?.sizeBytes ?? 0)),
    duration: () =>
      optionalNumber(
        info.completedNs === undefined ? undefined : info.completedNs - info.startedNs,
      ),
    protocol: () => optionalText(info.protocol),
  };
  return group(fields);
}

/** A part of `:path`, as of an empty one when there is none. */
function targetPart(
  headers: HeaderMap | undefined,
  part: (target: string) => string,
): AttributeValue | undefined {
  if (headers === undefined) return undefined;
  return leaf(fromLatin1(part(latin1(headers.get(":path") ?? new Uint8Array(0)))));
}

function queryOf(target: string): string {
  const start = target.indexOf("?");
  return start < 0 ? "" : target.slice(start + 1).split("#", 1)[0]!;
}

/** `content-length` decides; one that is no number makes the size unknown. */
function sizeOf(headers: HeaderMap | undefined, receivedBytes: number): AttributeValue | undefined {
  const length = headers?.text("content-length");
  if (length === undefined) return number(receivedBytes);
  const trimmed = length.trim();
  if (!/^[+-]?\d+$/.test(trimmed)) return undefined;
  const size = BigInt(trimmed.replace(/^\+/, ""));
  return BigInt.asIntN(64, size) === size ? number(size) : undefined;
}
