/** Source: Envoy `source/extensions/common/wasm/wasm.cc` (resolve_dns). */
import { latin1, tryUtf8 } from "../state/bytes.ts";
import type { CallSite, HostFunctions } from "./call-site.ts";
import { Status } from "./status.ts";

export const dnsFunctions: HostFunctions = {
  /**
   * Resolves a name, for the root of the acting context; `envoy_on_resolve_dns` tells of it,
   * for an IP address before this returns. InvalidMemoryAccess, the token's address included.
   *
   *     tokenPtr: | u32 token |, 2 and up for each VM
   */
  envoy_resolve_dns(site: CallSite, namePtr: number, nameSize: number, tokenPtr: number) {
    const name = site.memory.readBytes(namePtr, nameSize);
    if (name === undefined) return Status.InvalidMemoryAccess;
    return site.context().resolveDns(tryUtf8(name) ?? latin1(name), (token) => {
      return site.memory.writeU32(tokenPtr, token);
    });
  },
};
