import type { WasmImports } from "../abi/wasm-api.ts";
import { MockHostError } from "../errors.ts";
import type { LoadedModule } from "../module/load.ts";
import { Instance } from "../vm/instance.ts";
import type { Thread } from "./thread.ts";

/**
 * A new instance for a thread. E_OPTION when Node has no room for one more memory: it sets aside several GiB of
 * addresses for each, whatever the module asks for, so that one process holds about 10,000 to 14,000.
 */
export function instantiate(
  { world }: Thread,
  loaded: LoadedModule,
  imports: WasmImports,
  isHidden: (exportName: string) => boolean,
): Instance {
  try {
    return new Instance(loaded, imports, isHidden);
  } catch (cause) {
    if (!isFull(cause)) throw cause;
    const count = world.threads.reduce((sum, { vms }) => sum + vms.size, 0);
    throw new MockHostError(
      "E_OPTION",
      `Node has no room for the memory of one more VM, with ${count} VMs on ${world.threads.length} threads`,
      {
        remedy:
          "lower concurrency or give fewer plugins VMs of their own, and drop other MockEnvoys of this process first",
        cause,
      },
    );
  }
}

function isFull(cause: unknown): boolean {
  return cause instanceof Error && cause.name === "RangeError" && /memory/i.test(cause.message);
}
