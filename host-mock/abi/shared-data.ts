/** Source: proxy-wasm-cpp-host `src/exports.cc`, `src/shared_data.cc`. */
import type { CallSite, HostFunctions } from "./call-site.ts";
import { Status } from "./status.ts";

export const sharedDataFunctions: HostFunctions = {
  /**
   * Value and version of a key in the VM's vm_id. InvalidMemoryAccess; NotFound, nothing written
   * then. An empty value is Ok with pointer and size 0.
   *
   *     valuePtrPtr: | u32 pointer |    valueSizePtr: | u32 size |    casPtr: | u32 version |
   */
  proxy_get_shared_data(
    site: CallSite,
    keyPtr: number,
    keySize: number,
    valuePtrPtr: number,
    valueSizePtr: number,
    casPtr: number,
  ) {
    const key = site.memory.readLatin1(keyPtr, keySize);
    if (key === undefined) return Status.InvalidMemoryAccess;
    const { host } = site;
    const found = host.process.sharedData.get(host.vmId, key);
    if (found === undefined) return Status.NotFound;
    const status = site.giveBytes(found.value, valuePtrPtr, valueSizePtr);
    return status === Status.Ok ? site.giveU32(found.cas, casPtr) : status;
  },

  /**
   * Stores a value; `cas` 0 does not compare. InvalidMemoryAccess; CasMismatch, nothing changed
   * then.
   */
  proxy_set_shared_data(
    site: CallSite,
    keyPtr: number,
    keySize: number,
    valuePtr: number,
    valueSize: number,
    cas: number,
  ) {
    const { memory, host } = site;
    const key = memory.readLatin1(keyPtr, keySize);
    if (key === undefined) return Status.InvalidMemoryAccess;
    const value = memory.readBytes(valuePtr, valueSize);
    if (value === undefined) return Status.InvalidMemoryAccess;
    return Status[host.process.sharedData.set(host.vmId, key, value, cas)];
  },
};
