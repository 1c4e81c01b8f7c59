import { enterRoot, leave } from "./dispatch";

export function proxy_on_queue_ready(rootId: u32, queueToken: u32): void {
  const root = enterRoot(rootId);
  if (root !== null) {
    const slot = root.registration.slots.queueReady;
    if (slot !== null) slot(root, queueToken);
  }
  leave();
}
