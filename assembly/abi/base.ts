import { allocate } from "../memory/allocator";
import {
  createContext,
  deleteContext,
  doneContext,
  enterRoot,
  isRegistered,
  leave,
} from "./dispatch";

/** The host calls it while a host call of ours runs; what it allocates is ours to free. */
export function proxy_on_memory_allocate(size: usize): usize {
  return allocate(size);
}

export function proxy_on_context_create(id: u32, parentId: u32): void {
  createContext(id, parentId);
}

export function proxy_on_vm_start(rootId: u32, vmConfigurationSize: u32): bool {
  const root = enterRoot(rootId);
  let isStarted = true;
  if (root !== null) {
    const slot = root.registration.slots.vmStart;
    if (slot !== null) isStarted = slot(root, vmConfigurationSize);
  }
  leave();
  return isStarted;
}

export function proxy_on_configure(rootId: u32, pluginConfigurationSize: u32): bool {
  const root = enterRoot(rootId);
  let isAccepted = root !== null && isRegistered(root);
  if (root !== null && isAccepted) {
    const slot = root.registration.slots.configure;
    if (slot !== null) isAccepted = slot(root, pluginConfigurationSize);
  }
  leave();
  return isAccepted;
}

export function proxy_on_done(id: u32): bool {
  return doneContext(id);
}

export function proxy_on_delete(id: u32): void {
  deleteContext(id);
}
