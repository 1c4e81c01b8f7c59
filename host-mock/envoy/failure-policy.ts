import { RefusingFilter } from "../http/refusing-filter.ts";
import type { HttpStream } from "../http/stream.ts";
import type { StreamFilter } from "../http/stream-filter.ts";
import { install, release } from "./lifecycle.ts";
import type { Plugin } from "./plugin.ts";
import type { PluginHandle } from "./plugin-handle.ts";
import type { RootContext } from "./root-context.ts";
import { StreamContext } from "./stream-context.ts";
import type { Thread } from "./thread.ts";

/** A plugin's living root for something new on a thread, or what stands in for it. */
export type Place =
  | { readonly handle: PluginHandle; readonly root: RootContext }
  /** There is no filter: everything passes. */
  | "left_out"
  /** A filter that refuses. */
  | "refusing";

/**
 * What a new stream, connection or line of a log finds of a plugin.
 *
 * | the thread's plugin             | FAIL_CLOSED | FAIL_OPEN | FAIL_RELOAD                    |
 * | ------------------------------- | ----------- | --------- | ------------------------------ |
 * | healthy                         | normal      | normal    | normal                         |
 * | its VM trapped                  | refuses     | left out  | a reload is tried, else refuses |
 * | the thread crashed              | refuses     | left out  | refuses                        |
 * | it refused to start here        | left out    | left out  | left out                       |
 *
 * A reload is only ever tried here, so never on the main thread, which has no streams.
 *
 * Source: Envoy `source/extensions/common/wasm/wasm.cc` (PluginConfig::createContext, maybeReloadHandleIfNeeded).
 */
export function placeFor(thread: Thread, plugin: Plugin): Place {
  const failed = plugin.spec.failurePolicy === "FAIL_OPEN" ? "left_out" : "refusing";
  const handle = thread.handles.get(plugin);
  if (!thread.alive || handle === undefined) return failed;
  const { root } = handle;
  if (root === null) return "left_out";
  const renewed = renew(thread, handle);
  if (renewed?.root) return { handle: renewed, root: renewed.root };
  if (!root.owner.isDead()) return { handle, root };
  if (plugin.spec.failurePolicy !== "FAIL_RELOAD") return failed;
  const reloaded = reload(thread, handle);
  return reloaded?.root ? { handle: reloaded, root: reloaded.root } : failed;
}

/**
 * Higress makes VMs anew by itself, whatever the policy: a failed one after a while, an idle one that is too large or
 * has asked for it; the idle one's plugins end in order. Undefined: the VM stays.
 *
 * Source: Higress' fork of Envoy, `source/extensions/common/wasm/wasm.cc`.
 */
function renew(thread: Thread, handle: PluginHandle): PluginHandle | undefined {
  const { recoveryMs, rebuildBytes } = thread.world.options.profile;
  const vm = handle.root?.owner;
  if (recoveryMs === null || vm === undefined) return undefined;
  if (vm.isDead()) {
    if (thread.world.nowNs - handle.loadedNs < recoveryMs * 1e6) return undefined;
    handle.loadedNs = thread.world.nowNs;
    const made = installed(thread, handle);
    if (made !== undefined) vm.destroy("reloaded");
    return made;
  }
  const isLarge = rebuildBytes !== null && vm.instance.memory.sizeBytes > rebuildBytes;
  const handles = [...thread.handles.values()].filter(({ root }) => root?.owner === vm);
  const isIdle = handles.every(({ streamCount }) => streamCount === 0);
  if (!isIdle || !(vm.needsRebuild || isLarge)) return undefined;
  vm.needsRebuild = false;
  thread.vms.delete(vm.group);
  for (const old of handles) if (installed(thread, old) !== undefined) release(old);
  const now = thread.handles.get(handle.plugin);
  return now === handle ? undefined : now;
}

function installed(thread: Thread, old: PluginHandle): PluginHandle | undefined {
  const made = install(thread, old.plugin, old.generation);
  if (made.root === null || made.root.owner.isDead()) return undefined;
  thread.handles.set(old.plugin, made);
  return made;
}

/** A plugin's filter for a new request; null: the request passes unfiltered. A refusing one answers 503. */
export function filterFor(thread: Thread, plugin: Plugin, stream: HttpStream): StreamFilter | null {
  const place = placeFor(thread, plugin);
  if (place === "left_out") return null;
  if (place === "refusing") return new RefusingFilter(stream);
  return new StreamContext(place.handle, place.root, stream);
}

/**
 * A fresh VM in a trapped one's place, if the last load or attempt is long enough ago: a draw of whole milliseconds
 * from one to one and a half times the plugin's interval. A plugin whose VM had failed by the end of its start, a trap
 * that nobody noticed, is never reloaded: Envoy finds the failed one again in its cache.
 *
 * Source: Envoy `source/common/common/backoff_strategy.cc` (JitteredLowerBoundBackOffStrategy).
 */
function reload(thread: Thread, failed: PluginHandle): PluginHandle | undefined {
  const { world } = thread;
  const { reloadBaseMs } = failed.plugin.spec;
  const backoffMs = reloadBaseMs + Math.floor(world.drawUnit() * (reloadBaseMs >> 1));
  if (world.nowNs - failed.loadedNs < backoffMs * 1e6) {
    world.wasmStatistics.onReload(failed.plugin.name, "backoff");
    return undefined;
  }
  failed.loadedNs = world.nowNs;
  if (failed.hasFailedAtStart) {
    world.wasmStatistics.onReload(failed.plugin.name, "failure");
    return undefined;
  }
  const made = install(thread, failed.plugin, failed.generation);
  const isAlive = made.root !== null && !made.root.owner.isDead();
  world.wasmStatistics.onReload(failed.plugin.name, isAlive ? "success" : "failure");
  if (!isAlive) return undefined;
  failed.root?.owner.destroy("reloaded");
  thread.handles.set(failed.plugin, made);
  return made;
}
