/**
 * What the exported callbacks call. Plugins are known here by base classes and functions alone, so
 * no import points upwards, no type parameter reaches an export and no call is virtual.
 */
import { decimal } from "../memory/digits";
import { BaseContext, Registration, RootContext, StreamContext } from "./contexts";
import { enterCallback, leave } from "./collect";
import { contextCount, findContext, putContext, removeContext } from "./context-table";
import { LogLevel } from "./enums";
import { logLine } from "./log-line";
import { readRootId } from "./root-id";

export { leave } from "./collect";
export { BaseContext, Registration, RootContext, Slots, StreamContext } from "./contexts";

const E_UNKNOWN = "callback for an unknown context ";
const E_OTHER_KIND = "callback of the other kind for context ";
const E_NO_ROOT = "stream ignored, unknown root context ";
const E_NO_PLUGIN = "no plugin is registered for root_id ";

// In the order in which they were registered, linked by `next`.
let firstPlugin: Registration | null = null;
let lastPlugin: Registration | null = null;

/** Makes a plugin known. To be called in the top-level code, before the host makes any context. */
export function register(registration: Registration): void {
  const last = lastPlugin;
  lastPlugin = registration;
  if (last === null) firstPlugin = registration;
  else last.next = registration;
}

/**
 * The live context of an id, or null. For answers that arrive later than their context may live.
 */
export function contextOf(id: u32): BaseContext | null {
  return findContext(id);
}

/** How many contexts of this VM are alive. */
export function liveContexts(): i32 {
  return contextCount();
}

/** `proxy_on_context_create`. */
export function createContext(id: u32, parentId: u32): void {
  enterCallback();
  if (parentId == 0) createRoot(id);
  else createStream(id, parentId);
  leave();
}

/** The root a callback is for; null (after a log line) when the host never made it known. */
export function enterRoot(id: u32): RootContext | null {
  return changetype<RootContext | null>(enterKind(id, true));
}

/** The stream a callback is for; null (after a log line) when the host never made it known. */
export function enterStream(id: u32): StreamContext | null {
  return changetype<StreamContext | null>(enterKind(id, false));
}

/** The context a callback is for; null (after a log line) when the host never made it known. */
export function enter(id: u32): BaseContext | null {
  enterCallback();
  const context = findContext(id);
  if (context === null) warn(E_UNKNOWN, id);
  return context;
}

/** The plugin a context belongs to. */
export function registrationOf(context: BaseContext): Registration {
  return context.isRoot
    ? changetype<RootContext>(context).registration
    : changetype<StreamContext>(context).root.registration;
}

/** Whether a plugin of this module stands behind the root; logs it when not. */
export function isRegistered(root: RootContext): bool {
  const registration = root.registration;
  let plugin = firstPlugin;
  let names = plugin === null ? " none" : "";
  while (plugin !== null) {
    if (plugin === registration) return true;
    names += " " + plugin.name;
    plugin = plugin.next;
  }
  logLine(LogLevel.Error, E_NO_PLUGIN + '"' + registration.name + '"; registered:' + names);
  return false;
}

/** `proxy_on_done`. An unknown context does not hold the host up. */
export function doneContext(id: u32): bool {
  const context = enter(id);
  const isDone = context === null || done(context);
  leave();
  return isDone;
}

/** `proxy_on_delete`. */
export function deleteContext(id: u32): void {
  const context = enter(id);
  if (context !== null) {
    drop(context);
    removeContext(id);
  }
  leave();
}

function enterKind(id: u32, isRoot: bool): BaseContext | null {
  const context = enter(id);
  if (context === null || context.isRoot == isRoot) return context;
  warn(E_OTHER_KIND, id);
  return null;
}

function createRoot(id: u32): void {
  const before = findContext(id);
  if (before !== null) {
    // Envoy makes the root of a plugin that comes back known again, with the id it had and without
    // ending it first. What the old generation holds (a lease, calls in flight) is to be let go.
    done(before);
    drop(before);
  }
  const registration = registrationFor();
  const create = registration.createRoot;
  putContext(create === null ? new RootContext(id, registration) : create(registration, id));
}

function createStream(id: u32, parentId: u32): void {
  const parent = findContext(parentId);
  if (parent === null || !parent.isRoot) {
    warn(E_NO_ROOT, parentId);
    return;
  }
  const root = changetype<RootContext>(parent);
  const create = root.registration.createStream;
  putContext(create === null ? new StreamContext(id, root) : create(root, id));
}

/** With a single plugin, root_id has nothing to tell apart and is not read. */
function registrationFor(): Registration {
  const first = firstPlugin;
  if (first !== null && first.next === null) return first;
  const rootId = readRootId();
  let plugin = first;
  while (plugin !== null) {
    if (plugin.name == rootId) return plugin;
    plugin = plugin.next;
  }
  // Nothing to run, but the context must exist until `proxy_on_configure` can refuse it.
  return new Registration(rootId);
}

function done(context: BaseContext): bool {
  const slot = registrationOf(context).slots.done;
  return slot === null || slot(context);
}

function drop(context: BaseContext): void {
  const slot = registrationOf(context).slots.delete;
  if (slot !== null) slot(context);
}

function warn(what: string, id: u32): void {
  logLine(LogLevel.Warn, what + decimal(id));
}
