import { RootContext } from "../abi/contexts";
import { register } from "../abi/dispatch";
import { Handlers, PluginContext, PluginRegistration } from "./contexts";

/**
 * Makes a plugin known: its name, and what it does. To be called in the top-level code of the
 * module, below everything it names. Of options of the same kind the later one wins. Several
 * plugins in one module are told apart by the host's `root_id`, which must then be one of their
 * names.
 * @example wrapper.SetCtx("hello", wrapper.ProcessRequestHeaders(onRequestHeaders))
 */
export function SetCtx<C>(name: string, ...options: Array<Handlers<C>>): void {
  const registration = new PluginRegistration<C>(name);
  registration.createRoot = (registration, id) =>
    new PluginContext<C>(id, changetype<PluginRegistration<C>>(registration));
  registration.slots.configure = (root, size) => configurePlugin<C>(root, size);
  for (let i = 0; i < options.length; i++) {
    const option = unchecked(options[i]);
    const apply = option.apply;
    if (apply !== null) apply(option, registration.handlers, registration);
  }
  register(registration);
}

/** Slot `configure`: begins anew, since nothing of a configuration that is refused may stay. */
function configurePlugin<C>(root: RootContext, size: u32): bool {
  const ctx = changetype<PluginContext<C>>(root);
  const handlers = ctx.handlers;
  ctx.config = instantiate<C>();
  ctx.beginTicks();
  ctx.forgetTiming();
  ctx.beginConfiguration();
  const start = handlers.start;
  if (start !== null) ctx.refusal = start(ctx);
  const configure = handlers.configure;
  if (configure !== null && ctx.refusal === null) configure(ctx, size);
  return ctx.endConfiguration();
}
