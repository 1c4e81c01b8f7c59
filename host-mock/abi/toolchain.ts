/**
 * What modules import because of their compiler, not of proxy-wasm. Source: proxy-wasm-cpp-host
 * `src/exports.cc` (pthread_equal, emscripten_notify_memory_growth).
 */
import type { CallSite, HostFunctions } from "./call-site.ts";

export const toolchainFunctions: HostFunctions = {
  pthread_equal(_site: CallSite, left: number, right: number) {
    return left === right ? 1 : 0;
  },

  /** The memory's view is taken anew after growth in any case. */
  emscripten_notify_memory_growth() {
    return 0;
  },
};
