import type { Generation, Plugin } from "./plugin.ts";
import type { RootContext } from "./root-context.ts";

/** A request or a connection under way. */
export interface Closable {
  /** Where it came in. */
  readonly listener: string;
  /** Envoy closes it now: its listener is gone, or it came in by an older form of it. */
  close(isListenerGone: boolean): void;
}

/**
 * A plugin's configuration on one thread. Without a root (it refused to start there) its filter is left out of chains.
 *
 * Source: proxy-wasm-cpp-host `src/wasm.cc` (PluginHandle, getOrCreateThreadLocalPlugin).
 */
export class PluginHandle {
  readonly plugin: Plugin;
  readonly generation: Generation;
  readonly root: RootContext | null;
  /** The VM failed while the root started, and the start went through all the same. */
  readonly hasFailedAtStart: boolean;
  /** When it was last loaded, or a reload of it tried. */
  loadedNs: number;
  /** Streams hold the handle: its root ends after the last one. */
  streamCount = 0;
  /** Requests and connections that hold it: they end with the drain at the latest. */
  readonly connections = new Set<Closable>();
  /** Set when the handle is released while streams hold it. */
  onIdle: (() => void) | undefined;

  constructor(plugin: Plugin, generation: Generation, root: RootContext | null, loadedNs: number) {
    this.plugin = plugin;
    this.generation = generation;
    this.root = root;
    this.hasFailedAtStart = root !== null && root.owner.isDead();
    this.loadedNs = loadedNs;
  }

  /** A connection whose listener is gone is closed, and with it the request on it. All when none is named. */
  closeConnections(listener?: string): void {
    for (const one of [...this.connections])
      if (listener === undefined || one.listener === listener) one.close(listener !== undefined);
  }

  onStreamGone(): void {
    this.streamCount--;
    if (this.streamCount > 0 || this.onIdle === undefined) return;
    const release = this.onIdle;
    this.onIdle = undefined;
    release();
  }
}
