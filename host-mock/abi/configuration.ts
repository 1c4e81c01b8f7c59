/**
 * ABI 0.1.0 only; later versions read buffers 6 and 7. Source: proxy-wasm-cpp-host
 * `src/exports.cc`.
 */
import type { CallSite, HostFunctions } from "./call-site.ts";

export const configurationFunctions: HostFunctions = {
  /**
   * The plugin's configuration while it is being configured, else the VM's; InvalidMemoryAccess.
   */
  proxy_get_configuration(site: CallSite, ptrPtr: number, sizePtr: number) {
    return site.giveBytes(site.configuration(), ptrPtr, sizePtr);
  },
};
