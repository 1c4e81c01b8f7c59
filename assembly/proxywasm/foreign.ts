import { BufferType } from "../abi/enums";
import { proxy_call_foreign_function } from "../abi/imports";
import { OUT_PTR, OUT_SIZE } from "../memory/out";
import { encodeBuffer } from "../memory/utf8";
import { bytesAnswer } from "./answers";
import { GetBuffer, TO_END } from "./buffer";
import { BytesResult } from "./result";

/**
 * Calls a function that the host was built with (Envoy: `compress`, `clear_route_cache`, …).
 * Statuses: Ok; NotFound for an unknown name; else the function's own. In: any callback, not in
 * top-level code.
 * @example proxywasm.CallForeignFunction("clear_route_cache", new Uint8Array(0));
 * Source: Envoy `foreign.cc`.
 */
export function CallForeignFunction(name: string, argument: Uint8Array): BytesResult {
  const bytes = encodeBuffer(name);
  return bytesAnswer(
    proxy_call_foreign_function(
      changetype<usize>(bytes),
      bytes.byteLength,
      argument.dataStart,
      argument.byteLength,
      OUT_PTR,
      OUT_SIZE,
    ),
  );
}

/**
 * The arguments of a foreign function that the host called. Status: Ok. In: the foreign function
 * callback.
 * @example proxywasm.GetCallData().value
 * Source: Envoy `context.cc`, `getBuffer`.
 */
export function GetCallData(): BytesResult {
  return GetBuffer(BufferType.CallData, 0, TO_END);
}
