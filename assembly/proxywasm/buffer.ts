import { BufferType, Status } from "../abi/enums";
import {
  proxy_get_buffer_bytes,
  proxy_get_buffer_status,
  proxy_set_buffer_bytes,
} from "../abi/imports";
import { OUT_PTR, OUT_SIZE, OUT_WORD } from "../memory/out";
import { bytesAnswer } from "./answers";
import { BytesResult } from "./result";

/** As a length: up to the buffer's end. As a start: behind its end. */
export const TO_END: u32 = 0x7fffffff;

/**
 * A part of a host buffer: at most `length` bytes from `start` on. Statuses: Ok (empty when `start`
 * is behind the end); NotFound when the callback has no such buffer; BadArgument for an unknown
 * type. In: the callbacks that have the buffer.
 * @example proxywasm.GetBuffer(proxywasm.BufferType.CallData, 0, proxywasm.TO_END);
 * Source: Envoy `context.cc`, `getBuffer`; proxy-wasm-cpp-host `exports.cc`.
 */
export function GetBuffer(type: BufferType, start: u32, length: u32): BytesResult {
  return bytesAnswer(proxy_get_buffer_bytes(type, start, length, OUT_PTR, OUT_SIZE));
}

/**
 * Puts bytes in the place of `length` bytes of a buffer from `start` on. Start 0 and length 0
 * prepend, start `TO_END` appends, length `TO_END` from 0 replaces all; anything else is refused by
 * hosts with BadArgument. Statuses: Ok, BadArgument, NotFound. In: the callbacks that have the
 * buffer.
 * @example proxywasm.SetBuffer(proxywasm.BufferType.HttpRequestBody, 0, proxywasm.TO_END, bytes);
 * Source: proxy-wasm-cpp-host `exports.cc`; Envoy `context.cc`.
 */
export function SetBuffer(type: BufferType, start: u32, length: u32, bytes: Uint8Array): Status {
  return proxy_set_buffer_bytes(type, start, length, bytes.dataStart, bytes.byteLength);
}

/** How many bytes a buffer has; 0 unless `status` is Ok. */
export class BufferSizeResult {
  constructor(
    public readonly status: Status,
    public readonly sizeBytes: u32,
  ) {}
}

/**
 * The size of a buffer in bytes. Statuses: Ok, NotFound, BadArgument. In: the callbacks that have
 * it.
 * @example proxywasm.GetBufferSize(proxywasm.BufferType.HttpRequestBody).sizeBytes
 * Source: proxy-wasm-cpp-host `exports.cc`, `get_buffer_status`.
 */
export function GetBufferSize(type: BufferType): BufferSizeResult {
  // The flags are of no use (hosts write 0), but the host wants a place for them.
  const status = <Status>proxy_get_buffer_status(type, OUT_WORD, OUT_SIZE);
  return new BufferSizeResult(status, status == Status.Ok ? load<u32>(OUT_WORD) : 0);
}
