/**
 * Where plugins stand in the configuration, and how that changes while Envoy runs: new configurations, listeners that
 * go and come. What is replaced or removed drains; what nothing uses any more ends.
 *
 * Source: Envoy `source/common/listener_manager/listener_manager_impl.cc`, `source/extensions/common/wasm/wasm.cc`;
 * proxy-wasm-cpp-host `src/wasm.cc` (getOrCreateThreadLocalPlugin, canary, PluginHandle).
 */
import { unknownName } from "../did-you-mean.ts";
import { MockHostError } from "../errors.ts";
import { EventClass } from "../time/event-queue.ts";
import type { TraceArgs } from "../trace/event.ts";
import { HostEvent } from "../trace/names.ts";
import { canaryKey, lastLineOf, requireBase, runCanary } from "./lifecycle.ts";
import type { Generation, Plugin } from "./plugin.ts";
import type { EnvoyProcess } from "./process.ts";
import { SlotTable } from "./slots.ts";
import { isOnMainOnly } from "./start-up.ts";
import type { Thread } from "./thread.ts";
import { ThreadEvent } from "./thread-event.ts";
import type { VmGroup } from "./vm-group.ts";

/** A plugin in a listener; in none: a service, a sink, or what no listener names. */
interface Placement {
  readonly plugin: Plugin;
  readonly listener: string | null;
  slot: number;
}

/** A place that is given back when a drain is over, and what used it. */
interface FreedPlace {
  readonly plugin: Plugin;
  readonly generation: Generation;
  readonly slot: number;
}

function freedPlace({ plugin, slot }: Placement): FreedPlace {
  return { plugin, generation: plugin.current, slot };
}

export class Placements {
  readonly #world: EnvoyProcess;
  readonly #slots = new SlotTable();
  readonly #closed = new Set<string>();
  #places: Placement[] = [];

