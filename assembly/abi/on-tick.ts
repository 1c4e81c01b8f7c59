import { enterRoot, leave } from "./dispatch";

export function proxy_on_tick(rootId: u32): void {
  const root = enterRoot(rootId);
  if (root !== null) {
    const slot = root.registration.slots.tick;
    if (slot !== null) slot(root);
  }
  leave();
}
