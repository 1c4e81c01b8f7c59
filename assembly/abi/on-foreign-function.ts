import { enter, leave, registrationOf } from "./dispatch";

/** Envoy itself never calls it; its arguments are in `BufferType.CallData`. */
export function proxy_on_foreign_function(id: u32, functionId: u32, size: u32): void {
  const context = enter(id);
  if (context !== null) {
    const slot = registrationOf(context).slots.foreignFunction;
    if (slot !== null) slot(context, functionId, size);
  }
  leave();
}
