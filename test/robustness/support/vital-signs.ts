import type { MockEnvoy } from "../../../host-mock/index.ts";
import type { Vm } from "../../../host-mock/envoy/vm.ts";

const pageBytes = 65_536;

/**
 * 20 MiB: what handling values of a megabyte takes at most. A guest's memory never shrinks, and
 * grows by as much as it has; the collector lets garbage pile up to the size of what lives.
 */
export const pagesMax = 320;

/** The VMs of all threads that serve. */
export function vmsOf(envoy: MockEnvoy): Vm[] {
  return envoy.threads.flatMap(({ vms }) => [...vms.values()]);
}

/** Pages of memory of each VM. */
export function pagesOf(envoy: MockEnvoy): number[] {
  return vmsOf(envoy).map(({ instance }) => instance.memory.sizeBytes / pageBytes);
}

/** Throws when anything has trapped or a thread has lost its VM. */
export function checkAlive(envoy: MockEnvoy, where: () => string): void {
  const trap = envoy.trace.find(({ event }) => event === "trap");
  if (trap !== undefined) {
    const { vm, name, args } = trap;
    throw new Error(`${vm} trapped in ${name}, ${JSON.stringify(args)}: ${where()}`);
  }
  const dead = envoy.threads.filter(({ vms }) => vms.size === 0);
  if (dead.length > 0)
    throw new Error(`${dead.map(({ name }) => name).join()} has no VM: ${where()}`);
}
