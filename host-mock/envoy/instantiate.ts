import { restrictsExport } from "../abi/capabilities.ts";
import { linkImports } from "../abi/link.ts";
import { MockHostError } from "../errors.ts";
import { Instance } from "../vm/instance.ts";
import { Suspension } from "../vm/suspension.ts";
import { GuestHalted } from "../vm/trap.ts";
import type { Vm } from "./vm.ts";

/**
 * The instance of a VM. E_OPTION when Node has no room for one more memory: it sets aside several GiB of
 * addresses for each, whatever the module asks for, so that one process holds about 10,000 to 14,000.
 */
export function instantiate(vm: Vm): Instance {
  const { thread, group } = vm;
  const { world } = thread;
  const { loaded, allowed, pausePoints } = group;
  const suspension =
    pausePoints.size === 0
      ? undefined
      : new Suspension((call, args) => thread.points.pausesAt(vm, call, args));
  const imports = linkImports(loaded, world.options.profile, () => vm, allowed);
  const wrapped = suspension?.wrap(imports, pausePoints) ?? imports;
  const isHidden = (name: string): boolean => restrictsExport(allowed, name);
  try {
    return new Instance(loaded, wrapped, isHidden, suspension);
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

/** Runs what a fresh VM runs first; false when it trapped, or its thread crashed under it. */
export function starts(instance: Instance): boolean {
  try {
    return instance.start().ok;
  } catch (error) {
    if (error instanceof GuestHalted) return false;
    throw error;
  }
}

function isFull(cause: unknown): boolean {
  return cause instanceof Error && cause.name === "RangeError" && /memory/i.test(cause.message);
}
