import { noBytes } from "../memory/bytes";
import { decode } from "../memory/utf8";
import { Headers } from "../memory/headers";
import { GetHttpCallResponseBody, GetHttpCallResponseHeaders } from "../proxywasm/index";

/** Envoy's own answer to a call that took too long is a plain 504 with exactly this body. */
const TIMEOUT_STATUS: u32 = 504;
const TIMEOUT_BODY: string = "upstream request timeout";
/** What wasm-go makes of a `:status` that is no number. */
const STATUS_UNREADABLE: u32 = 500;

/**
 * The answer to an HTTP call. A reset (connection lost, answer too large) has no headers: `IsReset`
 * is true, `StatusCode` 0. A timeout is a response made by Envoy, as is 503 without a healthy
 * upstream.
 */
export class HttpResponse {
  /** The value of `:status`; 0 when the call was reset. */
  StatusCode: u32 = 0;
  Headers: Headers = new Headers();
  Body: Uint8Array = noBytes();
  /** No answer came, and none will. */
  IsReset: bool = true;
  /** Envoy gave up waiting. The service may still have done what it was asked for. */
  TimedOut: bool = false;

  /** The body as text; null when it is not valid UTF-8. */
  Text(): string | null {
    return decode(this.Body);
  }
}

/** Reads the answer that the running callback is about. */
export function readResponse(headerCount: u32, bodySize: u32): HttpResponse {
  const response = new HttpResponse();
  if (headerCount == 0) return response;
  response.IsReset = false;
  response.Headers = GetHttpCallResponseHeaders().headers;
  response.StatusCode = statusOf(response.Headers.GetBytes(":status"));
  if (bodySize > 0) response.Body = GetHttpCallResponseBody(0, bodySize).value;
  response.TimedOut = response.StatusCode == TIMEOUT_STATUS && isTimeoutBody(response);
  return response;
}

function isTimeoutBody(response: HttpResponse): bool {
  if (response.Body.byteLength != TIMEOUT_BODY.length) return false;
  return response.Text() == TIMEOUT_BODY;
}

function statusOf(value: Uint8Array | null): u32 {
  if (value === null || value.byteLength != 3) return STATUS_UNREADABLE;
  let status: u32 = 0;
  for (let i = 0; i < 3; i++) {
    const digit: u32 = <u32>load<u8>(value.dataStart + i) - 0x30;
    if (digit > 9) return STATUS_UNREADABLE;
    status = status * 10 + digit;
  }
  return status;
}
