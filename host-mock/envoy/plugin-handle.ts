import type { Generation, Plugin } from "./plugin.ts";
import type { RootContext } from "./root-context.ts";

/**
 * A plugin's configuration on one thread. Without a root (it refused to start there) its filter is left out of chains.
 *
 * Source: proxy-wasm-cpp-host `src/wasm.cc` (PluginHandle, getOrCreateThreadLocalPlugin).
 */
export class PluginHandle {
  readonly plugin: Plugin;
  readonly generation: Generation;
  readonly root: RootContext | null;
  /** When it was last loaded, or a reload of it tried. */
  loadedNs: number;
  /** Streams hold the handle: its root ends after the last one. */
  streamCount = 0;
  /** Set when the handle is released while streams hold it. */
  onIdle: (() => void) | undefined;

  constructor(plugin: Plugin, generation: Generation, root: RootContext | null, loadedNs: number) {
    this.plugin = plugin;
    this.generation = generation;
    this.root = root;
    this.loadedNs = loadedNs;
  }

  onStreamGone(): void {
    this.streamCount--;
    if (this.streamCount > 0 || this.onIdle === undefined) return;
    const release = this.onIdle;
    this.onIdle = undefined;
    release();
  }
}
