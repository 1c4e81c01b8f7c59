/**
 * Source: proxy-wasm-cpp-host `src/exports.cc`, Envoy `source/extensions/common/wasm/context.cc`.
 */
import { noBytes } from "../state/bytes.ts";
import type { CallSite, HostFunctions } from "./call-site.ts";
import { splitPath } from "./property-path.ts";
import { Status } from "./status.ts";

export const propertyFunctions: HostFunctions = {
  /**
   * The value of a path whose components NUL separates. InvalidMemoryAccess; NotFound;
   * SerializationFailure for a whole group and for the empty path. An empty value is Ok with
   * pointer and size 0.
   *
   *     valuePtrPtr: | u32 pointer |    valueSizePtr: | u32 size |
   */
  proxy_get_property(
    site: CallSite,
    pathPtr: number,
    pathSize: number,
    valuePtrPtr: number,
    valueSizePtr: number,
  ) {
    const path = site.memory.viewBytes(pathPtr, pathSize);
    if (path === undefined) return Status.InvalidMemoryAccess;
    if (path.length === 0) return Status.SerializationFailure;
    const { status, value } = site.context().property(splitPath(path));
    return status === Status.Ok
      ? site.giveBytes(value ?? noBytes, valuePtrPtr, valueSizePtr)
      : status;
  },

  /**
   * Keeps a value with the stream, under the path as it stands. InvalidMemoryAccess; NotFound
   * without a stream.
   */
  proxy_set_property(
    site: CallSite,
    pathPtr: number,
    pathSize: number,
    valuePtr: number,
    valueSize: number,
  ) {
    const path = site.memory.readBytes(pathPtr, pathSize);
    const value = site.memory.readBytes(valuePtr, valueSize);
    if (path === undefined || value === undefined) return Status.InvalidMemoryAccess;
    return site.context().setProperty(path, value);
  },
};
