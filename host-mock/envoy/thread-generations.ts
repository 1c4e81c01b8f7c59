import { EventClass } from "../time/event-queue.ts";
import { HostEvent } from "../trace/names.ts";
import { install, release } from "./lifecycle.ts";
import type { Generation, Plugin } from "./plugin.ts";
import type { PluginHandle } from "./plugin-handle.ts";
import type { Thread } from "./thread.ts";
import { ThreadEvent } from "./thread-event.ts";

/** A change of a plugin's configuration: which one it is, and when what it replaces has drained. */
export interface Change {
  readonly changeCount: number;
  readonly drainedNs: number;
}

/** How one thread follows the configurations of plugins: new contexts beside old ones, which drain. */
export class ThreadGenerations {
  readonly #thread: Thread;
  /** How many changes of a plugin's configuration it has followed. */
  readonly #changes = new Map<Plugin, number>();
  /** Handles of older configurations whose drain is not over. */
  readonly #draining = new Set<PluginHandle>();

  constructor(thread: Thread) {
    this.#thread = thread;
  }

  get draining(): Iterable<PluginHandle> {
    return this.#draining;
  }

  /** The plugin starts with the present configuration. */
  follow(plugin: Plugin): void {
    this.#changes.set(plugin, plugin.changeCount);
  }

  clear(): void {
    this.#draining.clear();
  }

  /** A new configuration beside the old one, which ends when the drain does. */
  replace(plugin: Plugin, generation: Generation, change: Change): void {
    const thread = this.#thread;
    const { world, handles } = thread;
    const old = handles.get(plugin);
    if (!thread.alive || !thread.isUp || old === undefined) return;
    if ((this.#changes.get(plugin) ?? 0) >= change.changeCount) return;
    this.#changes.set(plugin, change.changeCount);
    this.#note(old, HostEvent.contextDraining);
    const made = this.#reused(generation) ?? install(thread, plugin, generation);
    // It crashed in the middle of it.
    if (!thread.alive) return;
    handles.set(plugin, made);
    this.#draining.add(old);
    const drained = new ThreadEvent(thread, EventClass.timer, () => {
      old.closeConnections();
      if (old.generation.slots.size > 0 || !this.#draining.delete(old)) return;
      release(old);
      world.placements.endGroup(plugin.group);
    });
    world.schedule(drained, Math.max(change.drainedNs, world.nowNs));
  }

  /** The drain of a listener is over; roots that no other place holds end. */
  drop(plugins: readonly Plugin[], listener: string): void {
    const { handles, world } = this.#thread;
    for (const plugin of plugins) handles.get(plugin)?.closeConnections(listener);
    for (const plugin of plugins) {
      const handle = handles.get(plugin);
      if (handle !== undefined && plugin.current.slots.size === 0) {
        handles.delete(plugin);
        release(handle);
      }
      world.placements.endGroup(plugin.group);
    }
  }

  /** A living root of the configuration that still drains is taken back. */
  #reused(generation: Generation): PluginHandle | undefined {
    for (const handle of this.#draining) {
      if (handle.generation !== generation) continue;
      this.#draining.delete(handle);
      this.#note(handle, HostEvent.contextReused);
      return handle;
    }
    return undefined;
  }

  #note({ root }: PluginHandle, name: string): void {
    if (root === null || root.owner.isDead()) return;
    this.#thread.world.recorder.record(root, "timer", name, {});
  }
}
