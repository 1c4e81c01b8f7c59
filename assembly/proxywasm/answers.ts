/** How host calls hand over their results; the cold paths of all wrappers, kept in one place. */
import { Status } from "../abi/enums";
import { noBytes } from "../memory/bytes";
import { takeBytes } from "../memory/host-buffer";
import { Headers } from "../memory/headers";
import { OUT_WORD } from "../memory/out";
import { decodePairs } from "../memory/pairs";
import { BytesResult, HeadersResult, TokenResult } from "./result";

/** What a call that returned `status` left in `OUT_PTR` and `OUT_SIZE`. */
export function bytesAnswer(status: Status): BytesResult {
  return new BytesResult(status, takeWhenOk(status));
}

export function takeWhenOk(status: Status): Uint8Array {
  return status == Status.Ok ? takeBytes() : noBytes();
}

/** What a call that returned `status` left in `OUT_WORD`. */
export function tokenAnswer(status: Status): TokenResult {
  return new TokenResult(status, status == Status.Ok ? load<u32>(OUT_WORD) : 0);
}

/** A list of pairs in `OUT_PTR` and `OUT_SIZE`. */
export function headersAnswer(status: Status): HeadersResult {
  if (status != Status.Ok) return new HeadersResult(status, new Headers());
  const pairs = decodePairs(takeBytes());
  return new HeadersResult(pairs.isMalformed ? Status.ParseFailure : Status.Ok, pairs.headers);
}
