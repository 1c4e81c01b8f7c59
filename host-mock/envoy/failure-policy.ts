import { RefusingFilter } from "../http/refusing-filter.ts";
import type { HttpStream } from "../http/stream.ts";
import type { StreamFilter } from "../http/stream-filter.ts";
import { install } from "./lifecycle.ts";
import type { Plugin } from "./plugin.ts";
import type { PluginHandle } from "./plugin-handle.ts";
import { StreamContext } from "./stream-context.ts";
import type { Thread } from "./thread.ts";

const reloadBaseNs = 1_000_000_000;

/**
 * A plugin's filter for a new stream; null: it is left out, and the request passes unfiltered.
 *
 * | the thread's plugin             | FAIL_CLOSED | FAIL_OPEN | FAIL_RELOAD                    |
 * | ------------------------------- | ----------- | --------- | ------------------------------ |
 * | healthy                         | normal      | normal    | normal                         |
 * | its VM trapped                  | 503         | left out  | a reload is tried, else 503    |
 * | the thread crashed              | 503         | left out  | 503                            |
 * | it refused to start here        | left out    | left out  | left out                       |
 *
 * A reload is only ever tried here, so never on the main thread, which has no streams.
 *
 * Source: Envoy `source/extensions/common/wasm/wasm.cc` (PluginConfig::createContext, maybeReloadHandleIfNeeded).
 */
export function filterFor(thread: Thread, plugin: Plugin, stream: HttpStream): StreamFilter | null {
  const handle = thread.handles.get(plugin);
  if (!thread.alive || handle === undefined) return onFailed(plugin, stream);
  if (handle.root === null) return null;
  if (!handle.root.owner.isDead()) return new StreamContext(handle, handle.root, stream);
  if (plugin.spec.failurePolicy === "FAIL_RELOAD") {
    const reloaded = reload(thread, handle);
    if (reloaded?.root) return new StreamContext(reloaded, reloaded.root, stream);
  }
  return onFailed(plugin, stream);
}

function onFailed(plugin: Plugin, stream: HttpStream): StreamFilter | null {
  return plugin.spec.failurePolicy === "FAIL_OPEN" ? null : new RefusingFilter(stream);
}

/**
 * A fresh VM in a trapped one's place, if the last load or attempt is long enough ago: a draw from [1 s, 1.5 s).
 *
 * Source: Envoy `source/common/common/backoff_strategy.cc` (JitteredLowerBoundBackOffStrategy).
 */
function reload(thread: Thread, failed: PluginHandle): PluginHandle | undefined {
  const { world } = thread;
  const backoffNs = reloadBaseNs + world.drawUnit() * (reloadBaseNs / 2);
  if (world.nowNs - failed.loadedNs < backoffNs) return undefined;
  failed.loadedNs = world.nowNs;
  const made = install(thread, failed.plugin, failed.generation);
  if (made.root === null) return undefined;
  failed.root?.owner.destroy("reloaded");
  thread.handles.set(failed.plugin, made);
  return made;
}
