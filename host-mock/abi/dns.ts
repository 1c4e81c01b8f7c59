/** Source: Envoy `source/extensions/common/wasm/wasm.cc` (resolve_dns). */
import type { CallSite, HostFunctions } from "./call-site.ts";
import { Status } from "./status.ts";

export const dnsFunctions: HostFunctions = {
  /**
   * InvalidMemoryAccess; Unimplemented: this host resolves no names. Envoy would answer Ok and call
   * back, which a plugin must not wait for here.
   */
  envoy_resolve_dns(site: CallSite, addressPtr: number, addressSize: number) {
    return site.memory.isRange(addressPtr, addressSize)
      ? Status.Unimplemented
      : Status.InvalidMemoryAccess;
  },
};
