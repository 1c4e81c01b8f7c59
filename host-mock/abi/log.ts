/** Source: proxy-wasm-cpp-host `src/exports.cc` (log, get_log_level), Envoy `context.cc`. */
import type { CallSite, HostFunctions } from "./call-site.ts";
import { LogLevel } from "./enums.ts";
import { Status } from "./status.ts";

export const logFunctions: HostFunctions = {
  /**
   * BadArgument for a level above 5, checked first; InvalidMemoryAccess. An empty message is an
   * empty line.
   */
  proxy_log(site: CallSite, level: number, messagePtr: number, messageSize: number) {
    if (level > LogLevel.critical) return Status.BadArgument;
    const message = site.memory.readBytes(messagePtr, messageSize);
    if (message === undefined) return Status.InvalidMemoryAccess;
    site.log(level, message);
    return Status.Ok;
  },

  /**
   * The logger's level, 6 when it is off; InvalidMemoryAccess.
   *
   *     levelPtr: | u32 level |
   */
  proxy_get_log_level(site: CallSite, levelPtr: number) {
    return site.giveU32(site.host.process.logLevel, levelPtr);
  },
};
