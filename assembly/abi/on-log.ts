import { enter, leave, registrationOf } from "./dispatch";

export function proxy_on_log(id: u32): void {
  const context = enter(id);
  if (context !== null) {
    const slot = registrationOf(context).slots.log;
    if (slot !== null) slot(context);
  }
  leave();
}