  constructor(world: EnvoyProcess) {
    this.#world = world;
    for (const plugin of world.startOrder)
      if (plugin.spec.kind === "service") this.#place(plugin, null);
    for (const name of world.listeners.keys())
      for (const plugin of this.#of(name)) this.#place(plugin, name);
    for (const plugin of world.startOrder)
      if (plugin.current.slots.size === 0) this.#place(plugin, null);
  }

  /** E_STATE for a listener that was removed. */
  requireOpen(listener: string): void {
    if (!this.#closed.has(listener)) return;
    throw new MockHostError("E_STATE", `listener ${listener} was removed`, {
      remedy: "add it again first",
    });
  }

  /** A new configuration; one that is equal to the present one, or that the canary refuses, changes nothing. */
  reconfigure(plugin: Plugin, configuration: Uint8Array, note: TraceArgs): void {
    const record = (status: string, result: string | null = null): void => {
      this.#world.recordVerb("reconfigure", note, { plugin: plugin.name, status, result });
    };
    if (this.#world.hasRefused) {
      record("not_applied", "nothing runs");
      return;
    }
    const generation = plugin.generation(configuration);
    if (generation === plugin.current) {
      record("applied", "equal to the present one: nothing changes");
      return;
    }
    const refusal = this.#refusal(plugin, generation);
    if (refusal !== null) {
      record("refused", refusal);
      return;
    }
    record("applied");
    this.#replace(plugin, generation);
  }

  /**
   * Main comes to it in its turn. E_UNKNOWN_NAME for a listener that does not exist, E_STATE for one to be removed that
   * is not there, or to be added that is.
   */
  changeListener(verb: "remove_listener" | "add_listener", name: string, note: TraceArgs): void {
    const world = this.#world;
    const isAdding = verb === "add_listener";
    const names = [...world.listeners.keys()];
    if (!names.includes(name)) throw unknownName("listener", name, names);
    if (isAdding !== this.#closed.has(name)) {
      throw new MockHostError("E_STATE", `listener ${name} is ${isAdding ? "there" : "gone"}`, {
        remedy: isAdding ? "remove it first" : "add it first",
      });
    }
    const event = new ThreadEvent(world.main, EventClass.startUp, () => {
      const refusal = isAdding ? this.#add(name) : this.#remove(name);
      const status = refusal === null ? "applied" : "refused";
      world.recordVerb(verb, note, { status, result: refusal });
    });
    world.schedule(event, world.nowNs);
    world.settleUnlessRunning(EventClass.startUp);
  }

  /** The listener takes no more requests and connections; when its drain is over what only it used ends. */
  #remove(name: string): null {
    this.#closed.add(name);
    const gone = this.#places.filter(({ listener }) => listener === name);
    this.#places = this.#places.filter(({ listener }) => listener !== name);
    const freed = gone.map(freedPlace);
    const drainedNs = this.#whenDrained(freed);
    for (const thread of this.#world.threads) {
      const drained = new ThreadEvent(thread, EventClass.timer, () => {
        thread.generations.drop(gone.map(({ plugin }) => plugin).reverse(), name);
      });
      this.#world.schedule(drained, drainedNs);
    }
    return null;
  }

  /** The listener is back, with the configurations its plugins have now; or why a canary refuses one. */
  #add(name: string): string | null {
    const plugins = this.#of(name);
    const fresh = plugins.filter(({ current }) => current.slots.size === 0);
    for (const plugin of fresh) {
      const refusal = this.#refusal(plugin, plugin.current);
      if (refusal !== null) return refusal;
      plugin.changeCount++;
      this.#world.main.startPlugin(plugin);
    }
    this.#closed.delete(name);
    for (const plugin of plugins) this.#place(plugin, name);
    for (const plugin of fresh) {
      this.#onWorkers((worker) => {
        if (worker.alive && worker.isUp && !worker.handles.has(plugin)) worker.startPlugin(plugin);
      });
    }
    return null;
  }

  /** A thread has let go of a root: the last user of a VM configuration takes its base VM along, and perhaps data. */
  endGroup(group: VmGroup): void {
    const { plugins, threads, sharedData, sharedQueues, metrics } = this.#world;
    const isUsed = (one: VmGroup): boolean =>
      plugins.some(({ group: own, current }) => own === one && current.slots.size > 0) ||
      threads.some(({ vms }) => vms.has(one));
    if (group.base === undefined || isUsed(group)) return;
    group.end();
    metrics.drop(group);
    const { vmId } = group;
    if (plugins.some((plugin) => plugin.group.vmId === vmId && plugin.group.base !== undefined))
      return;
    const keyCount = sharedData.wipe(vmId);
    if (keyCount > 0) {
      this.#world.recordHost(HostEvent.sharedDataDropped, { vm_id: vmId, keys: keyCount });
    }
    sharedQueues.wipe(vmId);
  }

  #replace(plugin: Plugin, generation: Generation): void {
    const own = this.#places.filter((place) => place.plugin === plugin);
    const listeners = own.map(({ listener }) => listener).filter((name) => name !== null);
    // A listener is made anew as a whole.
    const places = this.#places.filter(
      (place) => own.includes(place) || listeners.includes(place.listener ?? ""),
    );
    const freed = places.map(freedPlace);
    plugin.change(generation);
    for (const place of places) {
      place.slot = this.#slots.take();
      place.plugin.current.slots.add(place.slot);
    }
    const { changeCount } = plugin;
    const drainedNs = this.#whenDrained(freed);
    this.#world.main.generations.replace(plugin, generation, { changeCount, drainedNs });
    this.#onWorkers((worker) =>
      worker.generations.replace(plugin, generation, { changeCount, drainedNs }),
    );
  }

  /** When the drain is over, which gives the places back, from the last, before any thread comes to it. */
  #whenDrained(freed: readonly FreedPlace[]): number {
    const world = this.#world;
    const drainedNs = world.nowNs + world.options.drainNs;
    const free = new ThreadEvent(null, EventClass.file, () => {
      for (const { plugin, generation, slot } of [...freed].reverse()) {
        generation.slots.delete(slot);
        this.#slots.giveBack(slot);
        if (generation.slots.size === 0) plugin.forget(generation);
      }
    });
    world.schedule(free, drainedNs);
    return drainedNs;
  }

  /** Why a configuration is not taken; a configuration that was tried once in this base VM is not tried again. */
  #refusal(plugin: Plugin, generation: Generation): string | null {
    const { group } = plugin;
    if (group.hasFailed) return "a VM of this code refused to start earlier";
    const base = requireBase(this.#world.main, plugin);
    if (base.isDead()) return lastLineOf(base);
    const known = group.canaries.get(canaryKey(plugin, generation));
    if (known !== undefined) return known;
    const canary = runCanary(this.#world.main, plugin, generation);
    return canary.isOk ? null : canary.lastLine;
  }

  #onWorkers(run: (worker: Thread) => void): void {
    for (const worker of this.#world.threads.slice(1)) {
      const event = new ThreadEvent(worker, EventClass.startUp, () => run(worker));
      this.#world.schedule(event, this.#world.nowNs, this.#world.drawTie());
    }
  }

  #place(plugin: Plugin, listener: string | null): void {
    const slot = this.#slots.take();
    plugin.current.slots.add(slot);
    this.#places.push({ plugin, listener, slot });
  }

  /** Loggers before filters. */
  #of(listener: string): Plugin[] {
    const names = this.#world.listeners.get(listener)?.plugins ?? [];
    const named = names.map((name) => this.#world.plugin(name)).filter((one) => !isOnMainOnly(one));
    const isLogger = ({ spec }: Plugin): boolean => spec.kind === "access_log";
    return [...named.filter(isLogger), ...named.filter((plugin) => !isLogger(plugin))];
  }
}
