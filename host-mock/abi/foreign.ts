/** Source: proxy-wasm-cpp-host `src/exports.cc` (call_foreign_function), Envoy `foreign.cc`. */
import { lossyUtf8 } from "../state/bytes.ts";
import type { CallSite, HostFunctions } from "./call-site.ts";
import { Status, type StatusCode } from "./status.ts";

/**
 * Pointer and size words are each left out where the guest gives address 0. A function that hands something over asks
 * for memory, even for no bytes.
 */
function giveResult(
  site: CallSite,
  result: Uint8Array | undefined,
  ptrPtr: number,
  sizePtr: number,
): StatusCode {
  const { memory } = site;
  let ptr = 0;
  if (result !== undefined) {
    ptr = site.allocate(result.length);
    if (ptr === 0) return Status.InvalidMemoryAccess;
    memory.writeBytes(ptr, result);
  }
  if (ptrPtr !== 0 && !memory.writeU32(ptrPtr, ptr)) return Status.InvalidMemoryAccess;
  if (sizePtr !== 0 && !memory.writeU32(sizePtr, result?.length ?? 0))
    return Status.InvalidMemoryAccess;
  return Status.Ok;
}

export const foreignFunctions: HostFunctions = {
  /**
   * Calls a function of the host by name. InvalidMemoryAccess; NotFound for an unknown name,
   * nothing written then; else the function's own status, and both words are written even when it
   * failed.
   *
   *     resultPtrPtr: | u32 pointer |    resultSizePtr: | u32 size |
   */
  proxy_call_foreign_function(
    site: CallSite,
    namePtr: number,
    nameSize: number,
    argumentPtr: number,
    argumentSize: number,
    resultPtrPtr: number,
    resultSizePtr: number,
  ) {
    const name = site.memory.viewBytes(namePtr, nameSize);
    const argument = site.memory.readBytes(argumentPtr, argumentSize);
    if (name === undefined || argument === undefined) return Status.InvalidMemoryAccess;
    const { status, result, isUnknown } = site
      .context()
      .callForeignFunction(lossyUtf8(name), argument);
    if (isUnknown === true) return status;
    const given = giveResult(site, result, resultPtrPtr, resultSizePtr);
    return given === Status.Ok ? status : given;
  },
};
