/**
 * Edits follow the table of `state/body.ts`. Source: proxy-wasm-cpp-host `src/exports.cc`, Envoy
 * `context.cc`.
 */
import type { CallSite, HostFunctions } from "./call-site.ts";
import { Status } from "./status.ts";

export const bufferFunctions: HostFunctions = {
  /**
   * The part of [start, start + length) that exists, whatever the sum overflows to. BadArgument for
   * an unknown buffer; NotFound when it is not available; InvalidMemoryAccess.
   *
   *     ptrPtr: | u32 pointer |    sizePtr: | u32 size |, both 0 for nothing
   */
  proxy_get_buffer_bytes(
    site: CallSite,
    type: number,
    start: number,
    length: number,
    ptrPtr: number,
    sizePtr: number,
  ) {
    if (type > site.profile.bufferTypeMax) return Status.BadArgument;
    const buffer = site.context().buffer(type);
    if (buffer === undefined) return Status.NotFound;
    return site.giveBytes(buffer.slice(start, length), ptrPtr, sizePtr);
  },

  /**
   * BadArgument for an unknown or read-only buffer, NotFound when it is not available, then
   * InvalidMemoryAccess.
   */
  proxy_set_buffer_bytes(
    site: CallSite,
    type: number,
    start: number,
    length: number,
    dataPtr: number,
    dataSize: number,
  ) {
    if (type > site.profile.bufferTypeMax) return Status.BadArgument;
    const buffer = site.context().buffer(type);
    if (buffer === undefined) return Status.NotFound;
    const data = site.memory.readBytes(dataPtr, dataSize);
    return data === undefined ? Status.InvalidMemoryAccess : buffer.edit(start, length, data);
  },

  /**
   * BadArgument; NotFound; InvalidMemoryAccess. The flags are always 0.
   *
   *     sizePtr: | u32 size |    flagsPtr: | u32 0 |
   */
  proxy_get_buffer_status(site: CallSite, type: number, sizePtr: number, flagsPtr: number) {
    if (type > site.profile.bufferTypeMax) return Status.BadArgument;
    const buffer = site.context().buffer(type);
    if (buffer === undefined) return Status.NotFound;
    if (!site.memory.writeU32(sizePtr, buffer.size)) return Status.InvalidMemoryAccess;
    return site.giveU32(0, flagsPtr);
  },
};
