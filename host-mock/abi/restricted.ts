/** What stands in for a host function that capability restriction leaves out. */
import { logLevelNames } from "./enums.ts";
import type { CallSite, HostFunction } from "./call-site.ts";
import type { HostSignature } from "./signatures.ts";
import { Status } from "./status.ts";

const errorLevel = logLevelNames.indexOf("error");
/** `__WASI_ERRNO_NOTCAPABLE`. */
const notCapable = 76;

/**
 * Writes an error line of the host and answers InternalFailure, or errno 76 where the function is
 * one of WASI's; nothing else happens, and no output is touched.
 *
 * Source: proxy-wasm-cpp-host `include/proxy-wasm/exports.h` (the stubs of restricted capabilities).
 */
export function restrictedFunction({ module, name }: HostSignature): HostFunction {
  const [family, status] =
    module === "wasi"
      ? (["WASI", notCapable] as const)
      : (["proxy-wasm", Status.InternalFailure] as const);
  const line = new TextEncoder().encode(
    `Attempted call to restricted ${family} capability: ${name}`,
  );
  return (site: CallSite) => {
    site.log(errorLevel, line);
    return status;
  };
}
