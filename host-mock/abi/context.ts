/** Source: proxy-wasm-cpp-host `src/exports.cc` (set_effective_context, done, get_status). */
import type { CallSite, HostFunctions } from "./call-site.ts";
import { Status } from "./status.ts";

export const contextFunctions: HostFunctions = {
  /**
   * Which context the following calls of this callback act on, 0: the real one. BadArgument for an
   * id that is none.
   */
  proxy_set_effective_context(site: CallSite, contextId: number) {
    return site.host.setEffectiveContext(contextId) ? Status.Ok : Status.BadArgument;
  },

  /** Ends the wait of a root whose `proxy_on_done` answered 0; NotFound when it does not wait. */
  proxy_done(site: CallSite) {
    return site.context().done();
  },

  /**
   * Code and message of the root's last failure; InvalidMemoryAccess.
   *
   *     codePtr: | u32 code |    messagePtrPtr: | u32 pointer |    messageSizePtr: | u32 size |
   */
  proxy_get_status(site: CallSite, codePtr: number, messagePtrPtr: number, messageSizePtr: number) {
    const { code, message } = site.context().lastStatus();
    if (!site.memory.writeU32(codePtr, code)) return Status.InvalidMemoryAccess;
    return site.giveBytes(message, messagePtrPtr, messageSizePtr);
  },
};
