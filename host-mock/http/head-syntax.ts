/**
 * What a codec of HTTP/1.1 looks for in a head, whichever way it goes. An entry knows its own characters.
 *
 * Source: Envoy `source/common/http/header_utility.cc` (headerNameIsValid, headerValueIsValid, authorityIsValid).
 */
import type { HeaderMap } from "../state/header-map.ts";
import { known } from "./header-names.ts";

const digits = /^[0-9]+$/;

/** Whether a length is one number; two of them are joined by a comma, and none. */
export function hasSoundLength(headers: HeaderMap): boolean {
  const text = headers.text(known.contentLength);
  return text === undefined || digits.test(text.trim());
}

/** Whether a transfer coding is the one that Envoy knows. */
export function hasKnownCoding(headers: HeaderMap): boolean {
  const text = headers.text(known.transferEncoding);
  return text === undefined || text.trim().toLowerCase() === "chunked";
}

export function hasLengthAndCoding(headers: HeaderMap): boolean {
  return headers.has(known.contentLength) && headers.has(known.transferEncoding);
}

/** Carriage returns inside values are passed over by an HTTP/1.1 codec. */
export function dropReturns(headers: HeaderMap): void {
  if (headers.find(({ controls }) => controls !== null && controls.hasReturn) === undefined) return;
  const entries = headers.entries();
  headers.replaceAll(
    entries.map(([name, value]) => [name, value.filter((byte) => byte !== carriageReturn)]),
  );
}

const carriageReturn = 0x0d;
