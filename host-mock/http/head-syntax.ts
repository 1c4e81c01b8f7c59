/**
 * Which bytes names and values of headers may have.
 *
 * Source: Envoy `source/common/http/header_utility.cc` (headerNameIsValid, headerValueIsValid, authorityIsValid).
 */
import { latin1 } from "../state/bytes.ts";
import type { HeaderMap } from "../state/header-map.ts";
import { known } from "./header-names.ts";

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const control = /[\x00-\x08\x0a-\x1f\x7f]/;
const digits = /^[0-9]+$/;

/** Names and values as text; a value that is no UTF-8 as a binary string. For looking at what is ASCII in them. */
export function fieldTexts(headers: HeaderMap): (readonly [name: string, value: string])[] {
  return headers
    .shown(true)
    .map(([name, value]) => [name, typeof value === "string" ? value : latin1(value)] as const);
}

/** Whether a header's name is a token of HTTP. */
export function isToken(name: string): boolean {
  return token.test(name);
}

/** Whether a text has a control character other than a tabulator. */
export function hasControls(text: string): boolean {
  return control.test(text);
}

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
  if (!fieldTexts(headers).some(([, value]) => value.includes("\r"))) return;
  const entries = headers.entries();
  headers.replaceAll(
    entries.map(([name, value]) => [name, value.filter((byte) => byte !== carriageReturn)]),
  );
}

const carriageReturn = 0x0d;
